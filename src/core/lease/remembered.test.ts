import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { endedMax } from "./lease-state.ts";

/** Thousands of steps of the same kind: looking at everything after each would take minutes and show nothing new. */
const unchecked = { restoreEvery: 0, checkEvery: 10_000 };

function claimAndRelease(world: CoreWorld, times: number): void {
  for (let at = 0; at < times; at++) world.release(world.claim("busy", "file:busy"));
}

test("[LS8] a claim is remembered while it holds anything, however many come and go meanwhile", () => {
  const world = new CoreWorld(unchecked);
  world.project();
  const held = world.claim("patient", "file:a file:b");
  const gone = world.claim("patient", "file:c");
  world.release(gone);
  claimAndRelease(world, endedMax.keyless);
  expect(world.no({ type: "lease.release", claim: gone.claim, units: null }).code).toBe("not-found");

  world.ok({ type: "lease.release", claim: held.claim, units: ["file:a"] });
  claimAndRelease(world, endedMax.keyless);
  world.release(held);
  expect(world.holdings()).toEqual([]);
  expect(world.no({ type: "lease.release", claim: held.claim, units: null }).code).toBe("not-held");
  claimAndRelease(world, endedMax.keyless);
  expect(world.no({ type: "lease.release", claim: held.claim, units: null }).code).toBe("not-found");
});

test("[LS8] claims without a key do not push out those that somebody may repeat", () => {
  const world = new CoreWorld(unchecked);
  world.project();
  const keyed = world.claim("careful", "file:a", { key: "once" });
  world.release(keyed);
  claimAndRelease(world, endedMax.keyless + 1);
  expect(world.claim("careful", "file:a", { key: "once" }).claim).toBe(keyed.claim);
});
