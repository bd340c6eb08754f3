import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";

const minuteMs = 60_000;

/** A world in which finished runs wait for a person, and hold for ten minutes against others. */
function reviewing(patienceMs: number | null = 10 * minuteMs): CoreWorld {
  const world = new CoreWorld();
  world.project({ processes: { test: { argv: ["t"], scope: "project" } } });
  world.policy("look", { approvalRequired: true, holdPatienceMs: patienceMs });
  return world;
}

function inReview(world: CoreWorld, ...paths: readonly string[]): string {
  const run = world.started();
  world.write(run, ...paths);
  world.finish(run);
  expect(world.run(run).state).toBe("review");
  return run;
}

describe("holds", () => {
  test("[LS34] a finished run keeps what it changed, without slot, expiry or processes", () => {
    const world = reviewing();
    const run = world.started({ plan: ["dir:src", "file:b", "process:test"] });
    world.write(run, "src/a");
    world.finish(run);
    expect(world.lastOf("lease.shrunk")).toMatchObject([{ kept: ["file:src/a"], fences: [1] }]);
    expect(world.holdings()).toEqual([`${run}: file:src/a`]);
    expect(world.state.slots.size).toBe(0);
    world.pass(60 * minuteMs);
    expect(world.holdings()).toEqual([`${run}: file:src/a`]);
  });

  test("[LS35] patience runs while somebody waits, and starts anew when nobody does", () => {
    const world = reviewing();
    const run = inReview(world, "a");
    const first = world.claim("B", "file:a", { ttlMs: 60 * minuteMs });
    world.pass(9 * minuteMs);
    world.ok({ type: "claim.cancel", claim: first.claim });
    const second = world.claim("B", "file:a", { ttlMs: 60 * minuteMs });
    world.pass(9 * minuteMs);
    expect(world.stateOf(second)).toBe("queued");
    world.pass(minuteMs);
    expect(world.lastOf("lease.yielded")).toMatchObject([{ family: `${run}.1`, units: ["file:a"], to: second.claim }]);
    expect(world.stateOf(second)).toBe("granted");
  });

  test("[LS35] patience may be endless", () => {
    const world = reviewing(null);
    inReview(world, "a");
    const waiting = world.claim("B", "file:a", { ttlMs: 1e9 });
    world.pass(1e8);
    expect(world.stateOf(waiting)).toBe("queued");
  });

  test("[LS35] a paused run's paths yield after half an hour, its processes never", () => {
    const world = reviewing();
    const run = world.started({ plan: ["file:a", "process:test"] });
    world.ok({ type: "run.pause", run });
    const path = world.claim("B", "file:a", { ttlMs: 1e9 });
    const process = world.claim("C", "process:test", { ttlMs: 1e9 });
    world.pass(30 * minuteMs - 1);
    expect(world.stateOf(path)).toBe("queued");
    world.pass(1);
    expect(world.stateOf(path)).toBe("granted");
    world.pass(1e8);
    expect(world.stateOf(process)).toBe("queued");
    world.ok({ type: "run.resume", run });
    expect(world.run(run).state).toBe("running");
    expect(world.begin(run, "write", ["file:a"])).toMatchObject({ state: "waiting", behind: [{ holder: "B" }] });
  });

  test("[LS36] a hold yields only to a claim that is granted by it", () => {
    const world = reviewing();
    const run = inReview(world, "a");
    const busy = world.claim("R", "file:b", { ttlMs: 1e9 });
    const both = world.claim("B", "file:a file:b", { ttlMs: 1e9 });
    world.pass(20 * minuteMs);
    // Yielding now would free a for nothing: R still has b.
    expect(world.holdings()).toContain(`${run}: file:a`);
    world.release(busy);
    expect(world.last.map((event) => event.type)).toEqual(["lease.released", "lease.yielded", "lease.granted"]);
    expect(world.stateOf(both)).toBe("granted");
  });

  test("[LS36] whoever comes when patience is over is let through at once, by a try too", () => {
    const world = reviewing();
    const run = inReview(world, "a", "x", "y");
    world.claim("R", "file:b", { ttlMs: 1e9 });
    world.claim("B", "file:a file:b", { ttlMs: 1e9 });
    world.pass(20 * minuteMs);
    expect(world.claim("C", "file:x").state).toBe("granted");
    expect(world.claim("D", "file:y", { mode: "try" }).state).toBe("granted");
    expect(world.holdings()).toContain(`${run}: file:a`);
  });

  test("[LS37] it yields whole units, with its own others above and beneath them; the rest stays", () => {
    const world = reviewing();
    const run = inReview(world, "a", "a/x", "a/y", "b");
    const waiting = world.claim("B", "file:a/x", { ttlMs: 1e9 });
    world.pass(10 * minuteMs);
    // Keeping a/y without a would leave it what can no longer land.
    expect(world.lastOf("lease.yielded")).toMatchObject([{ units: ["file:a", "file:a/x", "file:a/y"] }]);
    expect(world.stateOf(waiting)).toBe("granted");
    expect(world.holdings()).toContain(`${run}: file:b`);
  });

  test("[LS38] what is landing does not yield, release or end until that is recorded", () => {
    const world = reviewing();
    const run = inReview(world, "a");
    const waiting = world.claim("B", "file:a", { ttlMs: 1e9 });
    world.ok({ type: "run.approve", run, approved: null });
    world.pass(1e8);
    expect(world.stateOf(waiting)).toBe("queued");
    const { family } = world.run(run);
    expect(world.no({ type: "run.release", run, family, units: ["file:a"], setAside: true }).code).toBe(
      "held-by-landing",
    );
    world.intend(run);
    expect(world.no({ type: "run.terminate", select: { by: "run", run }, because: "stop" })).toMatchObject({
      code: "wrong-state",
    });
    world.ok({ type: "run.terminate", select: { by: "all", project: null }, because: "stop" });
    expect(world.run(run).state).toBe("landing");
    world.landed(run);
    expect(world.stateOf(waiting)).toBe("granted");
  });

  test("[LS39] a wait in a call is short; then the run parks with its leases, and the grant brings it back", () => {
    const world = reviewing();
    const b = world.claim("B", "file:b", { ttlMs: 1e9 });
    const run = world.started({ plan: ["file:a"] });
    expect(world.begin(run, "write", ["file:b"])).toMatchObject({ state: "waiting", behind: [{ holder: "B" }] });
    world.live(19_999, run);
    expect(world.run(run).state).toBe("blocked");
    world.pass(1);
    expect(world.run(run).state).toBe("parked");
    expect(world.state.slots.size).toBe(0);
    expect(world.holdings()).toContain(`${run}: file:a`);
    world.release(b);
    world.refresh();
    expect(world.run(run)).toMatchObject({ state: "running", call: { started: true } });
  });
});
