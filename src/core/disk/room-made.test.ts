import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { fromPlain, toPlain } from "../snapshot.ts";

test("[MT9] what went to make room is in the log, and the last time is known", () => {
  const world = new CoreWorld();
  expect(world.state.lastRoom).toBe(null);
  const made = { freeBytes: 500, freedBytes: 200, runs: ["r_1"], spares: [{ what: "scratch", count: 2 }] } as const;
  world.ok({ type: "room.note", ...made, freeBytes: 300 });
  world.pass(1000);
  world.ok({ type: "room.note", ...made });
  expect(world.last).toMatchObject([{ type: "room.made", v: 1, ...made }]);
  expect(world.state.lastRoom).toEqual({ atMs: world.nowMs, ...made });
  expect(fromPlain(toPlain(world.state)).lastRoom).toEqual(world.state.lastRoom);
});
