// Where agents live on this machine, and as whom. An ordinary person's agents are that person, inside a cage, and live in
// the daemon's home. A root daemon's agents are a user of their own, who can do nothing outside; what they need has to be
// where that user can go, so it is put into a folder of ours where it is not.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cacheFrom } from "../../protocol/home.ts";
import { asUser } from "../../protocol/keeper/keeper-command.ts";
import { copyProgram, findSource } from "./keeper-program.ts";
import { readableStaged } from "./staging.ts";

export type AgentGround = {
  /** Whether agents can read a path. */
  readonly canRead: (path: string) => Promise<boolean>;
  /** Which paths they could read, were these handed to their keepers. */
  readonly canReadStaged: (paths: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Where keepers find what is handed to them; of use to a root daemon only. */
  readonly stage: string;
  readonly folder: string;
  /** What keepers make once and use again: losing it costs time. */
  readonly cache: string;
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
const stageName = "staged";
/** Whether we were built is seen from where this file really is. */
const source = findSource(dirname(import.meta.filename), join(import.meta.dirname, "../.."));

/** Whom a root daemon's agents are; null where they are whoever the daemon is. */
export function agentUser(): AgentGround["as"] {
  return process.getuid?.() === 0 ? { uid: agentUid, gid: agentUid } : null;
}

/** Where agents of a root daemon live whose user cannot walk to its home. */
export function groundOutside(home: string): string {
  return join(sharedFolder, createHash("sha256").update(home).digest("hex").slice(0, 12));
}

export async function prepareGround(home: string, own: string): Promise<AgentGround> {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  const { execPath } = process;
  if (uid !== 0) {
    await mkdir(own, { recursive: true, mode: 0o700 });
    const cache = cacheFor(uid, cacheFrom(process.env));
    const program = await copyProgram({ source, execPath, withNode: false, shared: cache });
    const ground = { folder: own, cache, shared: [], owner: { uid, gid }, as: null, ...program };
    return { ...ground, ...sightOf(join(own, stageName)) };
  }
  const agent = agentUser() ?? { uid, gid };
  const folder = await findFolder(home, own);
  const withNode = !(await canRead(execPath));
  const program = await copyProgram({ source, execPath, withNode, shared: sharedFolder });
  // The agents of all homes are one user: what one of them could write without a cage, another would run.
  const cache = cacheFor(agent.uid, join(folder, "cache"));
  const ground = { folder, cache, shared: [sharedFolder], owner: agent, as: agent, ...program };
  return { ...ground, ...sightOf(join(folder, stageName)) };
}

/** Where agents of a home live, as far as that was ever prepared. */
export async function findGround(home: string, own: string): Promise<string | undefined> {
  for (const folder of process.getuid?.() === 0 ? [own, groundOutside(home)] : [own]) {
    const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() === true;
    if (isFolder && (agentUser() === null || (await canRead(folder, "-x")))) return folder;
  }
  return undefined;
}

/** What agents can read. An ordinary person's agents are that person. */
export function sightOf(stage: string): Pick<AgentGround, "stage" | "canRead" | "canReadStaged"> {
  const as = agentUser();
  return {
    stage,
    canRead: as === null ? async () => true : (path) => canRead(path),
    canReadStaged: async (paths) => (as === null ? new Set() : readableStaged(stage, paths, as)),
  };
}

/** Whoever starts many daemons that trust each other names a folder for them all. */
function cacheFor(uid: number, usual: string): string {
  const named = process.env["SIGNALBOX_CACHE"];
  return named === undefined || named === "" ? usual : join(named, String(uid));
}

/** In the home where agents can walk there, else in a folder for all, under the home's own name. */
async function findFolder(home: string, own: string): Promise<string> {
  await mkdir(own, { recursive: true, mode: 0o711 });
  // To walk through is not to look: everything in the home keeps its own permissions.
  for (const path of [home, dirname(own), own]) await chmod(path, 0o711);
  if (await canRead(own, "-x")) return own;
  const folder = groundOutside(home);
  await mkdir(folder, { recursive: true, mode: 0o711 });
  return folder;
}

async function canRead(path: string, how: "-r" | "-x" = "-r"): Promise<boolean> {
  const [file = "", ...args] = asUser({ uid: agentUid, gid: agentUid }, ["test", how, path]);
  return promisify(execFile)(file, args).then(
    () => true,
    () => false,
  );
}
