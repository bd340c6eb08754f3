import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Prng } from "../src/base/prng.ts";
import { canTry } from "../test/support/assistants.ts";
import { inFaceWorld } from "../test/support/faces/face-world.ts";
import { Bustle } from "./console/bustle.ts";
import { missedAims, toConsoleText } from "./console/console-report.ts";
import { Crowd } from "./console/crowd.ts";
import type { Contender, Row } from "./harness/contender.ts";
import { judge, type RunWorld, runRow } from "./harness/run-row.ts";
import { median, pairedRatios, quantile, spreadOf, steadyRounds } from "./harness/stats.ts";
import { parseFields, putIfAbsent } from "./peers/etcd-client.ts";
import { Peers } from "./peers/peers.ts";
import { bind } from "./peers/pg-client.ts";
import { encode, parseReply } from "./peers/resp-client.ts";
import { frameAt } from "./peers/subscriber.ts";
import { toSummary, toText } from "./report.ts";
import { GroupCommit } from "./rows/group-commit.ts";
import { NaiveLockList } from "./rows/naive-lock-list.ts";
import { tinyScale } from "./rows/row-maker.ts";
import { allRows } from "./rows/rows.ts";

describe("numbers", () => {
  test("quantiles lie between neighbours in proportion", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(quantile([0, 10], 0.25)).toBe(2.5);
    expect(spreadOf([1, 2, 3, 4, 5])).toEqual({ median: 3, lower: 2, upper: 4 });
    expect(quantile([], 0.5)).toBeNaN();
  });

  test("a ratio is formed within a round, and a round without a number gives none", () => {
    expect(pairedRatios([10, 20, 30], [5, 20, 0])).toEqual([2, 1]);
    expect(pairedRatios([10, 20], [5])).toEqual([2]);
  });

  test("a round in which a probe drifted is not steady", () => {
    const readings = [
      [100, 200],
      [110, 210],
      [100, 500],
      [30, 200],
    ];
    expect([...steadyRounds(readings, 1.5)]).toEqual([0, 1]);
  });

  test("a lower bound is held against the lower quartile, an upper one against the upper", () => {
    const ratio = { median: 1.3, lower: 1.1, upper: 1.5 };
    const verdict = (aim?: { atLeast: number } | { atMost: number }): string =>
      judge({ against: "x", measure: "rate", ...(aim === undefined ? {} : { aim }) }, ratio).verdict;
    expect(verdict({ atLeast: 1.1 })).toBe("met");
    expect(verdict({ atLeast: 1.2 })).toBe("not met");
    expect(verdict({ atMost: 1.4 })).toBe("not met");
    expect(verdict({ atMost: 1.5 })).toBe("met");
    expect(verdict()).toBe("no aim");
  });
});

/** A world whose clock moves only when a contender works, and whose weather changes from slice to slice. */
function makeWorld(): { world: RunWorld; contender: (name: string, opMs: number) => Contender; probes: number[][] } {
  let nowMs = 0;
  let cpuMs = 0;
  const weather = new Prng(7);
  const probes: number[][] = [];
  const contender = (name: string, opMs: number): Contender => ({
    name,
    cpuMs: () => cpuMs,
    work: (sliceMs) => {
      const slow = 1 + weather.unit() / 20;
      const ops = Math.ceil(sliceMs / (opMs * slow));
      nowMs += ops * opMs * slow;
      cpuMs += (ops * opMs) / 2;
      return { ops, errors: 0, latenciesUs: [opMs * 1000, opMs * 1000, opMs * 3000] };
    },
  });
  const probe = async (): Promise<readonly number[]> => probes.shift() ?? [100, 200];
  return { world: { nowMs: () => nowMs, prng: new Prng(1), probe }, contender, probes };
}

