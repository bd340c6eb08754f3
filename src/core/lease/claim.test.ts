import { describe, expect, test } from "vitest";
import { CoreWorld, toClaim } from "../../../test/support/core-world.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project();
  return world;
}

test("[LS8] a key alone makes a repetition harmless: it does not wait behind itself", () => {
  const world = new CoreWorld();
  const make = { type: "claim.make", project: world.project(), as: null, units: ["file:a"], priority: 0 } as const;
  const input = { ...make, key: "once", mode: "wait", ttlMs: 60_000, waitMs: null } as const;
  const first = world.ok(input);
  expect(world.ok(input)).toEqual(first);
  expect(first).toMatchObject({ of: "claim", claim: { state: "granted" } });
});

describe("families", () => {
  test("[LS5] claims and leases of one family never conflict with each other", () => {
    const world = made();
    world.claim("A", "file:src/a");
    expect(world.claim("A", "dir:src").state).toBe("granted");
    const root = world.started({ plan: ["file:lib/a"] });
    const sub = world.submit({ parent: root, sub: true, plan: ["dir:lib"] });
    expect(world.run(sub)).toMatchObject({ state: "starting", family: world.run(root).family });
    expect(world.claim("B", "file:lib/b").state).toBe("queued");
  });

  test("[LS5] a holder without a name is a family of its own", () => {
    const world = made();
    world.claim(null, "file:a");
    expect(world.claim(null, "file:a").state).toBe("queued");
  });
});

describe("claims", () => {
  test("[LS6] a claim is granted whole or not at all, and holds nothing while it waits", () => {
    const world = made();
    const a = world.claim("A", "file:a");
    const b = world.claim("B", "file:a file:b");
    expect(b.state).toBe("queued");
    expect(world.holdings()).toEqual(["A: file:a"]);
    world.release(a);
    expect(world.holdings()).toEqual(["B: file:a file:b"]);
  });

  test("[LS7] every claim ends once, in one of seven ways, and the event says the same as the reply", () => {
    const world = made();
    const held = world.claim("A", "file:a");
    expect(held.state).toBe("granted");
    expect(world.claim("B", "file:a", { mode: "try" }).state).toBe("busy");
    const cancelled = world.claim("C", "file:a");
    world.ok({ type: "claim.cancel", claim: cancelled.claim });
    const late = world.claim("D", "file:a", { waitMs: 1000 });
    const gone = world.claim("E", "file:a", { ttlMs: 500 });
    const run = world.submit({ plan: ["file:a"] });
    const paused = world.run(run).claim ?? "";
    world.ok({ type: "run.pause", run });
    world.pass(1000);
    world.claim("F", "file:f");
    world.claim("F", "file:a");
    const refused = world.claim("A", "file:f");
    expect(refused).toMatchObject({ state: "refused", cycle: [{ unit: "file:f" }, { unit: "file:a" }] });
    const ends = [cancelled.claim, late.claim, gone.claim, paused, refused.claim];
    expect(ends.map((claim) => world.stateOf(claim))).toEqual([
      "cancelled",
      "timed-out",
      "holder-gone",
      "paused",
      "refused",
    ]);
    for (const claim of ends) {
      const events = world.log.filter((event) => event.type === "claim.ended" && event.claim === claim);
      expect(events).toMatchObject([{ how: world.stateOf(claim) }]);
    }
  });

  test("[LS8] the same key is the same claim and outcome, also after its end and after a restart", () => {
    const world = made();
    const first = world.claim("A", "file:a file:b", { key: "k" });
    expect(world.claim("A", "file:b file:a", { key: "k" })).toEqual(first);
    expect(world.last).toEqual([]);
    world.release(first);
    expect(world.claim("A", "file:a file:b", { key: "k" })).toEqual(first);
    world.pass(60_000);
    expect(world.state.table.families.size).toBe(0);
    expect(world.claim("A", "file:a file:b", { key: "k" })).toEqual(first);
    expect(world.no(toClaim(world.state, "A", "file:c", { key: "k" }))).toEqual({ code: "key-reused", key: "k" });
    expect(world.no(toClaim(world.state, "A", "file:a file:b", { key: "k", priority: 1 })).code).toBe("key-reused");
    expect(world.claim("B", "file:c", { key: "k" })).toMatchObject({ state: "granted" });
  });

  test("[LS8] one unit spelled twice is one unit, also in a repeated request", () => {
    const world = new CoreWorld();
    world.project({ foldCase: true });
    const first = world.claim("A", "file:A file:a", { key: "k" });
    expect(first.fences).toEqual({ "file:A": 1 });
    expect(world.claim("A", "file:A file:a", { key: "k" })).toEqual(first);
  });

  test("[LS9] cancelling after the grant answers granted and changes nothing", () => {
    const world = made();
    const claim = world.claim("A", "file:a");
    expect(world.ok({ type: "claim.cancel", claim: claim.claim })).toMatchObject({ claim: { state: "granted" } });
    expect(world.last).toEqual([]);
    expect(world.no({ type: "claim.cancel", claim: "c_none" })).toMatchObject({ code: "not-found" });
  });

  test("[LS10] a unit already held is satisfied, and the grant restores it if it was given back meanwhile", () => {
    const world = made();
    const b = world.claim("B", "file:b");
    const a = world.claim("A", "file:a");
    const both = world.claim("A", "file:a file:b");
    expect(both).toMatchObject({ state: "queued", behind: [{ unit: "file:b" }] });
    world.release(a);
    world.release(b);
    expect(world.holdings()).toEqual(["A: file:a file:b"]);
  });

  test("[LS10] a unit that is granted again gets a new fence, and its old claim no longer gives it back", () => {
    const world = made();
    const first = world.claim("A", "file:a");
    const second = world.claim("A", "file:a");
    expect([first.fences, second.fences]).toEqual([{ "file:a": 1 }, { "file:a": 2 }]);
    expect(world.no({ type: "lease.release", claim: first.claim, units: null })).toMatchObject({ code: "not-held" });
    expect(world.holdings()).toEqual(["A: file:a"]);
  });

  test("[LS11] widening to the folder of what is held looks only at others", () => {
    const world = made();
    world.claim("A", "file:src/a");
    const b = world.claim("B", "file:src/b");
    expect(world.claim("A", "dir:src")).toMatchObject({ state: "queued", behind: [{ holder: "B" }] });
    world.release(b);
    expect(world.holdings()).toEqual(["A: dir:src file:src/a"]);
    expect(world.claim("A", "file:src/x/y").state).toBe("granted");
  });
});

