import { expect, test } from "vitest";
import { Fault } from "../base/fault.ts";
import type { Act } from "../core/acts.ts";
import type { State } from "../core/state.ts";
import { isEnough } from "./give-up.ts";

const state = { runs: new Map([["r_1", { state: "starting" }]]) } as unknown as State;
const drive = { type: "drive", run: "r_1", family: "f_1" } as unknown as Act;
const isEnoughOf = (code: string, retry: "later" | "never", tries: number): boolean =>
  isEnough(state, drive, { tries, error: new Fault(code, { retry, message: "no" }) });

test("a run that cannot begin has failed after some tries, or at once where trying is of no use", () => {
  expect(isEnoughOf("mount-failed", "later", 2)).toBe(false);
  expect(isEnoughOf("mount-failed", "later", 3)).toBe(true);
  expect(isEnoughOf("mount-failed", "never", 1)).toBe(true);
});

test("[MT8] one that finds too little of the disk waits for as long as that is so", () => {
  expect(isEnoughOf("disk-low", "later", 1000)).toBe(false);
});
