import { expect, test } from "vitest";
import type { Logged } from "../../../src/core/events.ts";
import { CoreWorld } from "../../support/core-world.ts";
import { checkLog } from "./check-log.ts";

function written(): Logged[] {
  const world = new CoreWorld();
  world.project();
  const [one, two] = [world.started(), world.started()];
  world.write(one, "a");
  world.write(two, "b");
  world.finish(one);
  world.landed(one);
  return [...world.log];
}

test("a log in which everybody kept to the rules has nothing wrong with it", () => {
  expect(checkLog(written())).toEqual({ wrong: [], grants: 2, writes: 2 });
});

test("two holders, and a write of somebody who does not hold its path, are found", () => {
  const log = written();
  const granted = log.findIndex((event) => event.type === "lease.granted" && event.units.includes("file:b"));
  const twice = log.map((event, at) => (at === granted ? { ...event, units: ["file:a"] } : event) as Logged);
  const { wrong } = checkLog(twice);
  expect(wrong).toContainEqual(expect.stringMatching(/^I01: .* holds file:a while .* holds file:a$/));
  expect(wrong).toContainEqual(expect.stringMatching(/^I03: call.finished of .* changes b, which it does not hold$/));
});
