import { expect, test } from "vitest";
import { outcomeOfStep } from "./step-outcome.ts";

const open = { ok: null, exit: null, startedMs: 5 } as const;

test.each([
  ["a step of a run at work is under way", open, "running", "under way"],
  ["of one that is paused it stands still", open, "paused", "stands still: the run is paused"],
  ["what was not let in yet waits", { ...open, startedMs: null }, "blocked", "waits at the door"],
  ["of a run that is over it is broken off", open, "terminated", "broken off"],
  ["what has ended says how, whatever the run does", { ...open, ok: true, exit: 0 }, "paused", "exit 0"],
  ["so does what failed", { ...open, ok: false }, undefined, "failed"],
] as const)("%s", (_, step, state, word) => {
  expect(outcomeOfStep(step, state).word).toBe(word);
});
