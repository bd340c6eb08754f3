// Control groups for keepers: the daemon makes them, hands them to the user that the keeper runs as, and takes them away
// when the keeper is gone. Where the machine does not let us, there are none, and limits hold for each process by itself.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { isErrno } from "../../os/errno.ts";

export type GroupOwner = { readonly uid: number; readonly gid: number } | null;

type Hierarchy =
  | { readonly tier: "cgroup2"; readonly base: string }
  | { readonly tier: "cgroup1"; readonly memory: string; readonly pids: string; readonly cpu: string | undefined };

const ownName = "signalbox";
const mountPoint = "/sys/fs/cgroup";

let known: Promise<Hierarchy | undefined> | undefined;

/** Groups are shared by the whole machine; those of one daemon are known by the folder that its keepers are in. */
export function groupPrefixOf(folder: string): string {
  return `${createHash("sha256").update(folder).digest("hex").slice(0, 10)}-`;
}

/** Makes the groups of one keeper, as `keeperArgv` wants them. */
export async function makeGroups(name: string, owner: GroupOwner): Promise<string[]> {
  known ??= findHierarchy();
  const hierarchy = await known;
  if (hierarchy === undefined) return [];
  if (hierarchy.tier === "cgroup1") {
    const [memory, pids] = [join(hierarchy.memory, name), join(hierarchy.pids, name)];
    for (const folder of [memory, pids]) handOver(folder, owner, []);
    handOver(memory, owner, ["cgroup.procs", "memory.limit_in_bytes"]);
    handOver(pids, owner, ["cgroup.procs", "pids.max"]);
    const groups = [`memory=${memory}`, `pids=${pids}`];
    if (hierarchy.cpu === undefined) return groups;
    const cpu = join(hierarchy.cpu, name);
    handOver(cpu, owner, []);
    handOver(cpu, owner, ["cgroup.procs", "cpu.cfs_period_us", "cpu.cfs_quota_us"]);
    return [...groups, `cpu=${cpu}`];
  }
  const folder = join(hierarchy.base, name);
  handOver(folder, owner, ["cgroup.procs", "cgroup.subtree_control", "cgroup.threads"]);
  handOver(join(folder, "keeper"), owner, ["cgroup.procs"]);
  return [`2=${folder}`];
}

/** In the newer kind, whoever moves processes has to be inside himself. */
export function enterGroups(groups: readonly string[], pid: number): void {
  const unified = groups.find((group) => group.startsWith("2="))?.slice(2);
  if (unified !== undefined) writeFileSync(join(unified, "keeper", "cgroup.procs"), String(pid));
}

/** Takes away what is left of keepers whose names begin like this, but for those that are meant to be there. */
export async function sweepGroups(prefix: string, keep: ReadonlySet<string>): Promise<void> {
  for (const [name, folders] of await groupsLike(prefix)) if (!keep.has(name)) folders.forEach(removeFolder);
}

/** The groups of keepers whose names begin like this, by name: each is a folder, or several. */
export async function groupsLike(prefix: string): Promise<Map<string, string[]>> {
  known ??= findHierarchy();
  const hierarchy = await known;
  const found = new Map<string, string[]>();
  if (hierarchy === undefined) return found;
  for (const base of basesOf(hierarchy))
    for (const name of readdirSync(base).filter((each) => each.startsWith(prefix)))
      found.set(name, [...(found.get(name) ?? []), join(base, name)]);
  return found;
}

function basesOf(hierarchy: Hierarchy): string[] {
  if (hierarchy.tier === "cgroup2") return [hierarchy.base];
  return [hierarchy.memory, hierarchy.pids, ...(hierarchy.cpu === undefined ? [] : [hierarchy.cpu])];
}

/** Everybody in a group, and in those below it. */
export function pidsInGroup(folder: string): number[] {
  try {
    const own = readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean).map(Number);
    const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [...own, ...below.flatMap(({ name }) => pidsInGroup(join(folder, name)))];
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENODEV", "EOPNOTSUPP")) return [];
    throw error;
  }
}

