import { describe, expect, test } from "vitest";
import { CoreWorld, toSubmit } from "../../../test/support/core-world.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project({ processes: { test: { argv: ["t"], scope: "project" } } });
  return world;
}

describe("sub-runs", () => {
  test("[RN19] a sub-run needs a parent that is at work in the same project", () => {
    const world = made();
    const other = world.project();
    const run = world.started();
    const sub = (more: Parameters<typeof toSubmit>[1]) =>
      world.no(toSubmit(world.state, { parent: run, sub: true, ...more }));
    expect(sub({ project: other })).toMatchObject({ code: "not-found", id: run });
    world.ok({ type: "run.pause", run });
    expect(sub({})).toMatchObject({ code: "wrong-state", state: "paused" });
    world.ok({ type: "run.resume", run });
    world.pass(30_000);
    expect(world.run(run).lost).toBe(true);
    expect(sub({})).toMatchObject({ code: "wrong-state", state: "parked" });
    world.ok({ type: "run.back", run }, "system");
    world.claim("A", "file:a");
    const queued = world.submit({ plan: ["file:a"] });
    expect(world.no(toSubmit(world.state, { parent: queued, sub: true }))).toMatchObject({
      code: "wrong-state",
      state: "queued",
    });
    world.complete(run);
    expect(sub({})).toMatchObject({ code: "wrong-state", state: "done" });
  });

  test("[RN19] it works in its parent's family and on its node, and what it plans is the family's", () => {
    const world = made();
    const run = world.started({ node: "blue" });
    const a = world.claim("A", "file:a");
    const sub = world.submit({ parent: run, sub: true, node: "red", plan: ["file:a"] });
    expect(world.run(sub)).toMatchObject({ state: "queued", node: "blue", family: `${run}.1` });
    world.release(a);
    expect(world.run(sub).state).toBe("starting");
    expect(world.holdings()).toEqual([`${run}: file:a`]);
    world.driven(sub);
    const deep = world.submit({ parent: sub, sub: true });
    expect(world.run(deep).family).toBe(`${run}.1`);
    world.finish(run, false, "broke");
    expect([world.run(sub).state, world.run(deep).state]).toEqual(["terminated", "terminated"]);
  });

  test("[RN19] a sub-run's waiting claim ends with it", () => {
    const world = made();
    world.claim("A", "file:a");
    const run = world.started();
    const sub = world.submit({ parent: run, sub: true });
    world.driven(sub);
    world.begin(sub, "write", ["file:a"]);
    const claim = world.run(sub).call?.claim ?? "";
    world.ok({ type: "run.terminate", select: { by: "run", run: sub }, because: "enough" });
    expect(world.stateOf(claim)).toBe("holder-gone");
  });

  test("[RN19] a sub-run that ended is tried again only under a parent at work", () => {
    const world = made();
    const run = world.started();
    const sub = world.submit({ parent: run, sub: true });
    world.driven(sub);
    world.finish(sub, false, "broke");
    const again = world.id({ type: "run.retry", run: sub });
    expect(world.run(again)).toMatchObject({ sub: true, family: `${run}.1` });
    world.finish(run, false, "broke too");
    expect(world.no({ type: "run.retry", run: sub })).toMatchObject({ code: "wrong-state", run });
    world.stopped(run);
    // Its workspace goes with it, and may still be written to.
    expect(world.no({ type: "run.remove", run })).toMatchObject({ code: "in-use" });
    world.stopped(sub);
    world.stopped(again);
    world.ok({ type: "run.remove", run });
    expect(world.no({ type: "run.retry", run: sub })).toMatchObject({ code: "not-found" });
    world.ok({ type: "run.remove", run: sub });
  });
});

