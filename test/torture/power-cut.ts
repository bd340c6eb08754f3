// Cuts the power of a disk while a process writes the log to it, and looks whether everything that was acknowledged is
// there afterwards (LG6). To prove that it could find a loss, it does the same with synchronous NORMAL, which must lose.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Prng } from "../../src/base/prng.ts";
import { SqliteStore } from "../../src/adapters/store/sqlite-store.ts";
import { makeEvent } from "../contracts/sample-events.ts";
import { CuttableDisk, missingForPowerCuts } from "./power-cut-disk.ts";

type Sync = "full" | "normal";
type Cut = { readonly acknowledged: number; readonly found: number };

/** Set for the process that already has a mount namespace of its own. */
const insideMark = "SIGNALBOX_TORTURE_NAMESPACE";
const longestRunMs = 700;
/** The log goes on from cut to cut, until its small disk would be full. */
const cutsPerDisk = 10;
/** Now and then a careless cut falls right after a checkpoint and loses nothing; so many in a row do not. */
const carelessCutsMax = 20;

export async function powerCut(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: { cuts: { type: "string", default: "15" }, seed: { type: "string", default: String(Date.now() % 1e6) } },
  });
  const missing = missingForPowerCuts();
  if (missing !== undefined) {
    console.error(`power-cut cannot run here: ${missing}`);
    return false;
  }
  if (process.env[insideMark] === undefined)
    return await runInNamespace(["--cuts", values.cuts, "--seed", values.seed]);
  const chance = new Prng(Number(values.seed));
  console.log(`power-cut: ${values.cuts} cuts, seed ${values.seed}`);
  const isDurable = await cutFully(Number(values.cuts), chance);
  const canFail = await cutCarelessly(chance);
  return isDurable && canFail;
}

async function cutFully(cuts: number, chance: Prng): Promise<boolean> {
  let lost = 0;
  let acknowledged = 0;
  for (let first = 1; first <= cuts; first += cutsPerDisk) {
    const last = Math.min(cuts, first + cutsPerDisk - 1);
    const found = await withDisk(async (disk) => {
      const results: Cut[] = [];
      for (let at = first; at <= last; at++) {
        const cut = await cutOnce(disk, "full", chance);
        console.log(`cut ${at}: acknowledged up to ${cut.acknowledged}, found up to ${cut.found}`);
        results.push(cut);
      }
      return results;
    });
    acknowledged += found.at(-1)?.acknowledged ?? 0;
    lost += found.reduce((sum, cut) => sum + lostIn(cut), 0);
  }
  console.log(`${cuts} power cuts, ${acknowledged} acknowledged events, ${lost} lost`);
  return lost === 0;
}

async function cutCarelessly(chance: Prng): Promise<boolean> {
  return await withDisk(async (disk) => {
    for (let at = 1; at <= carelessCutsMax; at++) {
      const lost = lostIn(await cutOnce(disk, "normal", chance));
      if (lost === 0) continue;
      console.log(`with synchronous NORMAL: ${lost} acknowledged events lost at cut ${at}, so this test can fail`);
      return true;
    }
    console.log(`with synchronous NORMAL: nothing lost in ${carelessCutsMax} cuts, so this test proves nothing`);
    return false;
  });
}

function lostIn({ acknowledged, found }: Cut): number {
  return Math.max(0, acknowledged - found);
}

/** Lets a writer run for a while, cuts, starts again and reads the log. Throws when what is there is not whole. */
async function cutOnce(disk: CuttableDisk, sync: Sync, chance: Prng): Promise<Cut> {
  const log = path.join(disk.files, "log.db");
  const writerFile = fileURLToPath(import.meta.resolve("./power-cut-writer.ts"));
  const writer = spawn(process.execPath, [writerFile, log, sync, String(chance.u32())], { stdio: "pipe" });
  let acknowledged = 0;
  let complaints = "";
  const lines = createInterface({ input: writer.stdout });
  lines.on("line", (line) => (acknowledged = Number(line)));
  writer.stderr.on("data", (chunk: Buffer) => (complaints += chunk.toString("utf8")));
  const ended = once(writer, "close");
  await Promise.race([once(lines, "line"), ended]);
  if (acknowledged === 0) throw new Error(`the writer did not start:\n${complaints}`);
  await sleep(chance.between(1, longestRunMs));
  const beforeCut = acknowledged;
  disk.cut();
  writer.kill("SIGKILL");
  await ended;
  disk.restart();
  // A process that syncs each commit cannot acknowledge anything without power. One that does not may go on for a while
  // on a machine that is, in truth, off; that would count losses which nobody could have seen.
  return { acknowledged: sync === "full" ? acknowledged : beforeCut, found: await readWhole(log) };
}

/** Reads the log with every check, compares each event with what was written, and answers the last number. */
async function readWhole(log: string): Promise<number> {
  const store = SqliteStore.open({ path: log });
  try {
    for (let seq = 0; ;) {
      const page = await store.read(seq, 1000);
      if (page.length === 0) return seq;
      for (const event of page) {
        if (JSON.stringify(event) !== JSON.stringify(makeEvent(++seq)))
          throw new Error(`event ${seq} is not as written`);
      }
    }
  } finally {
    await store.close();
  }
}

async function withDisk<T>(work: (disk: CuttableDisk) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-power-"));
  try {
    const disk = CuttableDisk.make(folder);
    try {
      return await work(disk);
    } finally {
      disk.remove();
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function runInNamespace(args: readonly string[]): Promise<boolean> {
  const again = [process.execPath, path.join(import.meta.dirname, "main.ts"), "power-cut", ...args];
  const [program, ...options] = ["unshare", "--mount", "--propagation", "private", ...again];
  const child = spawn(program, options, { stdio: "inherit", env: { ...process.env, [insideMark]: "1" } });
  const [code] = (await once(child, "close")) as [number | null];
  return code === 0;
}
