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
    makeEvent(5, "run.heard", { items: [{ is: "tool" }, { is: "message", text: "I begin." }, null] }),
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
    ["run", "I begin."],
    ["person", "more"],
  ]);
});

test.each(Object.keys(eventVersions))("%s has its place in the timeline, and spoils nothing by being empty", (type) => {
  expect(["message", "call", "lease", "state", "change"]).toContain(kindOf(makeEvent(1, type)));
  expect(() => toStory([makeEvent(1, type)])).not.toThrow();
});
