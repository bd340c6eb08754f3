// Where agents live on this machine, and as whom. An ordinary person's agents are that person, inside a cage, and live in
// the daemon's home. A root daemon's agents are a user of their own, who can do nothing outside; what they need has to be
// where that user can go, so it is put into a folder of ours where it is not.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, copyFile, cp, link, mkdir, rename, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { isErrno } from "../errno.ts";

export type AgentGround = {
  /** Whether agents can read a path. */
  readonly canRead: (path: string) => Promise<boolean>;
  readonly folder: string;
  /** Where this and other daemons of the machine keep what agents need, if that is not in their homes. */
  readonly shared: readonly string[];
  readonly owner: { readonly uid: number; readonly gid: number };
  /** Whom keepers are started as; null is ourselves. */
  readonly as: { readonly uid: number; readonly gid: number } | null;
  /** The keeper's program, and the Node that runs it. */
  readonly main: string;
  readonly node: string;
};

/** Nobody's: far from the numbers that systems give to people, services and containers. */
const agentUid = 1_365_311_488;
const sharedFolder = "/var/lib/signalbox";
/** What the host of terminals needs beside our own files. */
const keeperPackages = ["@lydell/node-pty", `@lydell/node-pty-${process.platform}-${process.arch}`, "@xterm/headless"];
const source = join(import.meta.dirname, "../..");

/** Whom a root daemon's agents are; null where they are whoever the daemon is. */
export function agentUser(): AgentGround["as"] {
  return process.getuid?.() === 0 ? { uid: agentUid, gid: agentUid } : null;
}

export async function prepareGround(home: string, own: string): Promise<AgentGround> {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  const { execPath } = process;
  const main = join(source, "keeper/main.ts");
  if (uid !== 0) {
    await mkdir(own, { recursive: true, mode: 0o700 });
    return { folder: own, shared: [], owner: { uid, gid }, as: null, main, node: execPath, canRead: async () => true };
  }
  const agent = agentUser() ?? { uid, gid };
  const folder = await findFolder(home, own);
  const shared = [sharedFolder];
  if ((await canRead(main)) && (await canRead(execPath)))
    return { folder, shared, owner: agent, as: agent, main, node: execPath, canRead };
  const program = await copyProgram(execPath);
  return { folder, shared, owner: agent, as: agent, ...program, canRead };
}

/** In the home where agents can walk there, else in a folder for all, under the home's own name. */
async function findFolder(home: string, own: string): Promise<string> {
  await mkdir(own, { recursive: true, mode: 0o711 });
  // To walk through is not to look: everything in the home keeps its own permissions.
  for (const path of [home, dirname(own), own]) await chmod(path, 0o711);
  if (await canRead(own, "-x")) return own;
  const name = createHash("sha256").update(home).digest("hex").slice(0, 12);
  const folder = join(sharedFolder, name);
  await mkdir(folder, { recursive: true, mode: 0o711 });
  return folder;
}

/** What keepers run, where their user can read it: a few files of ours, and Node by another name. */
async function copyProgram(execPath: string): Promise<{ readonly main: string; readonly node: string }> {
  const { mtimeMs, size } = await stat(execPath);
  const stamp = createHash("sha256").update(`${source} ${execPath} ${mtimeMs} ${size}`).digest("hex").slice(0, 12);
  const folder = join(sharedFolder, `program-${stamp}`);
  const fresh = `${folder}.${process.pid}`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true, mode: 0o755 });
  for (const name of ["base", "protocol/keeper", "keeper"])
    await cp(join(source, name), join(fresh, "src", name), {
      recursive: true,
      filter: (path) => !path.includes(".test."),
    });
  await cp(join(source, "../package.json"), join(fresh, "package.json"));
  for (const name of keeperPackages) await copyPackage(name, join(fresh, "node_modules"));
  await link(execPath, join(fresh, "node")).catch(() => copyFile(execPath, join(fresh, "node")));
  await promisify(execFile)("chmod", ["-R", "a+rX", fresh]);
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder).catch((error: unknown) => {
    if (!isErrno(error, "ENOTEMPTY", "EEXIST")) throw error;
  });
  return { main: join(folder, "src/keeper/main.ts"), node: join(folder, "node") };
}

/** A package of ours, from wherever it is installed. */
async function copyPackage(name: string, folder: string): Promise<void> {
  const found =
    createRequire(import.meta.url)
      .resolve.paths(name)
      ?.map((path) => join(path, name)) ?? [];
  for (const path of found) {
    if ((await stat(join(path, "package.json")).catch(() => undefined)) === undefined) continue;
    return cp(path, join(folder, name), { recursive: true });
  }
}

async function canRead(path: string, how: "-r" | "-x" = "-r"): Promise<boolean> {
  const as = [`--reuid=${agentUid}`, `--regid=${agentUid}`, "--clear-groups"];
  return promisify(execFile)("setpriv", [...as, "test", how, path]).then(
    () => true,
    () => false,
  );
}
