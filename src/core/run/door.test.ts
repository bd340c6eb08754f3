import { describe, expect, test } from "vitest";
import { CoreWorld, toBegin } from "../../../test/support/core-world.ts";
import type { PassCall } from "../inputs.ts";
import { readsMax } from "../workspace/workspace-state.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project({ processes: { test: { argv: ["t"], scope: "project" } } });
  return world;
}

describe("calls", () => {
  test("[RN5] the same number is the same call, whatever stands in it", () => {
    const world = made();
    world.claim("A", "file:a");
    const run = world.started();
    const begin = toBegin(world.state, run, "write", ["file:a"]);
    expect(world.begin(run, "write", ["file:a"]).state).toBe("waiting");
    world.ok({ ...begin, units: ["file:elsewhere"] });
    expect(world.last).toEqual([]);
    expect(world.run(run).call?.units).toEqual(["file:a"]);
  });

  test("[RN5] a call that is through is told its fences again, and one that is over is done", () => {
    const world = made();
    const run = world.started({ plan: ["file:a"] });
    const begin = toBegin(world.state, run, "write", ["file:a"]);
    const go = world.begin(run, "write", ["file:a"]);
    expect(go).toEqual({ state: "go", fences: [1], startedAtMs: world.nowMs });
    world.nowMs += 5;
    expect(world.ok(begin)).toEqual({ of: "call", call: go });
    world.finishCall(run, ["a"]);
    expect(world.ok(begin)).toEqual({ of: "call", call: { state: "done" } });
  });

  test("[RN5] a refused call is over and gets the same refusal again", () => {
    const world = made();
    world.policy("hands off", { deniedPaths: ["secret"], maxBytes: 5 });
    const run = world.started();
    const calls = [
      toBegin(world.state, run, "write", ["file:secret"]),
      { ...toBegin(world.state, run, "write", ["file:../x"]), call: 1 },
      { ...toBegin(world.state, run, "write", ["file:b"]), call: 2, bytes: 6 },
      { ...toBegin(world.state, run, "wait-run", []), call: 3, other: "r_none" },
    ];
    for (const call of calls) {
      const refusal = world.no(call);
      expect(world.lastOf("call.refused")).toMatchObject([{ call: call.call, code: refusal.code }]);
      expect(world.no(call)).toEqual(refusal);
      expect(world.last).toEqual([]);
    }
    expect(world.run(run).callsDone).toBe(4);
  });

  test("[RN5] numbers come in turn, one call at a time", () => {
    const world = made();
    const run = world.started();
    const begin = toBegin(world.state, run, "run", []);
    expect(world.no({ ...begin, call: 1 })).toEqual({ code: "out-of-order", run, call: 1, next: 0 });
    world.begin(run, "run");
    expect(world.no({ ...begin, call: 1 })).toMatchObject({ code: "out-of-order" });
    const { family } = world.run(run);
    expect(world.no({ type: "run.say", run, family, call: 1, text: "hm" })).toMatchObject({ code: "out-of-order" });
    world.finishCall(run);
    world.ok({ type: "run.say", run, family, call: 1, text: "hm" });
    world.ok({ type: "run.say", run, family, call: 1, text: "hm" });
    expect(world.last).toEqual([]);
    expect(world.run(run).callsDone).toBe(2);
  });

  test("[RN5] only the driver of the present family is heard, and nobody after the end", () => {
    const world = made();
    const run = world.started();
    const begin = toBegin(world.state, run, "run", []);
    expect(world.no({ ...begin, family: "r_x.1" })).toMatchObject({ code: "expired" });
    expect(world.no({ ...begin, run: "r_x" })).toMatchObject({ code: "not-found" });
    world.complete(run);
    expect(world.no(begin)).toMatchObject({ code: "wrong-state", state: "done" });
  });

  test("[RN6] a call begun before the run is driven, or while it is paused, waits in the log", () => {
    const world = made();
    const run = world.submit({ plan: ["file:a"] });
    world.refresh();
    expect(world.begin(run, "write", ["file:a"]).state).toBe("waiting");
    world.driven(run);
    expect(world.run(run).call?.started).toBe(true);
    world.finishCall(run);
    world.ok({ type: "run.pause", run });
    expect(world.begin(run, "write", ["file:a"]).state).toBe("waiting");
    world.ok({ type: "run.resume", run });
    expect(world.run(run)).toMatchObject({ state: "running", call: { started: true } });
  });

  test("[RN6] before its start and after its finish a run takes no calls", () => {
    const world = made();
    world.policy("look", { approvalRequired: true });
    world.claim("A", "file:a");
    const queued = world.submit({ plan: ["file:a"] });
    expect(world.refused(queued, "run")).toMatchObject({ code: "wrong-state", state: "queued" });
    const run = world.started();
    world.write(run, "b");
    world.finish(run);
    expect(world.refused(run, "run")).toMatchObject({ code: "wrong-state", state: "review" });
  });

  test("[RN6] a call whose claim is cancelled is told so, and its run goes on", () => {
    const world = made();
    world.claim("A", "file:a", { ttlMs: 1e9 });
    const run = world.started();
    world.begin(run, "write", ["file:a"]);
    world.ok({ type: "claim.cancel", claim: world.run(run).call?.claim ?? "" });
    expect(world.run(run)).toMatchObject({ state: "running", call: null, refused: { call: 0, code: "cancelled" } });
    const begin = toBegin(world.state, run, "write", ["file:a"]);
    expect(world.no({ ...begin, call: 0 })).toEqual({ code: "cancelled", run });
    world.begin(run, "write", ["file:a"]);
    world.live(20_000, run);
    expect(world.run(run).state).toBe("parked");
    world.ok({ type: "claim.cancel", claim: world.run(run).call?.claim ?? "" });
    expect(world.run(run)).toMatchObject({ state: "running", call: null });
  });

  test("[RN6] the claim by which a run starts is the run's, not to be cancelled", () => {
    const world = made();
    world.claim("A", "file:a");
    const run = world.submit({ plan: ["file:a"] });
    expect(world.no({ type: "claim.cancel", claim: world.run(run).claim ?? "" })).toMatchObject({
      code: "in-use",
      by: run,
    });
  });

  test("[EN51] a process that may still run keeps its unit with its run, also beyond the run's next call under it", () => {
    const world = made();
    const run = world.started();
    const other = world.started();
    world.begin(run, "process", ["process:test"]);
    world.finishCall(run, [], [], { ok: false, exit: "unknown", unended: true });
    expect(world.lastOf("call.finished")).toMatchObject([{ unended: true }]);
    expect(world.lastOf("lease.released")).toEqual([]);
    expect(world.begin(other, "process", ["process:test"]).state).toBe("waiting");
    expect(world.begin(run, "process", ["process:test"]).state).toBe("go");
    world.finishCall(run);
    expect(world.run(other).call?.started).toBe(false);
  });

  test("[RN7] an outcome is recorded once, and an unknown exit stays unknown", () => {
    const world = made();
    const run = world.started();
    world.begin(run, "process", ["process:test"]);
    const { family } = world.run(run);
    const report = {
      ok: false,
      exit: "unknown",
      summary: "lost",
      changed: [{ path: "a", bytes: 3 }],
      works: [],
      output: "o1",
    } as const;
    const finish = { type: "call.finish", run, family, call: 0, ...report } as const;
    world.ok(finish);
    expect(world.lastOf("call.finished")).toMatchObject([{ exit: "unknown", tool: "process", output: "o1" }]);
    expect(world.holdings()).toEqual([]);
    world.ok(finish);
    expect(world.last).toEqual([]);
    expect(world.run(run)).toMatchObject({ bytesWritten: 3, callsDone: 1 });
    expect(world.no({ ...finish, call: 1 })).toMatchObject({ code: "out-of-order" });
  });

  test("[RN7] a call that still waits has no outcome", () => {
    const world = made();
    world.claim("A", "file:a");
    const run = world.started();
    world.begin(run, "write", ["file:a"]);
    const { family } = world.run(run);
    const report = { ok: true, exit: null, summary: "", changed: [], works: [], output: null };
    expect(world.no({ type: "call.finish", run, family, call: 0, ...report })).toMatchObject({ code: "out-of-order" });
  });
});

