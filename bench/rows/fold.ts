// Starting up: folding a log, every record checked, against merely parsing its lines; and what a snapshot saves.

import fs from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { foldLog } from "../../src/engine/fold-log.ts";
import type { Contender, Work } from "../harness/contender.ts";
import { ownCpuMs } from "../harness/cpu.ts";
import { EngineLoad } from "./engine-load.ts";
import type { RowMaker } from "./row-maker.ts";

const writers = 512;

export const fold: RowMaker = {
  name: "fold",
  programs: [],
  make: async (peers, { logEvents }) => {
    const file = path.join(fs.mkdtempSync(path.join(peers.folder, "fold-")), "log.db");
    await writeLog(file, Math.min(20_000, logEvents));
    dropSnapshots(file);
    const lines = readLines(file);
    return {
      name: "fold",
      title: `start from a log of ${lines.length} events, checked and folded, against JSON.parse of its lines`,
      ops: "events",
      ours: opening("signalbox", file),
      others: [parsing(lines)],
      comparisons: [{ against: "JSON.parse", measure: "rate" }],
      leftOut: [],
      close: () => undefined,
    };
  },
};

export const snapshot: RowMaker = {
  name: "snapshot",
  programs: [],
  make: async (peers, { logEvents }) => {
    const folder = fs.mkdtempSync(path.join(peers.folder, "snapshot-"));
    const [with_, without] = [path.join(folder, "with.db"), path.join(folder, "without.db")];
    await writeLog(with_, logEvents);
    fs.copyFileSync(with_, without);
    dropSnapshots(without);
    return {
      name: "snapshot",
      title: `start from a log of ${logEvents} events with a snapshot, against without`,
      ops: "starts",
      ours: starting("with a snapshot", with_),
      others: [starting("without", without)],
      comparisons: [
        { against: "without", measure: "rate" },
        { against: "without", measure: "cpu" },
      ],
      leftOut: [],
      close: () => undefined,
    };
  },
};

async function writeLog(file: string, events: number): Promise<void> {
  const load = await EngineLoad.open(EngineLoad.openStore(file));
  const loop = async (writer: number): Promise<void> => {
    while (load.engine.state.seq < events) await load.step(writer);
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => loop(writer)));
  await load.engine.close();
}

function dropSnapshots(file: string): void {
  const db = new Database(file);
  db.exec("DELETE FROM snapshots; VACUUM");
  db.close();
}

function readLines(file: string): string[] {
  const db = new Database(file, { readonly: true });
  const lines = db.prepare<[], string>("SELECT body FROM events ORDER BY seq").pluck().all();
  db.close();
  return lines;
}

/** Counts events. */
function opening(name: string, file: string): Contender {
  return {
    name,
    cpuMs: ownCpuMs,
    work: async (sliceMs) => repeat(sliceMs, async () => start(file)),
  };
}

/** Counts starts: with a snapshot there are few events to count. */
function starting(name: string, file: string): Contender {
  return {
    name,
    cpuMs: ownCpuMs,
    work: async (sliceMs) =>
      repeat(sliceMs, async () => {
        await start(file);
        return 1;
      }),
  };
}

async function start(file: string): Promise<number> {
  const store = EngineLoad.openStore(file);
  const { state } = await foldLog(store);
  await store.close();
  return state.seq;
}

function parsing(lines: readonly string[]): Contender {
  return {
    name: "JSON.parse",
    cpuMs: ownCpuMs,
    work: async (sliceMs) =>
      repeat(sliceMs, async () => {
        let parsed = 0;
        for (const line of lines) if ((JSON.parse(line) as { seq: number }).seq > 0) parsed++;
        return parsed;
      }),
  };
}

async function repeat(sliceMs: number, once: () => Promise<number>): Promise<Work> {
  const untilMs = performance.now() + sliceMs;
  let ops = 0;
  do {
    ops += await once();
  } while (performance.now() < untilMs);
  return { ops, errors: 0 };
}
