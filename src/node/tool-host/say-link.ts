import { posix } from "node:path";

/** That a name stands for another one, and for which: what is read or written is a file, by its own name (LD62). */
export function sayLink(path: string, target: string): string {
  const meant = posix.normalize(posix.join(posix.dirname(path), target));
  const isInside = !posix.isAbsolute(target) && meant !== ".." && !meant.startsWith("../");
  const where = isInside ? `that is ${meant} in the project` : "which is no name in the project";
  return `${path} is a link to ${target}: ${where}`;
}
