import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { familyOf } from "./lease-state.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project({ processes: { test: { argv: ["t"], scope: "project" } } });
  return world;
}

describe("the waiting graph", () => {
  test("[LS22] all claims of a family count, those of its sub-runs too", () => {
    const world = made();
    const root = world.started({ plan: ["file:u"] });
    const sub = world.submit({ parent: root, sub: true });
    world.driven(sub);
    world.claim("B", "file:v");
    world.claim("C", "file:w");
    world.begin(root, "write", ["file:w"]);
    world.begin(sub, "write", ["file:v"]);
    // Looking only at the root's claim, B would be let wait for u while the sub-run waits for v.
    const refused = world.claim("B", "file:u");
    expect(refused).toMatchObject({ state: "refused" });
    expect(refused.cycle?.map((edge) => edge.unit)).toEqual(["file:u", "file:v"]);
  });

  test("[LS23] a claim further ahead is waited for like a lease", () => {
    const world = made();
    world.claim("B", "file:v");
    world.claim("A", "file:u");
    world.claim("A", "file:v");
    // Ahead of A, urgent C would wait for A's u while A waited behind C for v.
    const c = world.claim("C", "file:u file:v", { priority: 9 });
    expect(c.behind.map((each) => `${each.holder} ${each.by} ${each.unit}`)).toEqual([
      "A lease file:u",
      "B lease file:v",
      "A claim file:v",
    ]);
  });

  test("[LS23] a process that stays closed is waited for too", () => {
    const world = made();
    world.claim("A", "process:test", { ttlMs: 1_000 });
    world.pass(1_000);
    expect(world.claim("B", "process:test")).toMatchObject({ state: "queued", behind: [{ holder: "A", by: "lease" }] });
  });

  test("[LS24] releasing, granting, expiring and pausing close no circle: only arrivals are looked at", () => {
    const world = made();
    const a = world.claim("A", "file:a");
    world.claim("B", "file:b", { ttlMs: 5_000 });
    world.claim("C", "file:a file:b");
    world.claim("D", "file:b file:c");
    world.claim("A", "file:c");
    world.release(a);
    world.pass(5_000);
    // The world looks for circles after every one of these steps, slowly.
    expect(world.holdings()).toEqual(["A: file:c", "C: file:a file:b"]);
  });

  test("[LS25] who holds what is asked for and already waits for the asker: refused, with the circle", () => {
    const world = made();
    const a = world.claim("A", "file:a");
    const b = world.claim("B", "file:b");
    const c = world.claim("C", "file:c");
    const ab = world.claim("A", "file:b");
    const bc = world.claim("B", "file:c");
    const before = world.state.table.nextFence;
    const refused = world.claim("C", "file:x file:a");
    expect(refused.state).toBe("refused");
    expect(refused.cycle).toEqual([
      { from: c.family, to: a.family, claim: refused.claim, unit: "file:a" },
      { from: a.family, to: b.family, claim: ab.claim, unit: "file:b" },
      { from: b.family, to: c.family, claim: bc.claim, unit: "file:c" },
    ]);
    expect(world.state.table.nextFence).toBe(before);
    expect(world.stateOf(ab)).toBe("queued");
  });

  test.each(["wait", "try"] as const)("[LS25] a claim that ends at once (%s) moves nobody's expiry", (mode) => {
    const world = made();
    const a = world.claim("A", "file:a", { ttlMs: 10_000 });
    world.claim("B", "file:b", { ttlMs: 60_000 });
    world.claim("B", "file:a", { ttlMs: 60_000 });
    const { expiresAtMs } = familyOf(world.state.table, a.family);
    world.pass(4_000);
    const ended = world.claim("A", "file:b", { ttlMs: 90_000, mode });
    expect(ended).toMatchObject({ state: "refused", family: a.family });
    expect(familyOf(world.state.table, a.family)).toMatchObject({ ttlMs: 10_000, expiresAtMs });
    world.claim("C", "file:c", { ttlMs: 60_000 });
    expect(world.claim("A", "file:c", { ttlMs: 90_000, mode: "try" }).state).toBe("busy");
    expect(familyOf(world.state.table, a.family)).toMatchObject({ ttlMs: 10_000, expiresAtMs });
    // One that waits brings its own time to live along (LS30).
    expect(world.claim("A", "file:c", { ttlMs: 90_000 }).state).toBe("queued");
    expect(familyOf(world.state.table, a.family)).toMatchObject({ ttlMs: 90_000, expiresAtMs: expiresAtMs + 84_000 });
  });

  test("[LS25] a call is refused the same way, and its run goes on", () => {
    const world = made();
    const r1 = world.started({ plan: ["file:a"] });
    const r2 = world.started({ plan: ["file:b"] });
    world.begin(r1, "write", ["file:b"]);
    expect(world.refused(r2, "write", ["file:a"])).toMatchObject({
      code: "deadlock",
      cycle: [{ unit: "file:a" }, { unit: "file:b" }],
    });
    expect(world.run(r2)).toMatchObject({ state: "running", call: null, callsDone: 1 });
  });

  test("[LS26] whoever holds nothing and is awaited by nobody is never refused", () => {
    const world = made();
    world.claim("A", "file:a");
    world.claim("B", "file:b");
    world.claim("A", "file:b");
    expect(world.claim("N", "file:a file:b").state).toBe("queued");
    expect(world.claim("M", "dir:").state).toBe("queued");
  });

  test("[LS27] after giving back a named unit, the same wish queues", () => {
    const world = made();
    world.claim("A", "file:a");
    const b = world.claim("B", "file:b");
    world.claim("A", "file:b");
    expect(world.claim("B", "file:a").state).toBe("refused");
    world.release(b);
    expect(world.holdings()).toEqual(["A: file:a file:b"]);
    expect(world.claim("B", "file:a file:b")).toMatchObject({
      state: "queued",
      behind: [{ holder: "A" }, { holder: "A" }],
    });
  });

  test("[LS27] each refusal has its code", () => {
    const world = made();
    world.policy("explicit", { claiming: "explicit" });
    const held = world.claim("A", "file:a", { ttlMs: 1_000 });
    expect(world.no({ type: "lease.release", claim: held.claim, units: ["file:b"] }).code).toBe("not-held");
    expect(world.claim("B", "file:a", { mode: "try" }).state).toBe("busy");
    const run = world.started();
    expect(world.refused(run, "write", ["file:b"])).toEqual({ code: "outside-lease", unit: "file:b" });
    world.pass(1_000);
    expect(world.no({ type: "lease.renew", claim: held.claim, ttlMs: null }).code).toBe("expired");
  });
});