function makeRow(ours: Contender, theirs: Contender): Row {
  return {
    name: "synthetic",
    title: "ours against theirs",
    ops: "ops",
    ours,
    others: [theirs],
    comparisons: [
      { against: theirs.name, measure: "rate", aim: { atLeast: 1.8 } },
      { against: theirs.name, measure: "cpu", aim: { atMost: 0.4 } },
      { against: theirs.name, measure: "p50" },
      { against: theirs.name, measure: "p99" },
    ],
    leftOut: ["another: not installed"],
    close: () => undefined,
  };
}

describe("a row", () => {
  test("finds the ratio that is there, and none between ours and ours", async () => {
    const { world, contender } = makeWorld();
    const result = await runRow(
      makeRow(contender("ours", 0.1), contender("theirs", 0.2)),
      { rounds: 9, sliceMs: 250 },
      world,
    );
    const [rate, cpu, p50] = result.compared;
    expect(rate?.ratio.median).toBeCloseTo(2, 1);
    expect(rate?.verdict).toBe("met");
    expect(cpu?.ratio.median).toBeCloseTo(0.5, 5);
    expect(cpu?.verdict).toBe("not met");
    expect(p50?.ratio.median).toBeCloseTo(0.5, 5);
    expect(result.control.median).toBeCloseTo(1, 1);
    expect(result).toMatchObject({ rounds: 9, dropped: 0 });
  });

  test("makes up for rounds in which the machine drifted, but not for ever", async () => {
    const { world, contender, probes } = makeWorld();
    const row = makeRow(contender("ours", 0.1), contender("theirs", 0.2));
    probes.push([100, 200], [100, 900], [100, 200], [20, 200]);
    expect(await runRow(row, { rounds: 4, sliceMs: 50 }, world)).toMatchObject({ rounds: 4, dropped: 2 });
    probes.push([1, 1], [1000, 1], [1, 1000], [1000, 1000], [10, 10], [1, 10], [10, 1], [100, 1]);
    const restless = await runRow(row, { rounds: 4, sliceMs: 50 }, world);
    expect(restless.rounds + restless.dropped).toBe(8);
    expect(restless.compared.map((each) => each.verdict)).toEqual(["unsure", "unsure", "no aim", "no aim"]);
  });

  test("that never came to rest shows what there is and is sure of nothing; a row may do with fewer rounds", async () => {
    const { world, contender, probes } = makeWorld();
    const row = { ...makeRow(contender("ours", 0.1), contender("theirs", 0.2)), roundsMax: 2 };
    probes.push([1, 1], [1000, 1000], [30, 30], [9999, 9999]);
    const result = await runRow(row, { rounds: 9, sliceMs: 50 }, world);
    expect(result).toMatchObject({ rounds: 0, dropped: 4 });
    expect(result.compared[0]).toMatchObject({ verdict: "unsure" });
    expect(result.compared[0]?.ratio.median).toBeCloseTo(2, 0);
    expect(toText(result)).toContain("4 rounds, none of them steady");
  });

  test("says everything in its text: ratio, aim, control, errors, and who is not there", async () => {
    const { world, contender } = makeWorld();
    const wrong: Contender = { ...contender("theirs", 0.2), work: () => ({ ops: 1, errors: 3 }) };
    const result = await runRow(makeRow(contender("ours", 0.1), wrong), { rounds: 2, sliceMs: 50 }, world);
    const text = toText(result);
    expect(text).toContain("against theirs");
    expect(text).toContain("aim ≥ 1.8:");
    expect(text).toContain("A/A (ours twice)");
    expect(text).toContain("ERRORS: 6 of theirs");
    expect(text).toContain("left out: another: not installed");
    expect(toSummary([result])).toMatch(/^\d of 2 aims met/);
  });
});