describe("a call that only looks", () => {
  const looked = { ok: true, summary: "read a (1f)", print: "p", reads: [{ path: "a", entry: "100644:1" }] } as const;
  const toPass = (world: CoreWorld, run: string, call = world.run(run).callsDone): PassCall => {
    const { family } = world.run(run);
    return { type: "call.pass", run, family, call, tool: "read", ...looked };
  };

  test("[RN37] is begun, open and over in one step, and the same again is the same call", () => {
    const world = made();
    const run = world.started();
    const pass = toPass(world, run);
    expect(world.ok(pass)).toEqual({ of: "call", call: { state: "done" } });
    expect(world.last.map(({ type }) => type)).toEqual(["call.queued", "call.started", "call.finished"]);
    expect(world.lastOf("call.finished")).toMatchObject([{ call: 0, tool: "read", reads: looked.reads }]);
    expect(world.run(run)).toMatchObject({ callsDone: 1, call: null });
    expect(world.ok(pass)).toEqual({ of: "call", call: { state: "done" } });
    expect(world.last).toEqual([]);
    expect(world.ok(toPass(world, run))).toEqual({ of: "call", call: { state: "done" } });
    expect(world.lastOf("call.finished")[0]).not.toHaveProperty("reads");
  });

  test("[RN37] leaves no trace where its run is not running, or another call is open", () => {
    const world = made();
    const run = world.started();
    const pass = toPass(world, run);
    expect(world.no({ ...pass, call: 1 })).toMatchObject({ code: "out-of-order", next: 0 });
    expect(world.no({ ...pass, family: "other" })).toMatchObject({ code: "expired" });
    world.begin(run, "run");
    expect(world.no(pass)).toMatchObject({ code: "out-of-order" });
    world.finishCall(run, []);
    world.ok({ type: "run.pause", run });
    expect(world.no(toPass(world, run))).toMatchObject({ code: "wrong-state", state: "paused", wanted: "running" });
    expect(world.last).toEqual([]);
  });
});

