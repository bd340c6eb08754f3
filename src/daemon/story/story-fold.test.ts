import { describe, expect, test } from "vitest";
import { makeEvent } from "../../../test/support/wire-samples.ts";
import { eventVersions } from "../../core/events.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { marksMax } from "./marks.ts";
import { StoryFold } from "./story-fold.ts";

const call = (seq: number, what: string, given: object) =>
  makeEvent(seq, `call.${what}`, { run: "r_1", call: 0, tool: "run", ...given });

function fold(...events: readonly LogEvent[]): StoryFold {
  const story = new StoryFold();
  for (const event of events) story.take(event);
  return story;
}

test("a call is one mark from the door to its end, and one that is under way is drawn too", () => {
  const story = fold(
    call(1, "queued", { units: ["process:test"] }),
    call(2, "started", { units: ["process:test"] }),
    call(3, "finished", { ok: false, exit: 1, output: "x", works: [{ path: "a.ts", base: null, work: "x" }] }),
    call(4, "queued", { call: 1, tool: "write" }),
    call(5, "refused", { call: 1, tool: "write", what: "a policy says no" }),
    call(6, "started", { call: 2, tool: "write", units: ["file:b"] }),
  );
  const { calls, commands, changed } = story.draw(8);
  expect(calls).toMatchObject([
    { step: 0, kind: "run", text: "process:test, exit 1", fromMs: 300, bad: 1 },
    { step: 1, kind: "write", text: "failed", bad: 1 },
    { step: 2, text: "file:b", fromMs: 600, bad: 0 },
  ]);
  expect(commands).toMatchObject([{ step: 0, fromMs: 200, toMs: 300 }]);
  expect(changed).toMatchObject([{ step: 0, text: "a.ts" }]);
  const { counts, lastCommand, lastStep } = story.tell();
  expect(counts).toMatchObject({ steps: 3, commands: 1, changed: 1 });
  expect([lastCommand, lastStep]).toMatchObject([
    { call: 0, exit: 1 },
    { call: 2, endMs: null, ok: null },
  ]);
  expect(story.stepEvents(0, 9)).toEqual([
    { call: 0, came: 1, started: 2, ended: 3 },
    { call: 1, came: 4, started: 0, ended: 5 },
    { call: 2, came: 6, started: 6, ended: 0 },
  ]);
});

test.each([
  ["its run was ended", makeEvent(3, "run.moved", { to: "terminated" })],
  ["its run lost its leases", makeEvent(3, "run.lost", {})],
  ["its run did something else", call(3, "queued", { call: 1, tool: "read" })],
])("a call in the middle of which %s is broken off", (_, after) => {
  const story = fold(call(1, "queued", {}), call(2, "started", { units: ["process:test"] }), after);
  expect(story.stepEvents(0, 1)).toEqual([{ call: 0, came: 1, started: 2, ended: 0, brokenMs: 300 }]);
  const { lastCommand, counts } = story.tell();
  expect(lastCommand).toMatchObject({ call: 0, ok: false, endMs: 300, summary: "broken off" });
  expect(counts.commands).toBe(1);
  const { calls, commands } = story.draw(8);
  expect([calls[0], commands]).toMatchObject([{ step: 0, fromMs: 300, bad: 1 }, [{ fromMs: 200, toMs: 300, bad: 1 }]]);
});

test("a call that waits while its run moves on is under way, and one that is told of again after all has its end", () => {
  const parked = makeEvent(2, "run.moved", { to: "parked" });
  const lost = makeEvent(3, "run.lost", {});
  expect(fold(call(1, "queued", {}), parked).tell().lastStep).toMatchObject({ ok: null });
  const story = fold(call(1, "queued", {}), parked, lost, call(4, "finished", { ok: true, exit: 0 }));
  expect(story.stepEvents(0, 1)).toEqual([{ call: 0, came: 1, started: 0, ended: 4 }]);
  expect(story.tell().lastStep).toMatchObject({ ok: true });
});

