// Tries, for real, what the daemon needs of this machine, and says what to do about what does not work.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkLog } from "../adapters/store/check-log.ts";
import { SqliteStore } from "../adapters/store/sqlite-store.ts";
import { lackOf, spaceOf } from "../node/disk/ground-disk.ts";
import { agentUser, findGround } from "../node/keepers/agent-ground.ts";
import { ImageTool } from "../node/images/image-tool.ts";
import { probeCage } from "../node/keepers/probe-cage.ts";
import { inTrialFolder } from "../node/trial-folder.ts";
import { diskVariable, memoryVariable, readUsualLimits, sayLimits } from "../node/workspace/usual-limits.ts";
import { homePaths } from "../protocol/home.ts";
import type { DoctorReport } from "../protocol/wire/status.ts";
import { checkToolchains } from "./check-toolchains.ts";

type Check = DoctorReport["checks"][number];
type Trial = { readonly name: string; readonly fix: string; readonly try: (folder: string) => Promise<string> };

const nodeMajorMin = 24;
const freeBytesMin = 512 * 1024 * 1024;
const logMsMax = 10_000;

/** Runs every check. None depends on another, and one that throws has failed. */
export async function examine(home: string): Promise<DoctorReport> {
  // Where there is a home already, what is tried lies in it: a doctor that is killed in the middle leaves nothing that has no owner.
  const ground = [await findGround(home, homePaths(home).node)].filter((folder) => folder !== undefined);
  const checks: Check[] = [];
  try {
    await inTrialFolder([...ground, tmpdir()], async (folder) => {
      for (const trial of trials(home)) checks.push(await run(trial, folder));
    });
  } catch (error) {
    return { ok: false, checks: [await run({ ...noTemp, try: () => Promise.reject(toError(error)) }, "")] };
  }
  checks.push(await tryImages(), await checkToolchains(home, ground));
  for (const { part, ok, needed, detail, fallback } of await probeCage({ as: agentUser(), folder: ground[0] }))
    checks.push({ name: part, ok, needed, detail, fix: fallback });
  return { ok: checks.every((check) => check.ok || !check.needed), checks };
}

const noTemp = { name: "temp", fix: "set TMPDIR to a folder that exists and can be written" };

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

const privacyFix =
  process.getuid?.() === 0
    ? "chmod 711, so that only you can read it and agents walk through, or set SIGNALBOX_HOME to another folder"
    : "set SIGNALBOX_HOME to a folder that only you can read";

function trials(home: string): Trial[] {
  return [
    { name: "node", fix: `install Node ${nodeMajorMin} or newer, or run npm run setup`, try: async () => tryNode() },
    { name: "privacy", fix: privacyFix, try: () => tryHome(home) },
    { name: "disk", fix: "free some space, or set SIGNALBOX_HOME to another disk", try: () => tryDisk(home) },
    { name: "store", fix: "run npm run setup again; the log needs SQLite with WAL and full sync", try: tryStore },
    {
      name: "log",
      fix: "see docs/operating/recovery.md: put a copy back, or export what is whole",
      try: () => tryLog(home),
    },
    { name: "locks", fix: "a project is locked by an abstract socket, which needs Linux", try: tryLock },
    {
      name: "shares",
      fix: `mend ${memoryVariable} or ${diskVariable} in the daemon's environment`,
      try: async () => sayLimits(readUsualLimits(process.env)),
    },
    { name: "git", fix: "apt-get install git; projects are versioned with it", try: tryGit },
  ];
}

async function run(trial: Trial, folder: string): Promise<Check> {
  try {
    return { name: trial.name, ok: true, needed: true, detail: await trial.try(folder), fix: null };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name: trial.name, ok: false, needed: true, detail, fix: trial.fix };
  }
}

/** Whoever uses no image needs nothing for them. */
async function tryImages(): Promise<Check> {
  const found = await ImageTool.find(process.env);
  const check = { name: "images", needed: false };
  if (found instanceof ImageTool)
    return { ...check, ok: true, detail: `images are got with ${found.name} ${found.version}`, fix: null };
  const fix = "apt-get install podman uidmap, or start docker; without it no run can work in an image";
  return { ...check, ok: false, detail: found.missing, fix };
}

function tryNode(): string {
  const major = Number.parseInt(process.versions.node, 10);
  if (major < nodeMajorMin) throw new Error(`this is Node ${process.versions.node}`);
  return `Node ${process.versions.node}`;
}

async function tryHome(home: string): Promise<string> {
  const info = await stat(home).catch(() => undefined);
  if (info === undefined) return `${home} will be made at the first start`;
  // A root daemon lets its agents walk through, to what is theirs.
  const others = process.getuid?.() === 0 ? 0o066 : 0o077;
  if ((info.mode & others) !== 0) throw new Error(`${home} can be read by others`);
  if (process.getuid?.() !== 0 || !existsSync(join(homePaths(home).node, "keepers"))) return `${home} is yours alone`;
  if ((info.mode & 0o001) === 0)
    throw new Error(
      `${home} is closed to the user that agents are, so none can begin; open it with: chmod 711 ${home}`,
    );
  return `${home} is yours alone, and agents walk through it (711)`;
}

async function tryDisk(home: string): Promise<string> {
  const folder = (await stat(home).catch(() => undefined)) === undefined ? tmpdir() : home;
  const space = await spaceOf(folder);
  const files = space.files === undefined ? "" : `, and room for ${space.files.free} more files`;
  const said = `${Math.round(space.freeBytes / 1024 / 1024)} MiB free${files}`;
  if (lackOf(space, freeBytesMin) !== undefined) throw new Error(`${said} in ${folder}`);
  return said;
}

async function tryStore(folder: string): Promise<string> {
  const store = SqliteStore.open({ path: join(folder, "log.db") });
  const opened = { type: "engine.opened", v: 1, version: "doctor", wallMs: 0 } as const;
  const fault = await new Promise((resolve) =>
    store.append([{ ...opened, seq: 1, atMs: 1, cause: null, actor: "system" }], resolve),
  );
  const read = await store.read(0, 10);
  await store.close();
  if (fault !== null || read.length !== 1) throw new Error("an event was written and not found again");
  return "an event was written, synced and read back";
}

/** Every record that there is time for. A log that was damaged on the disk shows only when somebody looks. */
async function tryLog(home: string): Promise<string> {
  const { log } = homePaths(home);
  if ((await stat(log).catch(() => undefined)) === undefined) return "there is none yet";
  const { checked, events, damage } = await checkLog(log, logMsMax);
  if (damage !== null) {
    const place = damage.seq === 0 ? log : `event ${damage.seq} of ${events} in ${log}`;
    throw new Error(`${place} is damaged: ${damage.reason}`);
  }
  if (checked >= events) return `all ${events} events are whole`;
  return `the first ${checked} of ${events} events are whole; for the rest there was no time: signalbox log verify`;
}

async function tryLock(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(`\0signalbox-doctor-${process.pid}`, resolve);
  });
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return "an abstract socket could be taken and given back";
}

function tryGit(): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", ["--version"], { stdio: ["ignore", "pipe", "ignore"] });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    child.once("error", () => reject(new Error("git is not there")));
    child.once("close", () => resolve(said.trim()));
  });
}
