import { expect, test } from "vitest";
import { makeEvent } from "../../../test/support/wire-samples.ts";
import { eventVersions } from "../../core/events.ts";
import { kindOf, toStory } from "./run-story.ts";

const call = (seq: number, what: string, given: object) =>
  makeEvent(seq, `call.${what}`, { run: "r_1", call: 0, tool: "run", ...given });

test("a call is one step from the door to its end", () => {
  const { steps } = toStory([
    call(1, "queued", { units: ["process:test"] }),
    call(2, "started", { units: ["process:test"] }),
    call(3, "finished", {
      ok: false,
      exit: 1,
      summary: "1 failed",
      output: "r_1/0/output",
      works: [{ path: "a.ts", base: null, work: "x" }],
    }),
    call(4, "queued", { call: 1, tool: "write" }),
    call(5, "refused", { call: 1, tool: "write", what: "a policy says no" }),
    call(6, "started", { call: 2, tool: "write", units: ["file:b"] }),
  ]);
  expect(steps).toMatchObject([
    {
      call: 0,
      tool: "run",
      units: ["process:test"],
      fromMs: 100,
      startedMs: 200,
      endMs: 300,
      ok: false,
      exit: 1,
      hasOutput: true,
      paths: ["a.ts"],
    },
    { call: 1, ok: false, startedMs: null, summary: "a policy says no" },
    { call: 2, endMs: null, ok: null },
  ]);
});

test("states, messages, waits and leases have their stretches", () => {
  const story = toStory([
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
  ]);
  expect(story.states).toEqual([
    { of: "queued", fromMs: 100, toMs: 200 },
    { of: "running", fromMs: 200, toMs: 800 },
    { of: "done", fromMs: 800, toMs: null },
  ]);
  expect(story.waited).toEqual([{ of: "file:a", fromMs: 300, toMs: 400 }]);
  expect(story.held).toEqual([
    { of: "file:a", fromMs: 400, toMs: 600 },
    { of: "file:b", fromMs: 400, toMs: 900 },
  ]);
  expect(story.said.map(({ by, text }) => [by, text])).toEqual([
    ["run", "hello"],
    ["thought", "First"],
    ["run", "I begin."],
    ["person", "more"],
  ]);
});

test("[RN46] calls that the door knows nothing of stand from their beginning to their end", () => {
  const heard = (seq: number, ...items: object[]) => makeEvent(seq, "run.heard", { run: "r_1", items });
  const bash = { call: "t1", tool: "Bash", parent: null };
  const begun = heard(1, { is: "tool", ...bash, input: "npm test" }, { is: "tool", call: "t2", tool: "claim" });
  const { own } = toStory([
    begun,
    heard(3, { is: "result", ...bash, ok: false, exit: 2, text: "", output: null }),
    heard(4, { is: "tool", ...bash, input: "ls" }),
  ]);
  const about = { call: "t1", tool: "Bash" };
  expect(own).toEqual([
    { ...about, input: "npm test", fromMs: 100, endMs: 300, ok: false, exit: 2 },
    { ...about, input: "ls", fromMs: 400, endMs: null, ok: null, exit: null },
  ]);
  expect([begun, heard(5, { is: "message", text: "hi" })].map(kindOf)).toEqual(["call", "message"]);
});

test.each(Object.keys(eventVersions))("%s has its place in the timeline, and spoils nothing by being empty", (type) => {
  expect(["message", "call", "lease", "state", "change"]).toContain(kindOf(makeEvent(1, type)));
  expect(() => toStory([makeEvent(1, type)])).not.toThrow();
});

test("what those say who work for its assistant is not the assistant's own", () => {
  const items = [
    { is: "tool", call: "t1", tool: "Agent", parent: null, input: "part: Do it." },
    { is: "message", text: "I begin.", parent: "t1" },
  ];
  expect(toStory([makeEvent(1, "run.heard", { run: "r_1", items })]).said).toMatchObject([{ who: "subagent part" }]);
});

test("what its model cost stands where it was paid", () => {
  const answered = (seq: number, costMicros: number | null, artifact: string | null) =>
    makeEvent(seq, "model.answered", { run: "r_1", request: `q_${seq}`, model: "opus", costMicros, artifact });
  expect(toStory([answered(1, 12_000, "r_1/q_1.json.gz"), answered(2, null, null)]).paid).toEqual([
    { seq: 1, atMs: 100, model: "opus", micros: 12_000, kept: "q_1" },
    { seq: 2, atMs: 200, model: "opus", micros: null, kept: null },
  ]);
});

test("[RN44] the plan is what it said of it last, by its door or by its program", () => {
  const said = (seq: number, text: string) => makeEvent(seq, "run.said", { run: "r_1", text });
  const heard = (seq: number, text: string) =>
    makeEvent(seq, "run.heard", {
      run: "r_1",
      items: [
        { is: "other", kind: "plan", text },
        { is: "other", kind: "x" },
      ],
    });
  expect(toStory([said(1, "hello")]).plan).toBeNull();
  expect(toStory([said(1, "plan: one"), said(2, "plan: two\nthree"), said(3, "done")]).plan).toMatchObject({
    seq: 2,
    text: "two\nthree",
  });
  expect(toStory([said(1, "plan: one"), heard(2, "[x] one")]).plan).toMatchObject({ seq: 2, text: "[x] one" });
});
