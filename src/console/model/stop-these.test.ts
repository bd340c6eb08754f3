import { expect, test } from "vitest";
import type { RunFilter } from "./run-rows.ts";
import { toStopCommand, waysToStop } from "./stop-these.ts";

const all: RunFilter = { project: null, states: [], runner: null, tag: null, find: "" };

test.each([
  [{ tag: "nightly" }, "tag", "signalbox stop --tag nightly"],
  [{ tag: "nightly", project: "p_1" }, "tag", "signalbox stop --tag nightly --project shop"],
  [{ project: "p_1" }, "all", "signalbox stop --all --project shop"],
  [{ runner: "claude" }, "runs", "signalbox stop r_1 r_2"],
  [{ tag: "nightly", find: "icons" }, "runs", "signalbox stop r_1 r_2"],
  [{ states: ["blocked"] as const }, "runs", "signalbox stop r_1 r_2"],
] as const)("%j is stopped as the daemon can do it at once, or one by one", (some, by, command) => {
  const filter = { ...all, ...some };
  expect(waysToStop(filter).by).toBe(by);
  expect(toStopCommand(filter, filter.project === null ? null : "shop", ["r_1", "r_2"])).toBe(command);
});
