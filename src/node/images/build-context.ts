// What a Dockerfile can see when it is built: itself and what it copies, as they stand in a commit. Nothing else of the
// project, and nothing of the machine; so an image is made anew when something in it would differ, and only then.

import { createHash } from "node:crypto";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { canonical } from "../../base/canonical.ts";
import { Fault } from "../../base/fault.ts";
import type { Mainline } from "../../ports/mainline.ts";

export type BuildContext = {
  /** The same for the same content. */
  readonly key: string;
  readonly write: (folder: string) => Promise<void>;
};

export async function readContext(mainline: Mainline, commit: string, dockerfile: string): Promise<BuildContext> {
  const entry = (await mainline.entriesAt(commit, [dockerfile])).get(dockerfile) ?? null;
  if (entry === null || !entry.startsWith("100")) {
    const message = `${dockerfile} is no file of the project at ${commit.slice(0, 12)}; commit it, or name another`;
    throw new Fault("image-failed", { retry: "never", message });
  }
  const text = new TextDecoder().decode(await mainline.readBlob(blobOf(entry)));
  const wanted = copiedPaths(text);
  const tree = await mainline.listTree(commit);
  const isWanted = (path: string): boolean =>
    path === dockerfile || path === ".dockerignore" || wanted.some((each) => isAt(each, path));
  const files = [...tree].filter(([path]) => isWanted(path));
  const key = createHash("sha256")
    .update(canonical([dockerfile, files]))
    .digest("hex");
  return { key, write: (folder) => writeAll(mainline, files, folder) };
}

/**
 * The paths that a Dockerfile takes from its surroundings, up to the first sign that is not plain; "" is all of them. A
 * line that we cannot read says "" as well: too much is built a second time, too little would not be built at all.
 */
export function copiedPaths(dockerfile: string): string[] {
  const lines = dockerfile.replaceAll(/\\[ \t]*\r?\n/g, " ").split(/\r?\n/);
  return [...new Set(lines.flatMap((line) => sourcesIn(line.trim())))];
}

function sourcesIn(line: string): string[] {
  const mounted = /^RUN\s.*--mount=/i.test(line) ? [""] : [];
  const copy = /^(?:ONBUILD\s+)?(?:COPY|ADD)\s+(.*)$/i.exec(line)?.[1];
  if (copy === undefined) return mounted;
  const flags = /^(?:--\S+\s+)*/.exec(copy)?.[0] ?? "";
  // From another image or an earlier stage.
  if (/--from=/.test(flags)) return [];
  const rest = copy.slice(flags.length).trim();
  const words = rest.startsWith("[") ? wordsOfList(rest) : rest.split(/\s+/);
  if (words === undefined || words.length < 2 || rest.includes("<<")) return [""];
  return words
    .slice(0, -1)
    .filter((word) => !/^https?:|^git@/.test(word))
    .map(toPlainPath);
}

function wordsOfList(text: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((each) => typeof each === "string") ? list : undefined;
  } catch {
    return undefined;
  }
}

function toPlainPath(word: string): string {
  const plain = /^[^*?[\\$"']*/.exec(word)?.[0] ?? "";
  const whole = plain === word ? word : plain.slice(0, plain.lastIndexOf("/") + 1);
  return normalize(`/${whole}`).slice(1).replace(/\/$/, "");
}

function isAt(wanted: string, path: string): boolean {
  return wanted === "" || path === wanted || path.startsWith(`${wanted}/`);
}

async function writeAll(
  mainline: Mainline,
  files: readonly (readonly [string, string])[],
  folder: string,
): Promise<void> {
  for (const [path, entry] of files) {
    const target = join(folder, path);
    const [mode = ""] = entry.split(":");
    // A submodule has no bytes of its own.
    if (mode === "160000") continue;
    await mkdir(dirname(target), { recursive: true });
    if (mode === "120000") await symlink(Buffer.from(await mainline.readBlob(blobOf(entry))).toString(), target);
    else {
      await mainline.copyBlob(blobOf(entry), target);
      await chmod(target, mode === "100755" ? 0o755 : 0o644);
    }
  }
}

function blobOf(entry: string): string {
  return entry.slice(entry.indexOf(":") + 1);
}
