import { expect, test } from "vitest";
import { endOf } from "./run-end.ts";
import type { RunStep, Said } from "./run-story.ts";

const step = (call: number, hasOutput: boolean): RunStep => ({
  ...{
    call,
    tool: hasOutput ? "run" : "write",
    units: [],
    fromMs: call * 10,
    startedMs: call * 10,
    endMs: call * 10 + 5,
  },
  ...{ ok: true, exit: null, summary: "", hasOutput, paths: [] },
});
const said = (atMs: number, by: Said["by"] = "run"): Said => ({ seq: atMs, atMs, by, text: `at ${atMs}` });

test("a run that did nothing has no end to tell of", () => {
  expect(endOf({ steps: [], said: [] })).toEqual({ step: undefined, command: undefined, said: undefined });
});

test("the last command is told, also when something was done after it", () => {
  const end = endOf({ steps: [step(1, true), step(2, true), step(3, false)], said: [] });
  expect([end.step?.call, end.command?.call]).toEqual([3, 2]);
});

test("what it said is told when it came with its last command or after it, and no thought nor person's word", () => {
  const steps = [step(1, true)];
  expect(endOf({ steps, said: [said(5)] }).said).toBeUndefined();
  expect(endOf({ steps, said: [said(12), said(13, "thought"), said(14, "person")] }).said?.text).toBe("at 12");
  expect(endOf({ steps: [step(1, false)], said: [said(5)] }).said?.text).toBe("at 5");
});
