import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { fromPlain, toPlain } from "../snapshot.ts";
import { isWarningSeen, warningSeenMs } from "./seen-warnings.ts";

const see = (warning: string, undo = false) => ({ type: "warning.see", warning, undo }) as const;

test("[RN43] a warning that was seen is told again after a day, or when that is taken back", () => {
  const world = new CoreWorld();
  const isSeen = (warning: string): boolean => isWarningSeen(world.state, warning, world.nowMs);
  world.ok(see("disk"));
  world.ok(see("restarts"));
  expect([isSeen("disk"), isSeen("restarts"), isSeen("memory")]).toEqual([true, true, false]);
  world.ok(see("disk"));
  expect(world.last).toEqual([]);
  world.ok(see("restarts", true));
  expect(isSeen("restarts")).toBe(false);
  world.ok(see("restarts", true));
  expect(world.last).toEqual([]);
  world.pass(warningSeenMs - 1);
  expect(isSeen("disk")).toBe(true);
  world.pass(1);
  expect(isSeen("disk")).toBe(false);
});

test("[RN43] what was seen long ago, or before a thousand others, is forgotten", () => {
  const world = new CoreWorld();
  world.ok(see("old"));
  world.pass(warningSeenMs);
  for (let at = 0; at <= 1000; at++) world.ok(see(`w${at}`));
  expect(world.state.seenWarnings.size).toBe(1000);
  expect([...world.state.seenWarnings.keys()].slice(0, 2)).toEqual(["w1", "w2"]);
  expect(fromPlain(toPlain(world.state)).seenWarnings).toEqual(world.state.seenWarnings);
});
