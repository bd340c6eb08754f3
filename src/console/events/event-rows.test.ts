import { describe, expect, test, vi } from "vitest";
import { protocolError } from "../../protocol/errors.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { FoundRows, LogRows, type ReadEvents, rowsMax } from "./event-rows.ts";

/** A daemon whose answers come from outside, in a turn of their own. */
function fromAfar(ask: ReadEvents): ReadEvents {
  return async (range, signal) => {
    await settle();
    return ask(range, signal);
  };
}

function makeLog(length: number, isWanted: (seq: number) => boolean = () => true) {
  const asked: string[] = [];
  const log = { length };
  const ask: ReadEvents = async (range) => {
    asked.push(JSON.stringify(range));
    const seqs: number[] = [];
    if ("before" in range) {
      for (let seq = range.before - 1; seq > 0 && seqs.length < range.limit; seq--) if (isWanted(seq)) seqs.push(seq);
    } else {
      for (let seq = range.after + 1; seq <= log.length && seqs.length < range.limit; seq++)
        if (isWanted(seq)) seqs.push(seq);
    }
    const isFull = seqs.length === range.limit;
    const last = seqs.at(-1) ?? 0;
    const next = "before" in range ? (isFull ? last : 1) : isFull ? last : log.length;
    const events = seqs.map((seq): LogEvent => ({ seq, atMs: seq, type: "x", v: 1, cause: null, actor: "system" }));
    return { events, next, more: isFull, at: log.length };
  };
  return { ask, asked, log };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const seqsOf = (rows: LogRows | FoundRows, from: number, to: number): (number | undefined)[] =>
  Array.from({ length: to - from }, (_, at) => rows.at(from + at)?.seq);

describe("whoever asks while an answer is on its way", () => {
  test("of the whole log leaves the page its turn, and has what is in sight by then", async () => {
    const { ask, asked } = makeLog(100_000);
    const rows = new LogRows(fromAfar(ask), 100_000);
    for (const from of [0, 20_000, 99_000]) rows.see(from, from + 10);
    await expect.poll(() => rows.at(99_000)?.seq).toBe(1000);
    expect(asked).toHaveLength(2);
  });

  test("of what matches leaves the page its turn, and has what came meanwhile", async () => {
    const { ask, asked, log } = makeLog(500, (seq) => seq % 100 === 0);
    const rows = new FoundRows(fromAfar(ask), 500);
    rows.see(0, 40);
    log.length = 600;
    rows.moveTo(600);
    rows.see(0, 41);
    await expect.poll(() => rows.at(0)?.seq).toBe(600);
    expect([rows.count, asked.length]).toEqual([6, 2]);
  });
});

describe("the whole log", () => {
  test("has a row for every event, and reads only what is in sight", async () => {
    const { ask, asked } = makeLog(100_000);
    const rows = new LogRows(ask, 100_000);
    expect([rows.count, rows.at(0), rows.rowOf(60_000)]).toEqual([100_000, undefined, 40_000]);
    rows.see(40_000, 40_003);
    await settle();
    expect(seqsOf(rows, 40_000, 40_003)).toEqual([60_000, 59_999, 59_998]);
    expect(asked).toEqual(['{"after":59750,"limit":250}']);
    rows.see(40_001, 40_004);
    await settle();
    expect(asked).toHaveLength(1);
  });

  test("reads where one is by then, not everything that was passed on the way", async () => {
    const { ask, asked } = makeLog(100_000);
    const rows = new LogRows(ask, 100_000);
    for (const from of [0, 20_000, 50_000, 99_000]) rows.see(from, from + 10);
    await settle();
    expect(seqsOf(rows, 99_000, 99_002)).toEqual([1000, 999]);
    expect(asked).toHaveLength(2);
  });

  test("keeps its place while new events come, until it is moved to them", async () => {
    const { ask } = makeLog(12);
    const rows = new LogRows(ask, 10);
    rows.see(0, 5);
    await settle();
    expect(seqsOf(rows, 0, 2)).toEqual([10, 9]);
    rows.moveTo(12);
    rows.see(0, 5);
    await settle();
    expect(seqsOf(rows, 0, 2)).toEqual([12, 11]);
  });

  test("does not grow with what was looked at, nor beyond what a browser can draw", async () => {
    const { ask } = makeLog(1_000_000);
    const rows = new LogRows(ask, 1_000_000);
    expect([rows.count, rows.rowOf(3)]).toEqual([rowsMax, undefined]);
    for (let from = 0; from < 20_000; from += 250) {
      rows.see(from, from + 40);
      await settle();
    }
    expect(rows.at(0)).toBeUndefined();
    expect(rows.at(19_750)?.seq).toBe(980_250);
  });

  test("says why it could not be read, and asks again when one wants to", async () => {
    const { ask } = makeLog(10);
    let isBroken = true;
    const rows = new LogRows(
      (range, signal) => (isBroken ? Promise.reject(new Error("gone")) : ask(range, signal)),
      10,
    );
    rows.see(0, 5);
    await settle();
    expect(rows.trouble).toBe("gone");
    isBroken = false;
    rows.see(0, 5);
    await settle();
    expect(rows.trouble).toBe("gone");
    rows.retry();
    await settle();
    expect([rows.trouble, rows.at(0)?.seq]).toEqual([null, 10]);
  });
});

test("what could not be read and is not in sight any more is no trouble once one tries again", async () => {
  const { ask } = makeLog(1000);
  const rows = new LogRows(
    (range, signal) => ("after" in range && range.after < 500 ? Promise.reject(new Error("gone")) : ask(range, signal)),
    1000,
  );
  rows.see(0, 5);
  await settle();
  rows.see(900, 905);
  await settle();
  rows.see(0, 5);
  expect(rows.trouble).toBe("gone");
  rows.retry();
  await settle();
  expect([rows.trouble, rows.at(0)?.seq]).toEqual([null, 1000]);
});

test("each failure is another one, and says whether it passes by itself", async () => {
  const rows = new FoundRows(() => Promise.reject(protocolError("connection-lost")), 10);
  rows.see(0, 5);
  await settle();
  const { failure } = rows;
  expect([failure?.code, failure?.passes]).toEqual(["connection-lost", true]);
  rows.retry();
  await settle();
  expect(rows.failure).not.toBe(failure);
  const refused = new FoundRows(() => Promise.reject(protocolError("not-found", { kind: "run", id: "r_1" })), 10);
  refused.see(0, 5);
  await settle();
  expect(refused.failure?.passes).toBe(false);
});

describe("events that match", () => {
  test("are read back as one scrolls, and new ones are put before them", async () => {
    const { ask, log } = makeLog(3000, (seq) => seq % 3 === 0);
    const rows = new FoundRows(ask, 3000);
    rows.see(0, 40);
    await settle();
    expect([rows.count, rows.more, ...seqsOf(rows, 0, 2)]).toEqual([250, true, 3000, 2997]);
    rows.see(240, 260);
    await settle();
    expect(rows.count).toBe(500);
    log.length = 3010;
    rows.moveTo(3010);
    await settle();
    expect(seqsOf(rows, 0, 4)).toEqual([3009, 3006, 3003, 3000]);
    expect([rows.top, rows.rowOf(3004), rows.rowOf(1)]).toEqual([3010, 2, undefined]);
  });

  test("that are few are all there at once", async () => {
    const { ask, asked } = makeLog(500, (seq) => seq === 7);
    const rows = new FoundRows(ask, 500);
    rows.see(0, 40);
    await settle();
    expect([rows.count, rows.more, asked.length]).toEqual([1, false, 1]);
  });
});

describe("what matches, read back and followed", () => {
  const untilSettled = async (rows: FoundRows): Promise<void> => {
    for (let turn = 0; turn < 200 && !rows.isSettled; turn++) await settle();
    await settle();
  };

  test("keeps the newest of very many that come, and reads again what it let go", async () => {
    const { ask, log } = makeLog(1000);
    const rows = new FoundRows(ask, 1000, { pageRows: 500, keptMax: 600 });
    rows.see(0, 100);
    await untilSettled(rows);
    log.length = 9000;
    rows.moveTo(9000);
    await vi.waitUntil(() => rows.top === 9000);
    expect(rows.events[0]?.seq).toBe(9000);
    expect(rows.count).toBeLessThanOrEqual(1100);
    expect(rows.more).toBe(true);
    rows.see(0, 3000);
    await untilSettled(rows);
    expect(rows.events.slice(0, 3000).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 3000 }, (_, at) => 9000 - at),
    );
  });

  test("looks no further back by itself than it is told, and further when somebody wants it", async () => {
    const { ask } = makeLog(10_000, (seq) => seq % 100 === 0 || seq < 5);
    const looked: ReadEvents = async (range, signal) => {
      const page = await ask({ ...range, limit: 5 }, signal);
      return page;
    };
    const rows = new FoundRows(looked, 10_000, { farMax: 3000 });
    rows.see(0, 80);
    await untilSettled(rows);
    expect(rows.isSettled).toBe(true);
    expect(rows.more).toBe(true);
    const near = rows.count;
    expect(near).toBeLessThan(40);
    rows.lookFurther();
    await untilSettled(rows);
    expect(rows.count).toBeGreaterThan(near + 20);
  });

  test("looks further back for whoever asks, also where as many are there as were in sight", async () => {
    const { ask } = makeLog(10_000);
    const rows = new FoundRows(ask, 10_000, { pageRows: 100 });
    rows.see(0, 100);
    await untilSettled(rows);
    const before = rows.count;
    for (const times of [1, 2, 3]) {
      rows.lookFurther();
      await untilSettled(rows);
      expect(rows.count).toBeGreaterThanOrEqual(before + 100 * times);
      expect(rows.count).toBeLessThanOrEqual(before + 200 * times);
    }
  });
});
