import { expect, test } from "vitest";
import { parseScript, type PlainStep } from "../../protocol/script.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { makeRun } from "../../../test/support/wire-samples.ts";
import { toPlannedSteps } from "./plan-view.ts";

function stepsOf(steps: string): readonly PlainStep[] {
  const script = parseScript(`task: x\nsteps: ${steps}`);
  if (!script.ok) throw new Error(script.refusal.why);
  return script.value.steps;
}

const four = stepsOf("[{write: {path: a, content: x}}, {release: all}, {run: echo hi}, {ask: ok?}]");
const call = { number: 1, tool: "run", units: [], claim: null, other: null };

test.each<[string, Partial<Run>, readonly string[], (number | null)?]>([
  ["nothing is done yet", {}, ["pending", "pending", "pending", "pending"]],
  ["one is done", { callsDone: 1 }, ["done", "pending", "pending", "pending"]],
  [
    "what gives back is done when the next has begun",
    { callsDone: 1, call: { ...call, started: true } },
    ["done", "done", "running", "pending"],
  ],
  [
    "one waits at the door",
    { callsDone: 1, call: { ...call, started: false }, behind: ["r_9"] },
    ["done", "done", "waiting", "pending"],
  ],
  [
    "one waits for a person",
    { callsDone: 3, state: "awaiting-input", question: { id: "q", text: "ok?", leave: null } },
    ["done", "done", "done", "waiting"],
  ],
  ["all is done", { callsDone: 5, state: "review" }, ["done", "done", "done", "done"]],
  ["it was ended", { callsDone: 1, state: "terminated" }, ["done", "skipped", "skipped", "skipped"]],
  [
    "it failed at a step",
    { callsDone: 2, state: "failed", because: "whatever it says" },
    ["done", "done", "failed", "skipped"],
    1,
  ],
  [
    "it failed for another reason, though it says the same",
    { callsDone: 2, state: "failed", because: "step 3 (run): time" },
    ["done", "done", "done", "skipped"],
  ],
])("%s", (_, run, states, failedCall = null) => {
  const shown = makeRun("r_1", { state: "running", callsDone: 0, call: null, ...run });
  const planned = toPlannedSteps(four, shown, failedCall);
  expect(planned.map(({ state }) => state)).toEqual(states);
  expect(planned.map((step) => step.call)).toEqual([0, null, 1, 2]);
  expect(planned.map(({ about }) => about)).toEqual(["a", "all", "echo hi", "ok?"]);
});

test("who is in the way stands at the step that waits, and at no other", () => {
  const waits = makeRun("r_1", { state: "blocked", callsDone: 0, call: { ...call, number: 0, started: false } });
  const planned = toPlannedSteps(four, { ...waits, behind: ["r_9"] });
  expect(planned.map(({ behind }) => behind)).toEqual([["r_9"], [], [], []]);
});

test.each(["on purpose", "step 1 (say): because I say so"])(
  "a step that fails by intent is what its run failed for: %s",
  (because) => {
    const steps = stepsOf(`[{say: hi}, {fail: ${JSON.stringify(because)}}, {say: never}]`);
    const run = makeRun("r_1", { state: "failed", callsDone: 1, call: null, because });
    expect(toPlannedSteps(steps, run).map(({ state }) => state)).toEqual(["done", "failed", "skipped"]);
  },
);

test("a run that ended before a step that fails by intent, or at a call, did not fail at that step", () => {
  const steps = stepsOf("[{say: hi}, {fail: on purpose}, {say: never}]");
  const run = makeRun("r_1", { state: "failed", callsDone: 1, call: null, because: "out of time" });
  expect(toPlannedSteps(steps, run).map(({ state }) => state)).toEqual(["done", "skipped", "skipped"]);
  const refused = toPlannedSteps(steps, { ...run, because: "on purpose" }, 0);
  expect(refused.map(({ state }) => state)).toEqual(["failed", "skipped", "skipped"]);
});

test("how long a step sleeps is said as people count", () => {
  const steps = stepsOf("[{sleep: 40ms}, {sleep: 8s}, {sleep: 1500ms}]");
  const run = makeRun("r_1", { state: "running", callsDone: 0, call: null });
  expect(toPlannedSteps(steps, run).map(({ about }) => about)).toEqual(["40 ms", "8 s", "1.5 s"]);
});
