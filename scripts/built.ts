// Folders of `dist/` that are made from sources: built when those have changed since the last time, aside, and swapped in, so
// that neither a running daemon nor a second build ever sees half of one.

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { root } from "./run.ts";

export interface Build {
  /** The folder in `dist/`. */
  name: string;
  /** Files and folders of which everything counts. A change elsewhere does not concern it. */
  sources: readonly string[];
  /** Puts everything into a folder that it makes. */
  into: (folder: string) => Promise<void>;
}

export const builtFrom = ".built-from";

export async function build({ name, sources, into }: Build): Promise<void> {
  const target = path.join(root, "dist", name);
  const hash = hashOf(sources);
  if (readIfThere(path.join(target, builtFrom)) === hash) return;
  console.error(`signalbox: building the ${name} …`);
  const begun = new Date();
  const fresh = path.join(root, "dist", `.${name}-${process.pid}`);
  await into(fresh);
  const stamp = path.join(fresh, builtFrom);
  fs.writeFileSync(stamp, hash);
  // What was changed while it was built is newer than what was built.
  fs.utimesSync(stamp, begun, begun);
  swapIn(fresh, target);
}

function swapIn(fresh: string, target: string): void {
  for (let stale = `${fresh}-old`; ; stale += "-old") {
    if (fs.existsSync(target)) tryRename(target, stale);
    const done = tryRename(fresh, target);
    fs.rmSync(stale, { recursive: true, force: true });
    if (done) return;
  }
}

/** False where a second build was quicker: it took what was there, or put its own. */
function tryRename(from: string, to: string): boolean {
  try {
    fs.renameSync(from, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw error;
  }
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of paths.flatMap(listFiles).toSorted()) {
    hash
      .update(`${file}\0`)
      .update(fs.readFileSync(path.join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

function listFiles(name: string): string[] {
  const stat = fs.statSync(path.join(root, name), { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [name];
  return fs.readdirSync(path.join(root, name)).flatMap((entry) => listFiles(`${name}/${entry}`));
}

function readIfThere(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}
