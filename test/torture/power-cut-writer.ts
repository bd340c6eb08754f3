// The process whose power is cut: appends events as a daemon would and prints each number that the store acknowledged.

import fs from "node:fs";
import { Prng } from "../../src/base/prng.ts";
import { connectSqlite, type Connect } from "../../src/adapters/store/sqlite-connection.ts";
import { SqliteStore } from "../../src/adapters/store/sqlite-store.ts";
import type { Fault } from "../../src/base/fault.ts";
import { toPlain } from "../../src/core/snapshot.ts";
import { makeState } from "../../src/core/state.ts";
import { eventsFrom } from "../contracts/sample-events.ts";

const [log = "", sync = "full", seed = "1"] = process.argv.slice(2);
const chance = new Prng(Number(seed));
const batchMax = 40;
const snapshotChance = 0.02;

const store = SqliteStore.open(sync === "normal" ? { path: log, connect: connectCarelessly } : { path: log });
for (;;) {
  const fault = await append(chance.between(1, batchMax));
  if (fault !== null) fail(fault);
  fs.writeSync(1, `${store.lastSeq}\n`);
  if (chance.chance(snapshotChance)) await store.saveSnapshot(largeSnapshot()).catch(fail);
}

function append(count: number): Promise<Fault | null> {
  return new Promise((resolve) => {
    store.append(eventsFrom(store.lastSeq + 1, count), resolve);
  });
}

/** Large enough that its transaction fills the WAL and a checkpoint follows. */
function largeSnapshot(): ReturnType<typeof toPlain> {
  const keyed = Array.from({ length: 20_000 }, (_, at) => `c_${at}`);
  const ended = { keyed, keyless: [] };
  return { ...toPlain({ ...makeState(), seq: store.lastSeq, atMs: store.lastSeq }), ended };
}

/** Without power, nothing can be done any more: leave at once, without tidying up. */
function fail(error: unknown): never {
  fs.writeSync(2, `${String(error)}\n`);
  process.kill(process.pid, "SIGKILL");
  throw error;
}

/** Syncs less than was asked for and says that it does not: the store must not be able to tell. */
function connectCarelessly(...[file, options]: Parameters<Connect>): ReturnType<Connect> {
  const db = connectSqlite(file, options);
  const honest = db.pragma.bind(db);
  db.pragma = (source, how) => {
    if (source === "synchronous") return 2;
    return honest(source === "synchronous = 2" ? "synchronous = NORMAL" : source, how);
  };
  return db;
}
