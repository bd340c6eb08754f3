import { expect, test } from "vitest";
import type { PlannedStep } from "../../protocol/wire/plan.ts";
import { countDone, toOwnLines, windowOf } from "./plan-rows.ts";

const stepsOf = (done: number, count: number): PlannedStep[] =>
  Array.from({ length: count }, (_, at) => ({
    number: at + 1,
    do: "write",
    about: "a",
    call: at,
    state: at < done ? "done" : "pending",
    behind: [],
  }));

test.each([
  [0, 24, 1, 0, 0],
  [0, 100, 1, 0, 76],
  [50, 100, 47, 46, 30],
  [100, 100, 77, 76, 0],
])("of a script with %i of %i steps done it begins at step %i", (done, count, first, before, after) => {
  const shown = windowOf(stepsOf(done, count));
  expect([shown.steps[0]?.number, shown.before, shown.after]).toEqual([first, before, after]);
  expect(shown.before + shown.steps.length + shown.after).toBe(count);
  expect(countDone(stepsOf(done, count))).toBe(done);
});

test("[RN44] each line of an assistant's plan has the state that it gives it, and none where it gives none", () => {
  const text = "[x] Read the middleware\n- [>] Wire it in\n2. [ ] Test bursts\n\nThen land.\n[~] half\n[X] big";
  expect(toOwnLines(text)).toEqual([
    { text: "Read the middleware", state: "done" },
    { text: "Wire it in", state: "running" },
    { text: "Test bursts", state: "pending" },
    { text: "Then land.", state: null },
    { text: "half", state: "running" },
    { text: "big", state: "done" },
  ]);
});
