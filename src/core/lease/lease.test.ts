import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project({ processes: { test: { argv: ["t"], scope: "project" } } });
  return world;
}

describe("fences", () => {
  test("[LS28] one counter serves all projects; each granted unit gets the next number", () => {
    const world = made();
    const other = world.project();
    expect(world.claim("A", "file:a file:b").fences).toEqual({ "file:a": 1, "file:b": 2 });
    expect(world.claim("A", "file:a", { project: other }).fences).toEqual({ "file:a": 3 });
  });

  test("[LS28] giving back a part and shrinking keep the fences of what stays", () => {
    const world = made();
    world.policy("look", { approvalRequired: true });
    const run = world.started({ plan: ["dir:src", "file:b"] });
    world.write(run, "src/a");
    world.finish(run);
    const leases = [...(world.state.table.families.get(`${run}.1`)?.leases.values() ?? [])];
    expect(leases.map((lease) => [lease.unit.text, lease.fence])).toEqual([["file:src/a", 1]]);
  });
});

describe("expiry", () => {
  test("[LS30] one sign of life renews everything of a family; at its expiry it comes too late", () => {
    const world = made();
    const run = world.started({ plan: ["file:a", "file:b"] });
    world.pass(29_999);
    expect(world.beat(run)).toEqual([]);
    world.pass(29_999);
    expect(world.holdings()).toEqual([`${run}: file:a file:b`]);
    world.nowMs += 1;
    expect(world.beat(run)).toEqual([`${run}.1`]);
    expect(world.holdings()).toEqual([]);
  });

  test("[LS30] a claim whose units were all given back cannot be renewed, though its holder lives on", () => {
    const world = made();
    const a = world.claim("A", "file:a");
    world.claim("A", "file:b");
    world.ok({ type: "lease.release", claim: a.claim, units: null });
    expect(world.no({ type: "lease.renew", claim: a.claim, ttlMs: null })).toEqual({
      code: "not-held",
      unit: "file:a",
    });
    expect(world.holdings()).toEqual(["A: file:b"]);
  });

  test("[LS30] someone outside renews by claim, and may change how long it lives", () => {
    const world = made();
    const a = world.claim("A", "file:a", { ttlMs: 1_000 });
    world.pass(999);
    world.ok({ type: "lease.renew", claim: a.claim, ttlMs: 5_000 });
    world.pass(4_999);
    expect(world.holdings()).toEqual(["A: file:a"]);
    world.nowMs += 1;
    expect(world.no({ type: "lease.renew", claim: a.claim, ttlMs: null })).toEqual({
      code: "expired",
      family: a.family,
      holder: "A",
    });
    expect(world.no({ type: "lease.renew", claim: a.claim, ttlMs: null }).code).toBe("expired");
  });

  test("[LS31] an expired family is over: its claims end, and it comes back as a new one with nothing", () => {
    const world = made();
    world.claim("B", "file:b");
    const run = world.started({ plan: ["file:a"] });
    world.begin(run, "write", ["file:b"]);
    const waiting = world.run(run).call?.claim ?? "";
    world.pass(30_000);
    expect(world.stateOf(waiting)).toBe("holder-gone");
    expect(world.run(run)).toMatchObject({ state: "parked", lost: true, call: null, family: `${run}.1` });
    expect(world.claim("C", "file:a").state).toBe("granted");
    world.ok({ type: "run.back", run }, "system");
    expect(world.run(run)).toMatchObject({ state: "running", lost: false, family: `${run}.2`, incarnation: 2 });
    expect(world.begin(run, "write", ["file:a"])).toMatchObject({ state: "waiting", behind: [{ holder: "C" }] });
  });

  test("[LS31] the old family's driver is told that it is over", () => {
    const world = made();
    const run = world.started();
    world.pass(30_000);
    const old = { run, family: `${run}.1`, call: 0 };
    const begin = { type: "call.begin", ...old, tool: "write", units: ["file:a"], bytes: 1, other: null } as const;
    expect(world.no(begin)).toEqual({ code: "expired", family: `${run}.1` });
    world.ok({ type: "run.back", run }, "system");
    expect(world.no(begin)).toEqual({ code: "expired", family: `${run}.1` });
    expect(world.no({ type: "run.finish", run, family: `${run}.1`, ok: true, message: "" }).code).toBe("expired");
  });

  test("[LS31] a name outside that comes back is a new family too", () => {
    const world = made();
    const a = world.claim("A", "file:a", { ttlMs: 1_000 });
    world.pass(1_000);
    const b = world.claim("A", "file:b");
    expect(b.family).not.toBe(a.family);
    expect(world.holdings()).toEqual(["A: file:b"]);
  });

  test("[LS32] a process whose holder is gone stays closed until its node has proven it dead", () => {
    const world = made();
    const run = world.started();
    world.begin(run, "process", ["process:test"]);
    world.pass(30_000);
    expect(world.lastOf("family.ended")).toMatchObject([{ why: "expired", freed: [], quarantined: ["process:test"] }]);
    const next = world.claim("B", "process:test");
    expect(next.state).toBe("queued");
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "gone" });
    expect(world.stateOf(next)).toBe("queued");
    world.stopped(run);
    expect(world.lastOf("unit.cleared")).toMatchObject([{ unit: "process:test", by: "proof" }]);
    expect(world.stateOf(next)).toBe("granted");
  });

  test("[LS32] or until a person says so, by name; files need no proof", () => {
    const world = made();
    const project = [...world.state.projects.keys()][0] ?? "";
    world.claim("A", "process:test file:a", { ttlMs: 1_000 });
    world.pass(1_000);
    expect(world.claim("B", "file:a").state).toBe("granted");
    const next = world.claim("B", "process:test");
    expect(next.state).toBe("queued");
    expect(world.no({ type: "unit.clear", project, unit: "process:other" }).code).toBe("not-held");
    world.ok({ type: "unit.clear", project, unit: "process:test" });
    expect(world.stateOf(next)).toBe("granted");
    expect(world.no({ type: "unit.clear", project, unit: "process:test" }).code).toBe("not-held");
  });

  test("[LS32] what a lost run left closed is open to the same run when it comes back", () => {
    const world = made();
    const run = world.started();
    world.begin(run, "process", ["process:test"]);
    world.pass(30_000);
    world.ok({ type: "run.back", run }, "system");
    const other = world.claim("B", "process:test");
    expect(other.state).toBe("queued");
    // Otherwise it would wait for its own former self, which never ends.
    expect(world.begin(run, "process", ["process:test"]).state).toBe("go");
    expect(world.holdings()).toEqual([`${run}: process:test`]);
    world.finishCall(run);
    expect(world.stateOf(other)).toBe("granted");
  });

  test("[LS33] time stands still while the engine is down, and everyone then gets a full period", () => {
    const world = made();
    const run = world.started({ plan: ["file:a"] });
    world.claim("B", "file:b", { ttlMs: 10_000 });
    world.pass(9_000);
    world.nowMs += 60_000;
    world.ok({ type: "engine.open", version: "1", wallMs: 5 }, "system");
    expect(world.holdings()).toEqual([`${run}: file:a`, "B: file:b"]);
    world.pass(9_999);
    expect(world.holdings()).toHaveLength(2);
    world.pass(1);
    expect(world.holdings()).toEqual([`${run}: file:a`]);
  });

  test("[LS33] an earlier instant than the last one changes nothing back", () => {
    const world = made();
    world.claim("A", "file:a", { ttlMs: 10_000 });
    world.pass(9_000);
    world.claim("B", "file:b");
    world.nowMs -= 8_000;
    world.claim("C", "file:c");
    expect(world.last.every((event) => event.atMs === world.nowMs + 8_000)).toBe(true);
  });
});