describe("giving back", () => {
  test("[LS12] part of a claim is given back at once; what is changed needs consent to set it aside", () => {
    const world = made();
    const run = world.started({ plan: ["file:a", "file:b", "dir:src"] });
    world.write(run, "a");
    const { family } = world.run(run);
    const release = (units: string[] | null, setAside = false) =>
      ({ type: "run.release", run, family, units, setAside }) as const;
    world.ok(release(["file:b"]));
    expect(world.claim("B", "file:b").state).toBe("granted");
    expect(world.no(release(["file:a"]))).toEqual({ code: "dirty", unit: "file:a", paths: ["file:a"] });
    expect(world.no(release(["file:c"]))).toEqual({ code: "not-held", unit: "file:c" });
    expect(world.no(release(null)).code).toBe("dirty");
    world.ok(release(["file:a"], true));
    expect(world.lastOf("lease.released")).toMatchObject([{ units: ["file:a"], setAside: ["file:a"] }]);
    world.ok(release(null));
    expect(world.holdings()).toEqual(["B: file:b"]);
  });

  test("[LS12] a changed path that another lease still covers is not in the way", () => {
    const world = made();
    const run = world.started({ plan: ["dir:src", "file:src/a"] });
    world.write(run, "src/a");
    world.ok({ type: "run.release", run, family: world.run(run).family, units: ["file:src/a"], setAside: false });
    expect(world.holdings()).toEqual([`${run}: dir:src`]);
  });

  test("[LS12] a process unit is not given back under a process that runs", () => {
    const world = new CoreWorld();
    world.project({ processes: { test: { argv: ["t"], scope: "project" } } });
    const run = world.started({ plan: ["process:test"] });
    world.begin(run, "process", ["process:test"]);
    const release = {
      type: "run.release",
      run,
      family: world.run(run).family,
      units: ["process:test"],
      setAside: false,
    } as const;
    expect(world.no(release)).toMatchObject({ code: "in-use", by: run });
    expect(world.no({ ...release, units: null })).toMatchObject({ code: "in-use", by: run });
    world.finishCall(run);
    world.ok(release);
    expect(world.holdings()).toEqual([]);
  });

  test("[LS12] someone outside gives back by claim, and a waiting claim is cancelled by it", () => {
    const world = made();
    const a = world.claim("A", "file:a file:b");
    const b = world.claim("B", "file:a");
    world.release(b);
    expect(world.stateOf(b)).toBe("cancelled");
    world.release(a, ["file:b"]);
    expect(world.holdings()).toEqual(["A: file:a"]);
    expect(world.no({ type: "lease.release", claim: a.claim, units: ["file:b"] }).code).toBe("not-held");
    expect(world.no({ type: "lease.release", claim: "c_none", units: null }).code).toBe("not-found");
  });

  test("[LS12] what a run holds is the run's to give back", () => {
    const world = made();
    const run = world.submit({ plan: ["file:a"] });
    const claim = world.lastOf("lease.granted")[0]?.claim ?? "";
    expect(world.no({ type: "lease.release", claim, units: null })).toMatchObject({ code: "in-use", by: run });
    expect(world.no({ type: "lease.renew", claim, ttlMs: null })).toMatchObject({ code: "in-use", by: run });
  });
});
