import { expect, test } from "vitest";
import type { Act } from "../core/acts.ts";
import { makeState } from "../core/state.ts";
import { HeldUpActs } from "./held-up-acts.ts";

test("[EN33] of what is tried again people hear from the second time on, since when and why, until it is over", () => {
  const state = makeState();
  state.runOfFamily.set("f_1", "r_1");
  const about = { claim: "c_1", family: "f_1", project: "p_1", node: "local", units: [] };
  const refresh: Act = { type: "refresh", id: "refresh:c_1", ...about };
  const error = new Error("ENOSPC: no space left on device");
  const acts = new HeldUpActs();
  acts.note(state, refresh, { tries: 1, error, nowMs: 1000 });
  expect(acts.list()).toEqual([]);
  acts.note(state, refresh, { tries: 2, error, nowMs: 6000 });
  acts.note(state, refresh, { tries: 3, error, nowMs: 11_000 });
  const doing = "bringing its workspace in step with mainline";
  expect(acts.list()).toEqual([{ run: "r_1", act: "refresh", doing, why: error.message, sinceMs: 6000 }]);
  acts.over(refresh.id);
  expect(acts.list()).toEqual([]);
});
