import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { append, readAll } from "../../../test/contracts/event-store.contract.ts";
import { makeSqliteDisk, type SqliteDisk } from "../../../test/contracts/sqlite-disk.ts";
import { makeEvent } from "../../../test/contracts/sample-events.ts";
import type { Logged } from "../../core/events.ts";
import { evolve } from "../../core/evolve.ts";
import { type PlainState, toPlain } from "../../core/snapshot.ts";
import { makeState } from "../../core/state.ts";
import { exportLog, verifyLog } from "./log-tools.ts";
import { toSnapshotRecord } from "./snapshot-record.ts";
import type { SqliteStore } from "./sqlite-store.ts";

const history = fs.readFileSync(path.join(import.meta.dirname, "../../../test/histories/0.1.0/events.jsonl"), "utf8");
const lines = history.trimEnd().split("\n");
const events = lines.map((line) => JSON.parse(line) as Logged);

let disk: SqliteDisk;
let store: SqliteStore;
beforeEach(async () => {
  disk = makeSqliteDisk();
  store = disk.open();
  await append(store, events);
});
afterEach(async () => {
  await store.close();
  disk.remove();
});

function foldUpTo(seq: number): PlainState {
  const state = makeState();
  for (const event of events.slice(0, seq)) evolve(state, event);
  return toPlain(state);
}

describe("verifyLog", () => {
  test("[LG12] a whole log says so while a daemon writes it, and its snapshot equals the fold of its events", async () => {
    expect(verifyLog(disk.log)).toMatchObject({ isWhole: true, state: { verdict: "no-snapshot" } });
    await store.saveSnapshot(foldUpTo(100));
    const report = verifyLog(disk.log);
    expect(report).toMatchObject({
      isWhole: true,
      events: events.length,
      damage: null,
      state: { verdict: "equal", snapshotSeq: 100 },
    });
    expect(report.headHash).toMatch(/^[0-9a-f]{64}$/);
    expect(Object.values(report.eventsByType).reduce((sum, count) => sum + count, 0)).toBe(events.length);
    expect(store.lastSeq).toBe(events.length);
  });

  test("[LG12] a snapshot that says something else is found, with where and what", async () => {
    await store.saveSnapshot({ ...foldUpTo(100), nextFence: 999, wallOffsetMs: 1 });
    expect(verifyLog(disk.log)).toMatchObject({
      isWhole: false,
      damage: null,
      state: { verdict: "differs", snapshotSeq: 100, seq: 100, fields: ["wallOffsetMs", "nextFence"] },
    });
  });

  test("[LG3] damage is named, and everything before it counted", async () => {
    await store.saveSnapshot(foldUpTo(200));
    await store.close();
    disk.flipByte(150);
    expect(verifyLog(disk.log)).toMatchObject({
      isWhole: false,
      events: 149,
      damage: { seq: 150, kind: "checksum" },
      state: { verdict: "not-reached", snapshotSeq: 200 },
    });
    store = disk.open();
  });

  test("[LG4] a missing end is damage", async () => {
    await store.close();
    disk.deleteRecord(events.length);
    expect(verifyLog(disk.log)).toMatchObject({ isWhole: false, damage: { seq: events.length, kind: "missing" } });
    store = disk.open();
  });

  test("[LG14] an event of a newer release is reported by its number and version", async () => {
    const newer = { ...makeEvent(events.length + 1), v: 9 } as unknown as Logged;
    await append(store, [newer]);
    expect(verifyLog(disk.log)).toMatchObject({
      isWhole: false,
      damage: null,
      state: { verdict: "unreadable", seq: events.length + 1, reason: expect.stringContaining("version 9") as string },
    });
  });

  test("an event that cannot have happened is reported", async () => {
    await append(store, [makeEvent(events.length + 1)]);
    expect(verifyLog(disk.log)).toMatchObject({
      isWhole: false,
      state: { verdict: "unreadable", seq: events.length + 1 },
    });
  });

  test("[LG11] a snapshot of another log is not compared with this one", async () => {
    const { seq, body, checksum } = toSnapshotRecord(foldUpTo(50), "");
    disk.tamper("INSERT INTO snapshots VALUES (?, ?, ?, ?)", seq, "f".repeat(64), body, checksum);
    expect(verifyLog(disk.log)).toMatchObject({ isWhole: true, state: { verdict: "no-snapshot" } });
  });

  test("a log that is not there is a fault", () => {
    expect(() => verifyLog(`${disk.log}-nowhere`)).toThrow(expect.objectContaining({ code: "store-unavailable" }));
    expect(fs.existsSync(`${disk.log}-nowhere`)).toBe(false);
  });
});

describe("exportLog", () => {
  test("[LG16] gives every event as it was written, in order", async () => {
    expect([...exportLog(disk.log)]).toEqual(lines);
    expect(await readAll(store)).toEqual(events);
  });

  test("[LG16] a range includes both ends, and a type picks from it", () => {
    expect([...exportLog(disk.log, { from: 10, to: 12 })]).toEqual(lines.slice(9, 12));
    expect([...exportLog(disk.log, { from: 399_999 })]).toEqual([]);
    const moved = [...exportLog(disk.log, { to: 100, type: "run.moved" })].map((line) => JSON.parse(line) as Logged);
    expect(moved).toEqual(events.filter(({ seq, type }) => seq <= 100 && type === "run.moved"));
  });

  test("[LG16] at damage it stops with a fault, after everything before it", async () => {
    await store.close();
    disk.flipByte(150);
    const given: string[] = [];
    expect(() => {
      for (const line of exportLog(disk.log)) given.push(line);
    }).toThrow(/event 150 is damaged/);
    expect(given).toEqual(lines.slice(0, 149));
    store = disk.open();
  });

  test("more than a page comes out whole", async () => {
    await append(
      store,
      Array.from({ length: 2500 }, (_, at) => makeEvent(events.length + 1 + at)),
    );
    expect([...exportLog(disk.log)]).toHaveLength(events.length + 2500);
    expect([...exportLog(disk.log, { from: 1000, to: 2000 })]).toHaveLength(1001);
  });
});