describe("the console", () => {
  const place = { place: "runs", loadMs: 400, loadTaskMs: 70, longTasks: 0, longestTaskMs: 0, frameP95Ms: 17 };
  const well = { ...place, pixelP50Ms: 40, pixelP95Ms: 90 };

  test("is judged by its longest task, by when an event is seen, and by what an hour leaves in its heap", () => {
    expect(missedAims({ places: [well], heapBytes: [9e6, 10e6, 10.4e6] })).toEqual([]);
    const slow = { ...well, longTasks: 2, longestTaskMs: 81, pixelP50Ms: 60, pixelP95Ms: 130 };
    expect(missedAims({ places: [slow], heapBytes: [9e6, 10e6, 13e6] })).toEqual([
      "runs had a task of 81 ms, aim ≤ 50",
      "runs drew after 130 ms in the slowest of twenty, aim ≤ 100 (median 60 ms)",
      "the heap grew by 30 %, aim ≤ 10 %",
    ]);
  });

  test("says for each place what was seen", () => {
    const size = { agents: 4, runs: 9, atWork: 2, events: 100, logged: 120 };
    const places = [well, { ...place, place: "locks", pixelP50Ms: null, pixelP95Ms: null }];
    const text = toConsoleText({ size, eventsPerSecond: 100, places, heapBytes: [9e6, 10e6], heapEvents: 600 });
    expect(text).toContain("4 agents, 9 runs, 120 events, 100 more each second");
    expect(text).toMatch(/runs +no long task, frames p95 17 ms, event to pixel p50 40 ms, p95 90 ms; came in 400 ms/);
    expect(text).toMatch(/locks +no long task, frames p95 17 ms; came in/);
    expect(text).toContain("heap while 600 events pass: 9.0 MB, 10.0 MB");
  });

  test("has a crowd that works, ends, holds and turns as agents do", async () => {
    await inFaceWorld(async ({ engine }) => {
      const crowd = new Crowd(engine);
      await crowd.gather({ agents: 3, runs: 30, atWork: 10, events: 500 });
      const states = Map.groupBy(engine.state.runs.values(), ({ state }) => state);
      expect([states.get("running")?.length, crowd.atWork.length]).toEqual([9, 9]);
      expect([...states.keys()].toSorted()).toEqual(["blocked", "done", "failed", "running", "terminated"]);
      // Everybody at work holds what they changed, somebody waits for one of them, and what is done has landed.
      const held = [...engine.state.table.families.values()].filter(({ leases }) => leases.size > 0);
      expect(held.map(({ holder }) => holder).toSorted()).toEqual(crowd.atWork.toSorted());
      expect(states.get("blocked")?.map(({ id }) => id)).toEqual(crowd.waiting);
      expect(states.get("done")?.every(({ landed }) => landed !== null)).toBe(true);
      expect(engine.state.seq).toBeGreaterThanOrEqual(500);
      const [agent = ""] = crowd.agents;
      await crowd.flip(agent);
      await crowd.flip(agent);
      await crowd.hold(1);
      const [run = ""] = crowd.atWork;
      await crowd.toggle(run);
      expect(engine.state.runs.get(run)?.state).toBe("paused");
      await crowd.toggle(run);
      expect(engine.state.runs.get(run)?.state).toBe("running");
      await new Bustle(crowd).until(engine.state.seq + 300);
    });
  });
});

describe("clients", () => {
  test("replies of Redis are read whole or not yet", () => {
    expect(encode("SET", "é", "1")).toBe("*3\r\n$3\r\nSET\r\n$2\r\né\r\n$1\r\n1\r\n");
    expect(parseReply("+OK\r\n", 0)).toEqual({ reply: "OK", end: 5 });
    expect(parseReply(":1\r\n:2\r\n", 4)).toEqual({ reply: 2, end: 8 });
    expect(parseReply("$-1\r\n", 0)?.reply).toBeNull();
    expect(parseReply("*2\r\n$1\r\na\r\n$1\r\nb\r\n", 0)?.reply).toEqual(["a", "b"]);
    expect(parseReply("*2\r\n$1\r\na\r\n$1\r\n", 0)).toBeUndefined();
    expect(parseReply("-ERR no\r\n", 0)?.reply).toBeInstanceOf(Error);
  });

  test("messages to PostgreSQL count their own length", () => {
    const messages = bind("lock", ["unit"]);
    expect(messages.toString("latin1", 0, 1)).toBe("B");
    const next = 1 + messages.readInt32BE(1);
    expect(messages.toString("latin1", next, next + 1)).toBe("E");
  });

  test("fields of etcd are found by number", () => {
    const fields = parseFields(putIfAbsent("key", "value", 300n));
    expect(
      parseFields(fields.get(1) as Buffer)
        .get(3)
        ?.toString(),
    ).toBe("key");
    const put = parseFields(parseFields(fields.get(2) as Buffer).get(2) as Buffer);
    expect(put.get(3)).toBe(300n);
  });

  test("frames of a WebSocket are found in what has come so far", () => {
    const short = Buffer.from([0x81, 2, 65, 66]);
    expect(frameAt(short, 0)).toEqual({ isText: true, start: 2, end: 4 });
    expect(frameAt(short.subarray(0, 3), 0)).toBeUndefined();
    const long = Buffer.concat([Buffer.from([0x81, 126, 1, 0]), Buffer.alloc(256)]);
    expect(frameAt(long, 0)).toEqual({ isText: true, start: 4, end: 260 });
    expect(frameAt(Buffer.from([0x89, 0]), 0)?.isText).toBe(false);
  });
});