describe("lost and back", () => {
  test("[RN20] a lost run goes on as the next incarnation, with its sub-runs", () => {
    const world = made();
    const run = world.started();
    const working = world.submit({ parent: run, sub: true });
    const waiting = world.submit({ parent: run, sub: true, dependsOn: [working] });
    world.driven(working);
    world.begin(run, "write", ["file:a"]);
    world.pass(30_000);
    expect(world.lastOf("run.lost")).toHaveLength(3);
    expect(world.run(run)).toMatchObject({ state: "parked", call: null, callsDone: 0 });
    world.ok({ type: "run.back", run: working }, "system");
    expect(world.last).toEqual([]);
    world.ok({ type: "run.back", run }, "system");
    for (const each of [run, working, waiting])
      expect(world.run(each)).toMatchObject({ family: `${run}.2`, lost: false });
    expect([world.run(run).state, world.run(working).state, world.run(waiting).state]).toEqual([
      "running",
      "running",
      "queued",
    ]);
    world.ok({ type: "run.back", run }, "system");
    expect(world.last).toEqual([]);
    world.finish(working);
    expect(world.run(waiting).state).toBe("starting");
  });

  test("[RN20] lost while its result was tried, it works again", () => {
    const world = made();
    const run = world.started({ acceptance: ["true"] });
    world.finish(run);
    world.pass(30_000);
    expect(world.run(run)).toMatchObject({ state: "parked", lost: true });
    world.ok({ type: "run.validated", run, ok: true, message: "" }, "system");
    expect(world.run(run).state).toBe("parked");
    world.ok({ type: "run.back", run }, "system");
    expect(world.run(run).state).toBe("running");
  });

  test("[RN20] lost and paused, it stays paused, whichever comes first", () => {
    const world = made();
    const run = world.started();
    const sub = world.submit({ parent: run, sub: true });
    world.driven(sub);
    world.ok({ type: "run.pause", run: sub });
    world.pass(30_000);
    world.ok({ type: "run.pause", run });
    expect([world.run(run), world.run(sub)]).toMatchObject([
      { state: "paused", lost: true },
      { state: "paused", lost: true },
    ]);
    world.ok({ type: "run.resume", run });
    expect(world.run(run)).toMatchObject({ state: "parked", lost: true });
    world.ok({ type: "run.pause", run });
    world.ok({ type: "run.back", run }, "system");
    expect(world.run(run)).toMatchObject({ state: "paused", lost: false });
    world.ok({ type: "run.resume", run });
    expect([world.run(run).state, world.run(sub).state]).toEqual(["running", "running"]);
  });

  test("[RN20] a slot is needed to come back, too", () => {
    const world = made();
    world.policy("one", { maxConcurrent: 1 });
    const run = world.started();
    const next = world.submit();
    world.pass(30_000);
    expect(world.run(next).state).toBe("starting");
    world.ok({ type: "run.back", run }, "system");
    expect(world.run(run)).toMatchObject({ state: "parked", lost: false });
    world.finish(next, false, "no");
    expect(world.run(run).state).toBe("running");
  });
});

