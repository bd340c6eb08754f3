import { describe, expect, test } from "vitest";
import { CoreWorld, restore } from "../../test/support/core-world.ts";
import { canonical } from "../base/canonical.ts";
import { nextDueMs } from "./due.ts";
import { evolve } from "./evolve.ts";
import { fromPlain, snapshotVersion, toPlain } from "./snapshot.ts";
import { compareIds } from "./step.ts";
import { makeState } from "./state.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project();
  return world;
}

describe("time", () => {
  test("[SC14] an earlier instant counts as the last one, and the log never runs backwards", () => {
    const world = made();
    const at = world.nowMs;
    world.nowMs -= 500_000;
    world.claim("A", "file:a", { ttlMs: 1_000 });
    expect(world.last.map((event) => event.atMs)).toEqual([at, at]);
    world.nowMs = at + 999;
    world.ok({ type: "tick" });
    expect(world.holdings()).toHaveLength(1);
    const next = { ...world.log[0], seq: world.state.seq + 1, atMs: at - 1 } as (typeof world.log)[number];
    expect(() => evolve(restore(world.state), next)).toThrow("engine time runs backwards");
    expect(() => evolve(restore(world.state), { ...next, seq: 1 })).toThrow("does not follow");
  });

  test("[SC14] wall time is remembered for people and decides nothing", () => {
    const world = made();
    const claim = world.claim("A", "file:a", { ttlMs: 1_000 });
    world.ok({ type: "engine.open", version: "1", wallMs: world.nowMs + 10 * 365 * 86_400_000 });
    expect(world.state.wallOffsetMs).toBe(10 * 365 * 86_400_000);
    world.pass(999);
    world.ok({ type: "lease.renew", claim: claim.claim, ttlMs: null });
  });

  test("[SC15] what is due comes before the input, with all that follows from it", () => {
    const world = made();
    world.claim("A", "file:a", { ttlMs: 1_000 });
    const waiting = world.claim("B", "file:a");
    world.nowMs += 1_000;
    expect(world.claim("C", "file:a").state).toBe("queued");
    expect(world.last.map((event) => event.type)).toEqual([
      "family.ended",
      "lease.granted",
      "family.opened",
      "claim.queued",
    ]);
    expect(world.last.map((event) => event.actor)).toEqual(["system", "system", "person:eva", "person:eva"]);
    expect(world.stateOf(waiting)).toBe("granted");
  });

  test("[SC15] at one instant leases expire before deadlines pass, and both before anything is granted", () => {
    const world = made();
    world.claim("A", "file:a", { ttlMs: 1_000 });
    const late = world.claim("B", "file:a", { waitMs: 1_000 });
    const next = world.claim("C", "file:a");
    world.pass(1_000);
    expect(world.last.map((event) => event.type)).toEqual(["family.ended", "claim.ended", "lease.granted"]);
    expect([world.stateOf(late), world.stateOf(next)]).toEqual(["timed-out", "granted"]);
  });

  test("[SC16] the core says when it wants to be asked again, early but never late", () => {
    const world = made();
    expect(nextDueMs(world.state)).toBeUndefined();
    const start = world.nowMs;
    const a = world.claim("A", "file:a", { ttlMs: 5_000 });
    world.claim("B", "file:a", { ttlMs: 60_000, waitMs: 2_000 });
    expect(nextDueMs(world.state)).toBe(start + 2_000);
    world.pass(2_000);
    world.ok({ type: "lease.renew", claim: a.claim, ttlMs: null });
    // The old wish stays and is found to have moved.
    expect(nextDueMs(world.state)).toBe(start + 5_000);
    world.pass(3_000);
    expect(world.last).toEqual([]);
    expect(nextDueMs(world.state)).toBe(start + 7_000);
  });
});

describe("log and state", () => {
  test("[SC17] the state is the fold of its log, and a snapshot restores it", () => {
    const world = made();
    const run = world.started({ plan: ["file:a"] });
    world.write(run, "a");
    const folded = makeState();
    for (const event of world.log) evolve(folded, event);
    expect(canonical(toPlain(folded))).toBe(canonical(toPlain(world.state)));
    expect(canonical(toPlain(restore(world.state)))).toBe(canonical(toPlain(world.state)));
    const plain = { ...toPlain(world.state), version: snapshotVersion + 1 };
    expect(() => fromPlain(plain)).toThrow("cannot be read");
  });

  test("[SC17] a snapshot is a copy: what comes after does not change it", () => {
    const world = made();
    const run = world.started();
    const plain = toPlain(world.state);
    const before = JSON.stringify(plain);
    world.write(run, "a");
    world.ok({ type: "run.ask", run, family: world.run(run).family, call: 1, text: "?" });
    world.ok({ type: "run.answer", run, text: "!" });
    world.complete(run);
    world.ok({ type: "run.continue", run, message: "more" });
    expect(JSON.stringify(plain)).toBe(before);
    const restored = fromPlain(JSON.parse(before) as typeof plain);
    expect(canonical(toPlain(restored))).toBe(canonical(JSON.parse(before)));
  });

  test("[SC18] a refusal records nothing, except a refused call", () => {
    const world = made();
    const run = world.started();
    world.no({ type: "run.reject", run, message: "no" });
    world.no({ type: "claim.cancel", claim: "c_none" });
    world.no({ type: "unit.clear", project: "p_none", unit: "process:x" });
    expect(world.last).toEqual([]);
    world.refused(run, "write", ["file:../x"]);
    expect(world.last.map((event) => event.type)).toEqual(["call.refused"]);
  });

  test("ids are in the order in which they came into being", () => {
    expect(["r_z", "r_10", "r_9", "r_a"].toSorted(compareIds)).toEqual(["r_9", "r_a", "r_z", "r_10"]);
  });
});
