// The keeper's program, copied to where it stays as it is, and where a root daemon's agents can read it. A copy is named after what is
// in it and never changed: keepers load parts of it long after they were started, while other daemons of the machine come and
// go, and while Signalbox is upgraded beneath them.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, cp, link, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { isErrno } from "../../os/errno.ts";

/** What the host of terminals needs beside our own files. */
const keeperPackages = ["@lydell/node-pty", `@lydell/node-pty-${process.platform}-${process.arch}`, "@xterm/headless"];
export const keeperSources = ["base", "protocol/bound-counts.ts", "protocol/keeper", "protocol/limits.ts", "keeper"];
/** Where the same is beside a daemon that was built: as scripts, which take less memory to run. */
export const builtKeeper = "keeper/src";
/** Whoever has chosen a copy has started its keeper long before this is over. */
const idleMsMax = 3_600_000;

export type KeeperProgram = { readonly main: string; readonly node: string };

/** Where our own files are: those that were built with whoever runs in `program`, else the sources. */
export function findSource(program: string, source: string): string {
  const built = join(program, builtKeeper);
  return isBuilt(built) ? built : source;
}

/** `source` is where our own files are, `shared` where copies go. Node goes along where agents could not read it where it is. */
export async function copyProgram(where: {
  readonly source: string;
  readonly execPath: string;
  readonly withNode: boolean;
  readonly shared: string;
}): Promise<KeeperProgram> {
  const { source, shared, execPath, withNode } = where;
  const folder = join(shared, `program-${await stampOf(where)}`);
  const now = new Date();
  const isThere = await utimes(folder, now, now).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    await mkdir(shared, { recursive: true, mode: 0o711 });
    const fresh = await mkdtemp(`${folder}.`);
    for (const name of namesIn(source))
      await cp(join(source, name), join(fresh, "src", name), { recursive: true, filter: isOurs });
    await cp(join(source, "../package.json"), join(fresh, "package.json"));
    for (const name of keeperPackages) await copyPackage(name, join(fresh, "node_modules"));
    if (withNode) await link(execPath, join(fresh, "node")).catch(() => copyFile(execPath, join(fresh, "node")));
    await promisify(execFile)("chmod", ["-R", "a+rX", fresh]);
    await rename(fresh, folder).catch(async (error: unknown) => {
      // Another daemon was first, with the very same.
      if (!isErrno(error, "ENOTEMPTY", "EEXIST")) throw error;
      await rm(fresh, { recursive: true, force: true });
    });
    await removeIdle(shared, folder);
  }
  return {
    main: join(folder, "src", isBuilt(source) ? "keeper/main.js" : "keeper/main.ts"),
    node: withNode ? join(folder, "node") : execPath,
  };
}

/** By content, and by the machine's start: what was not on the disk yet when the power went is not taken for whole. */
async function stampOf({ source, execPath, withNode }: Parameters<typeof copyProgram>[0]): Promise<string> {
  const hash = createHash("sha256").update(await readFile("/proc/sys/kernel/random/boot_id"));
  const { mtimeMs, size } = await stat(execPath);
  hash.update(`${execPath} ${mtimeMs} ${size} ${withNode}\n`);
  hash.update(await readFile(join(source, "../package.json")));
  for (const name of namesIn(source))
    for (const file of await filesIn(join(source, name))) hash.update(`${file}\n`).update(await readFile(file));
  return hash.digest("hex").slice(0, 12);
}

function namesIn(source: string): string[] {
  return keeperSources.map((name) => (isBuilt(source) ? name.replace(/\.ts$/, ".js") : name));
}

function isBuilt(source: string): boolean {
  return existsSync(join(source, "keeper/main.js"));
}

async function filesIn(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.filter(isOurs).toSorted();
}

/** Removes copies that nobody has chosen for a while and no process was started from. */
async function removeIdle(shared: string, chosen: string): Promise<void> {
  const copies = (await readdir(shared))
    .filter((name) => name.startsWith("program-"))
    .map((name) => join(shared, name));
  const running = await commandLines();
  for (const folder of copies) {
    const age = Date.now() - (await stat(folder).then(({ mtimeMs }) => mtimeMs, Date.now));
    if (folder === chosen || age < idleMsMax || running.includes(`${folder}/`)) continue;
    await rm(folder, { recursive: true, force: true });
  }
}

async function commandLines(): Promise<string> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return lines.join("\n");
}

function isOurs(path: string): boolean {
  return !path.includes(".test.");
}

/** A package of ours, from wherever it is installed. */
async function copyPackage(name: string, folder: string): Promise<void> {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const path of paths.map((found) => join(found, name))) {
    if ((await stat(join(path, "package.json")).catch(() => undefined)) === undefined) continue;
    return cp(path, join(folder, name), { recursive: true });
  }
}
