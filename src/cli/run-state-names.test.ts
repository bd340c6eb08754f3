import { expect, test } from "vitest";
import { runStates } from "../protocol/wire/run.ts";
import { runStateNames } from "./run-state-names.ts";

test("the states that can be asked for are those that there are", () => {
  expect(runStateNames).toEqual(runStates);
});