/** Takes the groups of a keeper away, with those that it made below. Those that somebody is still in stay: it answers them. */
export function removeGroups(groups: readonly string[]): string[] {
  return groups.filter((group) => {
    const folder = normalize(group.slice(group.indexOf("=") + 1));
    if (!folder.startsWith(`${mountPoint}/`)) return false;
    removeFolder(folder);
    return existsSync(folder);
  });
}

/** Which kind of groups keepers get on this machine. */
export async function groupTier(): Promise<"cgroup2" | "cgroup1" | "prlimit"> {
  known ??= findHierarchy();
  return (await known)?.tier ?? "prlimit";
}

function handOver(folder: string, owner: GroupOwner, files: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  if (owner === null) return;
  for (const path of [folder, ...files.map((file) => join(folder, file))]) {
    if (existsSync(path)) chownSync(path, owner.uid, owner.gid);
  }
}

/** Takes a group away with those below, as far as nobody is in them. */
export function removeFolder(folder: string): void {
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) removeFolder(join(folder, entry.name));
    }
    rmdirSync(folder);
  } catch (error) {
    if (!isErrno(error, "ENOENT", "EBUSY", "EACCES", "EPERM", "ENOTEMPTY", "EROFS")) throw error;
  }
}

async function findHierarchy(): Promise<Hierarchy | undefined> {
  const own = ownGroup();
  for (const above of own === undefined ? [mountPoint] : [mountPoint, dirname(own), own]) {
    const base = join(above, ownName);
    if (await works(() => makeUnified(above, base), base)) return { tier: "cgroup2", base };
  }
  const folderOf = (controller: string): string => join(mountPoint, controller, ownName);
  const [memory, pids, cpu] = [folderOf("memory"), folderOf("pids"), folderOf("cpu")];
  const isGood = (folder: string): Promise<boolean> => works(() => mkdirSync(folder, { recursive: true }), folder);
  if (!existsSync(join(mountPoint, "memory", "memory.limit_in_bytes"))) return undefined;
  if (!(await isGood(memory)) || !(await isGood(pids))) return undefined;
  const hasCpu = existsSync(join(mountPoint, "cpu", "cpu.cfs_quota_us")) && (await isGood(cpu));
  return { tier: "cgroup1", memory, pids, cpu: hasCpu ? cpu : undefined };
}

/** The group that we are in ourselves, in the newer kind. */
function ownGroup(): string | undefined {
  const path = /^0::(\/.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
  return path === undefined || path === "/" ? undefined : join(mountPoint, path);
}

function makeUnified(above: string, base: string): void {
  const wordsOf = (path: string): string[] => readFileSync(path, "utf8").split(/\s+/);
  const there = wordsOf(join(above, "cgroup.controllers"));
  if (!["memory", "pids"].every((each) => there.includes(each)))
    throw new Error("without the controllers that we need");
  const wanted = ["memory", "pids", "cpu"].filter((each) => there.includes(each));
  const plus = wanted.map((each) => `+${each}`).join(" ");
  const given = wordsOf(join(above, "cgroup.subtree_control"));
  if (!wanted.every((each) => given.includes(each))) writeFileSync(join(above, "cgroup.subtree_control"), plus);
  mkdirSync(base, { recursive: true });
  writeFileSync(join(base, "cgroup.subtree_control"), plus);
}

/** Tries for real: a process of ours is put into a group below. */
async function works(make: () => void, base: string): Promise<boolean> {
  const trial = join(base, `trial-${process.pid}`);
  try {
    make();
    mkdirSync(trial, { recursive: true });
  } catch {
    return false;
  }
  const child = spawn("sleep", ["30"], { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("close", resolve).once("error", resolve));
  try {
    writeFileSync(join(trial, "cgroup.procs"), String(child.pid));
    return true;
  } catch {
    return false;
  } finally {
    child.kill("SIGKILL");
    await ended;
    removeFolder(trial);
  }
}
