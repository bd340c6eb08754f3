import { describe, expect, test } from "vitest";
import { makeState } from "../core/state.ts";
import type { EventFilter } from "./event-filter.ts";
import { EventSubjects } from "./event-subjects.ts";
import { History } from "./history.ts";
import { numberOfId } from "./number-of-id.ts";
import type { DaemonParts } from "./parts.ts";

const log = [
  { seq: 1, type: "engine.opened", v: 1 },
  { seq: 2, type: "project.added", v: 1, project: "p_2" },
  { seq: 3, type: "family.opened", v: 1, family: "h_3", project: "p_2" },
  { seq: 4, type: "task.added", v: 1, task: "t_4", project: "p_9" },
  { seq: 5, type: "run.submitted", v: 1, run: "r_5", task: "t_4", project: "p_9" },
  { seq: 6, type: "lease.renewed", v: 1, families: ["h_3", "r_5.2"] },
  { seq: 7, type: "run.said", v: 1, run: "r_5" },
  { seq: 8, type: "family.ended", v: 1, family: "h_3" },
  { seq: 9, type: "task.cancelled", v: 1, task: "t_4" },
  { seq: 10, type: "policy.removed", v: 1, name: "x" },
].map((event) => ({ atMs: event.seq * 10, cause: null, actor: "system", ...event }));

function open(): { subjects: EventSubjects; history: History; asked: number[] } {
  const asked: number[] = [];
  const store = {
    lastSeq: log.length,
    read: (after: number, limit: number) => {
      asked.push(after);
      return Promise.resolve(log.slice(after, after + limit));
    },
  };
  const parts = { engine: { state: makeState() }, store } as unknown as DaemonParts;
  const subjects = new EventSubjects(parts);
  return { subjects, history: new History(parts.store, subjects), asked };
}

const seqsOf = async (filter: { project?: string; run?: string }): Promise<number[]> => {
  const { history } = open();
  return (await history.read(0, log.length, 100, filter)).events.map((event) => event.seq);
};

describe("what an event is about", () => {
  test("is found in the log when nobody remembers it: an id is the number of the event that made it", async () => {
    expect(await seqsOf({ project: "p_2" })).toEqual([2, 3, 6, 8]);
    expect(await seqsOf({ project: "p_9" })).toEqual([4, 5, 6, 7, 9]);
    expect(await seqsOf({ run: "r_5" })).toEqual([5, 6, 7]);
    expect(await seqsOf({ run: "r_7" })).toEqual([]);
  });

  test("is learned from what happens, and then costs nothing", async () => {
    const { subjects, history, asked } = open();
    for (const event of log) subjects.learn(event);
    await history.read(0, log.length, 100, { project: "p_2" });
    // One reading of the page; the run's later family alone was never introduced.
    expect(asked).toEqual([0, 4]);
    expect(subjects.of({ seq: 11, family: "h_3" })).toContainEqual({ project: "p_2", run: null });
    expect(subjects.of({ seq: 11, family: "h_zz" })).toBeUndefined();
  });
});

describe("a page of the log", () => {
  const back = async (before: number, limit: number, filter: EventFilter = {}, after = 0): Promise<unknown> => {
    const { events, next, more } = await open().history.readBack({ after, before }, limit, filter);
    return [events.map((event) => event.seq), next, more];
  };

  test("is read back from a number, the newest first, and says where to go on", async () => {
    expect(await back(99, 3)).toEqual([[10, 9, 8], 8, true]);
    expect(await back(8, 100)).toEqual([[7, 6, 5, 4, 3, 2, 1], 1, false]);
    expect(await back(8, 100, {}, 4)).toEqual([[7, 6, 5], 5, false]);
    expect(await back(99, 2, { run: "r_5" })).toEqual([[7, 6], 6, true]);
    expect(await back(1, 5)).toEqual([[], 1, false]);
  });

  test("is found by its time", async () => {
    const { history } = open();
    expect(await history.lastAt(0)).toEqual({ seq: 0, atMs: null });
    expect(await history.lastAt(39)).toEqual({ seq: 3, atMs: 30 });
    expect(await history.lastAt(40)).toEqual({ seq: 4, atMs: 40 });
    expect(await history.lastAt(1e9)).toEqual({ seq: 10, atMs: 100 });
  });
});

test.each([
  ["r_1a", 46],
  ["h_3", 3],
  ["r_5.2", 5],
  ["x", undefined],
  ["r_", undefined],
  ["r_0", undefined],
  ["r_zzzzzzzzzzzz", undefined],
  ["R_1", undefined],
])("the number of %s is %s", (id, number) => {
  expect(numberOfId(id)).toBe(number);
});