describe("dependencies, time and leaving", () => {
  test("[RN21] a run enters the queue when all it depends on is done", () => {
    const world = made();
    const [one, two] = [world.started(), world.started()];
    const run = world.submit({ dependsOn: [one, two] });
    world.complete(one);
    expect(world.run(run).state).toBe("queued");
    world.complete(two);
    expect(world.run(run).state).toBe("starting");
  });

  test("[RN21] it fails when one of them ends badly, also before it was submitted or while it was paused", () => {
    const world = made();
    const [one, two] = [world.started(), world.started()];
    const paused = world.submit({ dependsOn: [one] });
    const queued = world.submit({ dependsOn: [one, two] });
    world.ok({ type: "run.pause", run: paused });
    world.finish(one, false, "broke");
    expect(world.run(queued)).toMatchObject({ state: "failed", because: `it depends on ${one}, which is failed` });
    expect(world.run(world.submit({ dependsOn: [one] })).state).toBe("failed");
    world.ok({ type: "run.resume", run: paused });
    expect(world.run(paused).state).toBe("failed");
  });

  test("[RN21] what was done once stays good", () => {
    const world = made();
    world.policy("one", { maxConcurrent: 1 });
    const one = world.started();
    world.write(one, "a");
    const busy = world.submit();
    const run = world.submit({ dependsOn: [one] });
    world.complete(one);
    expect([world.run(busy).state, world.run(run).state]).toEqual(["starting", "queued"]);
    world.ok({ type: "run.continue", run: one, message: "more" });
    world.finish(one, false, "broke");
    expect(world.run(run).state).toBe("queued");
    world.finish(busy, false, "");
    expect(world.run(run).state).toBe("starting");
  });

  test("[RN22] a time limit counts only while the run is at work", () => {
    const world = made();
    world.policy("a minute", { maxTimeMs: 60_000 });
    const run = world.started();
    expect(world.log.findLast((event) => event.type === "run.limited")).toMatchObject({ run, policy: "a minute" });
    world.live(50_000, run);
    world.ok({ type: "run.pause", run });
    world.pass(1e9);
    world.ok({ type: "run.resume", run });
    world.live(9_999, run);
    expect(world.run(run).state).toBe("running");
    world.pass(1);
    expect(world.run(run)).toMatchObject({ state: "failed", because: "its time is up" });
    expect(world.lastOf("run.moved")).toMatchObject([{ policy: "a minute" }]);
  });

  test("[RN22] time in review and waiting for an answer is not the run's", () => {
    const world = made();
    world.policy("rules", { maxTimeMs: 60_000, approvalRequired: true });
    const run = world.started();
    world.ok({ type: "run.ask", run, family: world.run(run).family, call: 0, text: "?" });
    world.live(100_000, run);
    world.ok({ type: "run.answer", run, text: "!" });
    world.write(run, "a");
    world.finish(run);
    world.pass(1e9);
    world.ok({ type: "run.return", run, message: "more" });
    world.live(59_999, run);
    expect(world.run(run).state).toBe("running");
    world.pass(1);
    expect(world.run(run).state).toBe("failed");
  });

  test("[RN23] a report about a sub-run that never started finds nothing, also when its root is forgotten", () => {
    const world = made();
    const [root, other] = [world.started(), world.started()];
    const sub = world.submit({ parent: root, sub: true, dependsOn: [other] });
    world.ok({ type: "run.terminate", select: { by: "run", run: root }, because: "enough" });
    world.stopped(root);
    world.ok({ type: "run.remove", run: root });
    const before = world.log.length;
    world.ok({ type: "run.stopped", run: sub, works: [{ path: "a", base: null, work: "100644:a" }] }, "system");
    expect([world.run(sub).startedAtMs, world.log.length - before]).toEqual([null, 0]);
  });

  test("[RN23] a run is removed once it is over, proven stopped, and nobody depends on it", () => {
    const world = made();
    const run = world.started({ plan: ["file:a"] });
    expect(world.no({ type: "run.remove", run })).toMatchObject({ code: "wrong-state" });
    const dependant = world.submit({ dependsOn: [run] });
    world.ok({ type: "run.pause", run: dependant });
    world.complete(run);
    expect(world.no({ type: "run.remove", run })).toMatchObject({ code: "in-use", by: "local" });
    world.stopped(run);
    expect(world.no({ type: "run.remove", run })).toMatchObject({ code: "in-use", by: dependant });
    world.ok({ type: "run.terminate", select: { by: "run", run: dependant }, because: "" });
    const { task } = world.run(run);
    world.ok({ type: "run.remove", run });
    expect([
      world.state.runs.has(run),
      world.state.tasks.has(task),
      world.state.table.families.has(`${run}.1`),
    ]).toEqual([false, false, false]);
    expect(world.no({ type: "run.remove", run })).toMatchObject({ code: "not-found" });
    world.ok({ type: "run.remove", run: dependant });
  });
});