describe("what we compare with", () => {
  test("the lock list knows files, folders, holders and expiry", () => {
    const list = new NaiveLockList();
    expect(list.acquire("src", "a", 0, 10)).toBe(true);
    expect(list.acquire("src/x", "b", 0, 10)).toBe(false);
    expect(list.acquire("src/x", "a", 0, 10)).toBe(true);
    expect(list.acquire("src2", "b", 0, 10)).toBe(true);
    expect(list.acquire("src", "b", 10, 10)).toBe(true);
    expect(list.release("src2", "b")).toBe(true);
    expect(list.release("src2", "b")).toBe(false);
  });

  test("group commit stores what came meanwhile in the next batch, in order", async () => {
    const batches: string[][] = [];
    const commit = new GroupCommit(async (batch) => void batches.push([...batch]));
    await Promise.all(["a", "b"].map((body) => commit.append(body)));
    await Promise.all(["c", "d", "e"].map((body) => commit.append(body)));
    expect(batches).toEqual([
      ["a", "b"],
      ["c", "d", "e"],
    ]);
  });
});

describe("rows without peers", () => {
  let peers: Peers;
  beforeAll(() => {
    peers = new Peers({ find: () => undefined });
  });
  afterAll(() => peers.close());

  const plain = allRows.filter(({ assistant }) => assistant === undefined);

  test.each(plain.map((row) => row.name))("%s runs, counts, and makes no mistakes", async (name) => {
    const maker = allRows.find((row) => row.name === name);
    const row = await maker!.make(peers, tinyScale);
    const world = { nowMs: () => performance.now(), prng: new Prng(1), probe: async () => [1] };
    const result = await runRow(row, { rounds: 1, sliceMs: 5 }, world);
    await row.close();
    for (const { ops, errors } of result.absolute) {
      expect(ops).toBeGreaterThan(0);
      expect(errors).toBe(0);
    }
    expect(result.leftOut.length > 0).toBe(maker!.programs.length > 0);
  });
});

describe.skipIf(!canTry("claude"))("rows with an assistant", () => {
  test("do the same with the door's tools, with its own, and without us, and make no mistakes", async () => {
    const peers = new Peers({ find: () => undefined });
    try {
      for (const { make } of allRows.filter(({ name }) => ["assistant-task", "assistant-write"].includes(name))) {
        const { ours, others, comparisons } = await make(peers, tinyScale);
        const works = await Promise.all([ours, ...others].map(async ({ work }) => work(1)));
        expect(works.map(({ errors }) => errors)).toEqual([0, 0, 0]);
        const isCounted = comparisons.some(({ measure }) => measure === "calls");
        expect(
          works.every(({ calls = 0, memoryBytes = 0 }) => calls > 0 === isCounted && memoryBytes > 0 === isCounted),
        ).toBe(true);
      }
    } finally {
      await peers.close();
    }
  }, 300_000);
});