test("states, messages, waits and leases have their stretches", () => {
  const story = fold(
    makeEvent(1, "run.submitted", { run: "r_1" }),
    makeEvent(2, "run.moved", { to: "running" }),
    makeEvent(3, "claim.queued", { claim: "c_3", units: ["file:a"] }),
    makeEvent(4, "lease.granted", { claim: "c_3", units: ["file:a", "file:b"] }),
    makeEvent(5, "run.said", { text: "hello" }),
    makeEvent(5, "run.heard", {
      items: [{ is: "tool" }, { is: "thinking", text: "First" }, { is: "message", text: "I begin." }, null],
    }),
    makeEvent(6, "lease.released", { units: ["file:a"] }),
    makeEvent(7, "run.messaged", { text: "more" }),
    makeEvent(8, "run.moved", { to: "done" }),
    makeEvent(9, "family.ended", { family: "r_1.1" }),
  );
  const { states, units, said } = story.draw(8);
  expect(states.map(({ of, fromMs, toMs }) => [of, fromMs, toMs])).toEqual([
    ["queued", 100, 200],
    ["running", 200, 800],
    ["done", 800, null],
  ]);
  const stretches = units.map(({ unit, stretches: all }) => [
    unit,
    ...all.map(({ waits, fromMs, toMs }) => [waits, fromMs, toMs]),
  ]);
  expect(stretches).toEqual([
    ["file:a", [true, 300, 400], [false, 400, 600]],
    ["file:b", [false, 400, 900]],
  ]);
  expect(story.draw(1).units).toHaveLength(1);
  expect(story.tell().lastSaid).toEqual({ seq: 5, atMs: 500, text: "I begin." });
  expect(said.map(({ kind, text }) => [kind, text])).toEqual([
    ["run", "hello"],
    ["thought", "First"],
    ["run", "I begin."],
    ["person", "more"],
  ]);
});

test("[RN46] calls that the door knows nothing of stand where they ended, or began", () => {
  const heard = (seq: number, ...items: object[]) => makeEvent(seq, "run.heard", { run: "r_1", items });
  const bash = { call: "t1", tool: "Bash", parent: null };
  const story = fold(
    heard(1, { is: "tool", ...bash, input: "npm test" }, { is: "tool", call: "t2", tool: "claim" }),
    heard(3, { is: "result", ...bash, ok: false, exit: 2, text: "", output: null }),
    heard(4, { is: "tool", ...bash, input: "ls" }),
  );
  expect(story.draw(0).calls.map(({ kind, text, fromMs, bad, step }) => [kind, text, fromMs, bad, step])).toEqual([
    ["Bash", "npm test (exit 2)", 300, 1, null],
    ["Bash", "ls", 400, 0, null],
  ]);
  expect(story.draw(0).commands).toMatchObject([{ fromMs: 100, toMs: 300, bad: 1 }]);
  expect(story.tell().counts).toMatchObject({ own: 2, commands: 1 });
});

test("what those say who work for its assistant is not the assistant's own", () => {
  const items = [
    { is: "tool", call: "t1", tool: "Agent", parent: null, input: "part: Do it." },
    { is: "message", text: "I begin.", parent: "t1" },
  ];
  const { said } = fold(makeEvent(1, "run.heard", { run: "r_1", items })).draw(0);
  expect(said).toMatchObject([{ text: "subagent part: I begin." }]);
});

test("what its model cost stands where it was paid, and is summed", () => {
  const answered = (seq: number, costMicros: number | null) =>
    makeEvent(seq, "model.answered", { run: "r_1", request: `q_${seq}`, model: "opus", costMicros });
  const story = fold(answered(1, 12_000), answered(2, null));
  expect(story.draw(0).paid).toMatchObject([
    { fromMs: 100, kind: "opus", micros: 12_000, text: "" },
    { fromMs: 200, micros: 0, text: "no price is known" },
  ]);
  expect(story.tell().spend).toEqual({ requests: 2, unpriced: 1, costMicros: 12_000 });
});

