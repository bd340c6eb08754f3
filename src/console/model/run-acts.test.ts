import { expect, test } from "vitest";
import { makeRun } from "../../../test/support/wire-samples.ts";
import { isDriven, mayMove } from "../../core/run/run-states.ts";
import { type Run, type RunState, runStates } from "../../protocol/wire/run.ts";
import { actsOf, findAct, keysOfActs, toCommand, wordsOf } from "./run-acts.ts";
import { isOver } from "./signals.ts";

const which = { id: "q_1", text: "Which?", leave: null };
const mayIt = { id: "q_2", text: "May it?", leave: { tool: "execute", what: "rm x" } };

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
    for (const question of [which, mayIt]) {
      const keys = actsOf(makeRun("r_1", { state, runner: "claude", question })).map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
    }
  }
  expect(keysOfActs().map(({ key }) => key)).not.toContain("J");
  expect(keysOfActs().find(({ key }) => key === "X")?.label).toBe("Deny (it goes on without) or Reject…");
});

test("a question can be answered while it is open, and leave given or refused", () => {
  const namesOf = (state: RunState, question: Run["question"]): string[] =>
    actsOf(makeRun("r_1", { state, question })).map(({ name }) => name);
  expect(namesOf("awaiting-input", which)).toEqual(["answer", "pause", "stop"]);
  expect(namesOf("awaiting-input", mayIt)).toEqual(["allow", "deny", "pause", "stop"]);
  for (const question of [which, mayIt]) expect(namesOf("running", question)).toEqual(["pause", "stop"]);
});

test("a word on leave is for the question that was shown", () => {
  const run = makeRun("r_1", { state: "awaiting-input", question: mayIt });
  expect(toCommand("allow", "r_1", wordsOf("allow", run))).toBe("signalbox allow r_1 --question q_2");
  expect(toCommand("deny", "r_1", wordsOf("deny", run))).toBe("signalbox deny r_1 --question q_2");
  expect(wordsOf("pause", run)).toBe("");
});

test("the command is one that a shell understands", () => {
  expect(toCommand("pause", "r_1", "")).toBe("signalbox pause r_1");
  expect(toCommand("interrupt", "r_1", "stop that")).toBe("signalbox steer --interrupt r_1 'stop that'");
  expect(toCommand("remove", "r_1", "")).toBe("signalbox rm r_1");
  expect(toCommand("answer", "r_1", "yes")).toBe("signalbox answer r_1 yes");
  expect(toCommand("reject", "r_1", "it's $HOME")).toBe(`signalbox reject r_1 -m 'it'\\''s $HOME'`);
});
