import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project({ processes: { migrate: { argv: ["m"], scope: "project" } } });
  return world;
}

describe("planned and automatic", () => {
  test("[LS40] a plan is one waiting claim, and the run starts at its grant", () => {
    const world = made();
    const a = world.claim("A", "file:a");
    const run = world.submit({ plan: ["file:a", "file:b"] });
    expect(world.run(run).state).toBe("queued");
    expect(world.lastOf("claim.queued")).toMatchObject([{ units: ["file:a", "file:b"], slot: run }]);
    expect(world.pending()).toEqual([]);
    world.release(a);
    expect(world.last.map((event) => event.type)).toEqual(["lease.released", "lease.granted", "run.moved"]);
    expect(world.acts().map((act) => act.type)).toEqual(["refresh", "drive"]);
  });

  test("[LS40] a call on what was planned waits until its paths are in step", () => {
    const world = made();
    const run = world.submit({ plan: ["file:a"] });
    world.driven(run);
    expect(world.begin(run, "write", ["file:a"])).toEqual({ state: "waiting", behind: [] });
    world.refresh();
    expect(world.run(run).call?.started).toBe(true);
  });

  test("[LS41] auto: the first write claims its whole footprint in one claim, and waits for it", () => {
    const world = made();
    const b = world.claim("B", "file:b");
    const run = world.started();
    expect(world.begin(run, "edit", ["file:a", "file:b"]).state).toBe("waiting");
    expect(world.holdings()).toEqual(["B: file:b"]);
    world.release(b);
    world.refresh();
    expect(world.run(run).call).toMatchObject({ started: true, fences: [2, 3] });
    world.finishCall(run, ["a", "b"]);
    // What is held already needs no claim.
    expect(world.begin(run, "write", ["file:a"]).state).toBe("go");
  });

  test("[LS41] explicit: the first write is refused with the unit to claim, and a claim makes it possible", () => {
    const world = made();
    world.policy("ask first", { claiming: "explicit" });
    const run = world.started();
    expect(world.refused(run, "write", ["file:a"])).toEqual({ code: "outside-lease", unit: "file:a" });
    world.begin(run, "claim", ["dir:"]);
    world.refresh();
    world.finishCall(run);
    expect(world.begin(run, "write", ["file:a"]).state).toBe("go");
  });

  test("[LS42] what a command changed outside the leases can be tried, never waited for", () => {
    const world = made();
    world.claim("B", "file:b");
    const run = world.started();
    world.begin(run, "run");
    const { family } = world.run(run);
    const report = { ok: true, exit: 0, summary: "", changed: [], output: null } as const;
    const works = world.works(run, ["b", "bad\nname", "c"]);
    world.ok({ type: "call.finish", run, family, call: 0, ...report, works }, `agent:${run}`);
    expect(world.run(run).state).toBe("running");
    // A name that no unit can have is left out: it could neither be leased nor landed.
    expect(world.lastOf("call.finished")).toMatchObject([{ works: [{ path: "b" }, { path: "c" }] }]);
    expect(world.holdings()).toEqual(["B: file:b", `${run}: file:c`]);
    expect(world.trash()).toEqual(["b (somebody else holds it)"]);
    world.refresh();
    world.complete(run);
    expect(world.holdings()).toEqual(["B: file:b"]);
  });
});

describe("sub-runs", () => {
  test("[LS43] sub-runs act under the family's leases and never wait for each other", () => {
    const world = made();
    const root = world.started({ plan: ["dir:src"] });
    const one = world.submit({ parent: root, sub: true });
    const two = world.submit({ parent: root, sub: true });
    world.driven(one);
    world.driven(two);
    expect(world.begin(one, "write", ["file:src/a"]).state).toBe("go");
    expect(world.begin(two, "write", ["file:src/a"]).state).toBe("go");
  });

  test("[LS43] a sub-run's end releases nothing, the root's end everything", () => {
    const world = made();
    const root = world.started();
    const sub = world.submit({ parent: root, sub: true });
    world.driven(sub);
    world.write(sub, "a");
    world.finish(sub);
    expect(world.run(sub).state).toBe("done");
    expect(world.holdings()).toEqual([`${root}: file:a`]);
    const late = world.submit({ parent: root, sub: true });
    world.ok({ type: "run.terminate", select: { by: "run", run: root }, because: "enough" });
    expect(world.run(late)).toMatchObject({ state: "terminated", because: `its run ${root} is over` });
    expect(world.holdings()).toEqual([]);
  });

  test("[LS43] within a family too, one process at a time runs under a unit", () => {
    const world = made();
    const root = world.started();
    const one = world.submit({ parent: root, sub: true });
    const two = world.submit({ parent: root, sub: true });
    world.driven(one);
    world.driven(two);
    expect(world.begin(one, "process", ["process:migrate"]).state).toBe("go");
    expect(world.begin(two, "process", ["process:migrate"]).state).toBe("waiting");
    const outside = world.claim("B", "process:migrate");
    world.finishCall(one);
    // The unit was taken for the first call alone; the second claims it anew, behind B.
    expect(world.stateOf(outside)).toBe("granted");
    expect(world.run(two).call?.started).toBe(false);
    world.release(outside);
    expect(world.run(two).call).toMatchObject({ started: true, taken: "process:migrate" });
  });

  test("[LS43] the process of a sub-run that was ended keeps its unit until it is proven dead", () => {
    const world = made();
    const root = world.started({ plan: ["process:migrate"] });
    const one = world.submit({ parent: root, sub: true });
    const two = world.submit({ parent: root, sub: true });
    world.driven(one);
    world.driven(two);
    world.begin(one, "process", ["process:migrate"]);
    world.begin(two, "process", ["process:migrate"]);
    world.ok({ type: "run.terminate", select: { by: "run", run: one }, because: "enough" });
    expect(world.run(two).call?.started).toBe(false);
    world.stopped(one);
    expect(world.run(two).call?.started).toBe(true);
  });

  test("[LS43] a process unit claimed for more than the call stays when the call ends", () => {
    const world = made();
    const root = world.started();
    const sub = world.submit({ parent: root, sub: true });
    world.driven(sub);
    world.begin(root, "process", ["process:migrate"]);
    const waiting = world.claim("B", "process:migrate");
    // What the sub-run is told is its own must not go when the root's process ends.
    expect(world.begin(sub, "claim", ["process:migrate"]).state).toBe("go");
    world.finishCall(sub);
    world.finishCall(root);
    expect(world.holdings()).toEqual([`${root}: process:migrate`]);
    expect(world.stateOf(waiting)).toBe("queued");
    world.begin(root, "process", ["process:migrate"]);
    world.finishCall(root);
    expect(world.holdings()).toEqual([`${root}: process:migrate`]);
  });
});