test("[RN44] the plan is what it said of it last, by its door or by its program", () => {
  const said = (seq: number, text: string) => makeEvent(seq, "run.said", { run: "r_1", text });
  const plan = { is: "other", kind: "plan", text: "[x] one" };
  const heard = makeEvent(2, "run.heard", { run: "r_1", items: [plan, { is: "other", kind: "x" }] });
  expect(fold(said(1, "hello")).tell().plan).toBeNull();
  expect(fold(said(1, "plan: one"), said(2, "plan: two\nthree"), said(3, "done")).tell().plan).toMatchObject({
    seq: 2,
    text: "two\nthree",
  });
  expect(fold(said(1, "plan: one"), heard).tell().plan).toMatchObject({ seq: 2, text: "[x] one" });
});

test.each(Object.keys(eventVersions))("%s spoils nothing by being empty", (type) => {
  expect(() => fold(makeEvent(1, type)).draw(8)).not.toThrow();
});

describe("a run of a hundred thousand events", () => {
  const story = new StoryFold();
  const calls = 50_000;
  story.take(makeEvent(1, "run.submitted", { run: "r_1" }));
  for (let at = 0; at < calls; at++) {
    const seq = 2 + 2 * at;
    story.take(call(seq, "started", { call: at, tool: "write", units: [`file:f/${at % 3000}.txt`] }));
    const works = [{ path: `f/${at % 3000}.txt`, base: null, work: "x" }];
    story.take(call(seq + 1, "finished", { call: at, tool: "write", ok: at % 1000 !== 7, works }));
    if (at % 10 === 0) story.take(makeEvent(seq + 1, "lease.renewed", { family: "r_1.1" }));
    if (at % 100 === 0) {
      story.take(makeEvent(seq + 1, "run.moved", { to: at % 200 === 0 ? "running" : "blocked" }));
      story.take(makeEvent(seq + 1, "model.answered", { model: "opus", costMicros: 5 }));
      story.take(makeEvent(seq + 1, "lease.granted", { claim: `c_${at}`, units: [`file:f/${at}.txt`] }));
    }
  }
  const drawn = story.draw(8);

  test("is told with every count and sum, and from its first event to its last", () => {
    expect(story.tell()).toMatchObject({
      counts: { steps: calls, changed: calls, units: 500, states: 501 },
      spend: { requests: 500, costMicros: 2500 },
      fromMs: 100,
      lastMs: (2 * calls + 1) * 100,
      lastStep: { call: calls - 1 },
    });
    expect(drawn.busy[0]?.fromMs).toBe(100);
    expect(drawn.busy.at(-1)?.toMs).toBe((2 * calls + 1) * 100);
    for (const row of [drawn.calls, drawn.changed]) expect(row.reduce((sum, { count }) => sum + count, 0)).toBe(calls);
    expect(drawn.calls.reduce((sum, { bad }) => sum + bad, 0)).toBe(calls / 1000);
    expect(drawn.states.reduce((sum, { count }) => sum + count, 0)).toBe(501);
  });

  test("is drawn with no more marks than can be told apart, without a gap between its states", () => {
    for (const row of [drawn.busy, drawn.calls, drawn.changed, drawn.paid, drawn.states])
      expect(row.length).toBeLessThanOrEqual(marksMax + 1);
    const { states } = drawn;
    expect(states.slice(1).map(({ fromMs }) => fromMs)).toEqual(states.slice(0, -1).map(({ toMs }) => toMs));
    expect(JSON.stringify(drawn).length).toBeLessThan(300_000);
  });

  test("has every one of its steps by its place and by its call", () => {
    expect(story.stepEvents(0, 1)).toMatchObject([{ call: 0, came: 2 }]);
    expect(story.stepEvents(calls - 1, 5)).toMatchObject([{ call: calls - 1 }]);
    expect(story.placeOf(31_234)).toBe(31_234);
    expect(story.placeOf(calls + 5)).toBe(calls);
  });
});
