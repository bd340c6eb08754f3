import { expect, test } from "vitest";
import { makeRun } from "../../../test/support/wire-samples.ts";
import { isDriven, mayMove } from "../../core/run/run-states.ts";
import { runStates } from "../../protocol/wire/run.ts";
import { actsOf, findAct, keysOfActs, toCommand } from "./run-acts.ts";
import { isOver } from "./signals.ts";

const namesIn = (state: (typeof runStates)[number]): string[] =>
  actsOf(makeRun("r_1", { state })).map(({ name }) => name);

test.each(runStates)("in %s the page offers what the core allows", (state) => {
  const names = namesIn(state);
  expect(names.includes("pause")).toBe(mayMove(state, "paused"));
  expect(names.includes("stop")).toBe(!isOver(state));
  expect(names.includes("remove")).toBe(isOver(state));
  expect(names.includes("approve")).toBe(state === "review");
});

test.each(runStates)("in %s a run that takes messages can be steered exactly where the core lets it", (state) => {
  const run = makeRun("r_1", { state, runner: "claude" });
  expect(findAct(run, "steer") !== undefined).toBe(isDriven(state));
  expect(findAct(run, "interrupt") !== undefined).toBe(isDriven(state));
  expect(findAct({ ...run, runner: "script" }, "steer")).toBeUndefined();
});

test("no two acts of one state have the same key", () => {
  for (const state of runStates) {
    const keys = actsOf(makeRun("r_1", { state, runner: "claude", question: { id: "q", text: "?" } })).map(
      ({ key }) => key,
    );
    expect(new Set(keys).size).toBe(keys.length);
  }
  expect(keysOfActs().map(({ key }) => key)).not.toContain("J");
});

test("a question can be answered while it is open", () => {
  const question = { id: "q_1", text: "Which?" };
  expect(findAct(makeRun("r_1", { state: "awaiting-input", question }), "answer")).toBeDefined();
  expect(findAct(makeRun("r_1", { state: "running", question }), "answer")).toBeUndefined();
});

test("the command is one that a shell understands", () => {
  expect(toCommand("pause", "r_1", "")).toBe("signalbox pause r_1");
  expect(toCommand("interrupt", "r_1", "stop that")).toBe("signalbox steer --interrupt r_1 'stop that'");
  expect(toCommand("remove", "r_1", "")).toBe("signalbox rm r_1");
  expect(toCommand("answer", "r_1", "yes")).toBe("signalbox answer r_1 yes");
  expect(toCommand("reject", "r_1", "it's $HOME")).toBe(`signalbox reject r_1 -m 'it'\\''s $HOME'`);
});