describe("what is read", () => {
  const read = (world: CoreWorld, run: string, path: string, entry: string): void => {
    world.begin(run, "read", []);
    const { family, callsDone: call } = world.run(run);
    const outcome = { ok: true, exit: null, summary: "", changed: [], works: [], output: null };
    world.ok({ type: "call.finish", run, family, call, ...outcome, reads: [{ path, entry }] });
  };

  test("[LD30] is remembered with what it was; the same again is no news, and there is a bound to it", () => {
    const world = new CoreWorld({ checkEvery: 200, restoreEvery: 200 });
    world.project();
    const run = world.started();
    read(world, run, "a", "100644:1");
    read(world, run, "a", "100644:1");
    read(world, run, "b", "100644:1");
    read(world, run, "a", "100644:2");
    const told = world.log.flatMap((event) => (event.type === "call.finished" ? [event.reads?.length ?? 0] : []));
    expect(told).toEqual([1, 0, 1, 1]);
    expect([...world.run(run).workspace.reads]).toEqual([
      ["b", "100644:1"],
      ["a", "100644:2"],
    ]);
    for (let at = 0; at < readsMax; at++) read(world, run, `many/${at}`, "100644:1");
    expect(world.run(run).workspace.reads.size).toBe(readsMax);
    expect(world.run(run).workspace.reads.has("a")).toBe(false);
  });
});
