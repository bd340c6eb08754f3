import { expect, test } from "vitest";
import type { Input } from "../../core/inputs.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { Artifacts } from "./artifacts.ts";
import { RunDoor, type RunDoorOptions } from "./run-door.ts";

test("[RN46] leave is not asked for an act that nobody could read as a whole", async () => {
  const submitted: Input[] = [];
  const options = {
    line: { submit: async (order: { input: Input }) => submitted.push(order.input) },
    tools: { artifacts: new Artifacts(makeTempFolder(), 10) },
    ...{ run: "r_1", family: "f_1", signal: new AbortController().signal },
    ...{ callsDone: 0, callBegun: false, refused: null, resultCalls: new Set<number>(), resumed: false },
    ...{ answers: [], claim: null, asks: false, carried: () => [], rule: () => ({ foldCase: false }) },
  };
  const door = new RunDoor(options as unknown as RunDoorOptions);
  const whole = { name: `asked-${"a".repeat(40)}`, text: "x".repeat(20_000) };
  expect(await door.ask("May it?", undefined, whole)).toMatchObject({ ok: false, code: "disk-quota" });
  expect([submitted, door.nextCall]).toEqual([[], 0]);
});