describe("separate runs", () => {
  test("[LS46] waiting for a run is an edge: who holds what that one needs is refused the wait", () => {
    const world = made();
    const parent = world.started({ plan: ["file:a"] });
    const child = world.submit({ parent, plan: ["file:a"] });
    expect(world.run(child).state).toBe("queued");
    const refusal = world.refused(parent, "wait-run", [], { other: child });
    expect(refusal).toMatchObject({ code: "deadlock" });
    expect(world.run(parent).state).toBe("running");
    world.ok({ type: "run.release", run: parent, family: world.run(parent).family, units: null, setAside: false });
    expect(world.begin(parent, "wait-run", [], { other: child }).state).toBe("waiting");
    world.driven(child);
    world.refresh();
    world.complete(child);
    expect(world.run(parent)).toMatchObject({ state: "running", call: { started: true } });
  });

  test("[LS46] and who is waited for is refused what the waiting one holds", () => {
    const world = made();
    const parent = world.started({ plan: ["file:a"] });
    const child = world.started({ parent });
    world.begin(parent, "wait-run", [], { other: child });
    expect(world.refused(child, "write", ["file:a"])).toMatchObject({ code: "deadlock" });
  });

  test("[LS46] the wait reaches through what the other depends on", () => {
    const world = made();
    const first = world.started();
    const second = world.submit({ dependsOn: [first] });
    const waiter = world.started({ plan: ["file:a"] });
    world.begin(waiter, "wait-run", [], { other: second });
    // second ends after first: first waiting for a would wait for itself.
    expect(world.refused(first, "write", ["file:a"])).toMatchObject({ code: "deadlock" });
    expect(world.refused(first, "wait-run", [], { other: waiter })).toMatchObject({ code: "deadlock" });
  });

  test("[LS46] a plan that closes a circle ends the run instead of starting it without", () => {
    const world = made();
    const first = world.started();
    const planned = world.submit({ dependsOn: [first], plan: ["file:a"] });
    const waiter = world.started({ plan: ["file:a"] });
    world.begin(waiter, "wait-run", [], { other: planned });
    world.complete(first);
    expect(world.run(planned)).toMatchObject({
      state: "failed",
      because: expect.stringContaining("closes a circle") as string,
    });
    expect(world.run(waiter).call?.started).toBe(true);
  });

  test("[LS46] the edge follows a run that was lost and came back, and goes when the waiting one is paused", () => {
    const world = made();
    const parent = world.started({ plan: ["file:a"] });
    const child = world.started({ parent });
    world.begin(parent, "wait-run", [], { other: child });
    world.live(30_000, parent);
    expect(world.run(child).lost).toBe(true);
    world.ok({ type: "run.back", run: child }, "system");
    expect(world.refused(child, "write", ["file:a"])).toMatchObject({ code: "deadlock" });
    world.ok({ type: "run.pause", run: parent });
    expect(world.begin(child, "write", ["file:a"]).state).toBe("waiting");
    world.ok({ type: "run.resume", run: parent });
    // Waiting on would close the circle now: the call ends, and the run goes on.
    expect(world.run(parent)).toMatchObject({ state: "running", call: null, refused: { code: "deadlock" } });
  });

  test("[LS46] a run may wait for its own sub-run, but not for whoever ends only after it", () => {
    const world = made();
    const root = world.started();
    const one = world.submit({ parent: root, sub: true });
    const two = world.submit({ parent: root, sub: true });
    world.driven(one);
    world.driven(two);
    expect(world.refused(one, "wait-run", [], { other: root })).toMatchObject({ code: "deadlock" });
    expect(world.begin(root, "wait-run", [], { other: one }).state).toBe("waiting");
    expect(world.begin(one, "wait-run", [], { other: two }).state).toBe("waiting");
    expect(world.refused(two, "wait-run", [], { other: one })).toMatchObject({ code: "deadlock" });
    world.finish(two);
    expect(world.run(one).call?.started).toBe(true);
    world.finishCall(one);
    world.finish(one);
    expect(world.run(root).call?.started).toBe(true);
  });
});
