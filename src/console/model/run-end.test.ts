import { expect, test } from "vitest";
import type { RunStep, RunStory } from "../../protocol/wire/story.ts";
import { endOf } from "./run-end.ts";

const step = (call: number, hasOutput: boolean): RunStep => ({
  ...{ call, tool: hasOutput ? "run" : "write", units: [], fromMs: call * 10, startedMs: call * 10 },
  ...{ endMs: call * 10 + 5, ok: true, exit: null, summary: "", hasOutput, paths: [] },
});
const said = (atMs: number): RunStory["lastSaid"] => ({ seq: atMs, atMs, text: `at ${atMs}` });

test("a run that did nothing has no end to tell of", () => {
  const nothing = { lastStep: null, lastCommand: null, lastSaid: null };
  expect(endOf(nothing)).toEqual({ step: null, command: null, said: null });
});

test("the last command is told, also when something was done after it", () => {
  const end = endOf({ lastStep: step(3, false), lastCommand: step(2, true), lastSaid: null });
  expect([end.step?.call, end.command?.call]).toEqual([3, 2]);
});

test("what it said is told when it came with its last command or after it", () => {
  const last = { lastStep: step(1, true), lastCommand: step(1, true) };
  expect(endOf({ ...last, lastSaid: said(5) }).said).toBeNull();
  expect(endOf({ ...last, lastSaid: said(12) }).said?.text).toBe("at 12");
  expect(endOf({ lastStep: step(1, false), lastCommand: null, lastSaid: said(5) }).said?.text).toBe("at 5");
});
