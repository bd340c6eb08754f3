import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project();
  return world;
}

describe("setting aside", () => {
  test("[LD16] bytes go to the trash under run and path, and the path is as its base again", () => {
    const world = made();
    const run = world.started({ plan: ["file:a"] });
    world.begin(run, "write", ["file:a"]);
    world.finishCall(run, ["a"], [{ path: "a", base: "100644:one", work: "100644:mine" }]);
    world.ok({ type: "run.release", run, family: `${run}.1`, units: ["file:a"], setAside: true });
    const [item] = world.state.trash.values();
    expect(item).toMatchObject({ run, path: "a", base: "100644:one", work: "100644:mine", atMs: world.nowMs });
    expect(world.run(run).workspace.dirty.size).toBe(0);
    expect(world.lastOf("paths.set-aside")[0]?.ids).toEqual([item?.id]);
  });

  test("[LD16] what a base that comes back cannot stand beside is set aside with it", () => {
    const world = made();
    world.policy("no", { deniedPaths: ["a"] });
    const run = world.started({ plan: ["file:a/x"] });
    world.begin(run, "run");
    const works = [
      { path: "a", base: "100644:file", work: null },
      { path: "a/x", base: null, work: "100644:x" },
      { path: "b", base: null, work: "100644:b" },
    ];
    world.finishCall(run, [], works);
    expect(world.trash()).toEqual(["a (policy no forbids it)", "a/x (policy no forbids it)"]);
    expect([...world.run(run).workspace.dirty.keys()]).toEqual(["b"]);
    expect(world.holdings()).toEqual([`${run}: file:a/x file:b`]);
  });

  test("[LD18] giving back a changed unit needs consent, and takes only what lies beneath it", () => {
    const world = made();
    const run = world.started({ plan: ["dir:src", "file:a"] });
    world.write(run, "src/x", "a");
    const release = { type: "run.release", run, family: `${run}.1`, units: ["dir:src"] } as const;
    expect(world.no({ ...release, setAside: false })).toMatchObject({ code: "dirty", paths: ["file:src/x"] });
    expect(world.state.trash.size).toBe(0);
    world.ok({ ...release, setAside: true });
    expect(world.trash()).toEqual(["src/x (its unit was given back)"]);
    expect([...world.run(run).workspace.dirty.keys()]).toEqual(["a"]);
  });

  test("[LD18] what another lease still covers stays, and so does what the run carries elsewhere", () => {
    const world = made();
    const run = world.started({ plan: ["dir:src", "file:src/x", "file:a"] });
    world.write(run, "src/x", "a");
    world.pass(31_000);
    world.ok({ type: "run.back", run }, "system");
    world.begin(run, "claim", ["dir:src", "file:src/x"]);
    world.refresh();
    world.finishCall(run);
    const release = { type: "run.release", run, family: `${run}.2`, setAside: true } as const;
    world.ok({ ...release, units: ["dir:src"] });
    expect(world.trash()).toEqual([]);
    world.ok({ ...release, units: ["file:src/x"] });
    // It lost its lease on `a` and has not claimed it again: giving back something else is no reason to give it up.
    expect(world.trash()).toEqual(["src/x (its unit was given back)"]);
    expect([...world.run(run).workspace.dirty.keys()]).toEqual(["a"]);
  });

  test.each([
    ["failed", (world: CoreWorld, run: string) => world.finish(run, false, "broke")],
    [
      "terminated",
      (world: CoreWorld, run: string) =>
        world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" }),
    ],
  ] as const)("[LD38] what a run changed that is %s is in the trash", (state, end) => {
    const world = made();
    const run = world.started({ plan: ["file:a"] });
    world.write(run, "a", "b");
    end(world, run);
    expect(world.run(run).state).toBe(state);
    expect(world.trash()).toEqual([`a (its run is ${state})`, `b (its run is ${state})`]);
    expect(world.holdings()).toEqual([]);
  });

  test("[LD38] what nobody had looked at when a run ended comes with the proof of its end", () => {
    const world = made();
    const run = world.started();
    world.begin(run, "run");
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    world.stopped(run, [...world.works(run, ["late"]), { path: "same", base: "100644:x", work: "100644:x" }]);
    expect(world.trash()).toEqual(["late (its run is terminated)"]);
    world.stopped(run, world.works(run, ["again"]));
    expect(world.trash()).toHaveLength(1);
  });

  test("[LD38] what a sub-run left that was cut off is its root's, and is judged with it", () => {
    const world = made();
    world.claim("B", "file:taken");
    const run = world.started();
    world.write(run, "a");
    const sub = world.submit({ parent: run, sub: true });
    world.driven(sub);
    world.begin(sub, "run");
    world.ok({ type: "run.terminate", select: { by: "run", run: sub }, because: "enough" });
    const finish = { type: "run.finish", run, family: `${run}.1`, ok: true, message: "" } as const;
    expect(world.no(finish)).toEqual({ code: "in-use", kind: "run", id: run, by: sub });
    const [kept] = world.run(run).workspace.dirty.values();
    world.stopped(sub, [...(kept === undefined ? [] : [kept]), ...world.works(run, ["b", "taken"])]);
    expect(world.trash()).toEqual(["taken (somebody else holds it)"]);
    world.refresh();
    world.ok(finish);
    expect(world.run(run).approved).toMatchObject([{ path: "a" }, { path: "b" }]);
  });

  test("[LD38] what a sub-run leaves after its root has ended is set aside, too", () => {
    const world = made();
    const run = world.started();
    const sub = world.submit({ parent: run, sub: true });
    world.driven(sub);
    world.begin(sub, "run");
    world.finish(run, false, "broke");
    world.stopped(run);
    world.stopped(sub, world.works(run, ["late"]));
    expect(world.trash()).toEqual(["late (its run is failed)"]);
  });

  test("[LD25] rejecting sets everything aside and frees the leases; returning keeps both, fences too", () => {
    const world = made();
    world.policy("look", { approvalRequired: true });
    const run = world.started();
    world.write(run, "a");
    world.finish(run);
    const lease = [...(world.state.table.families.get(`${run}.1`)?.leases.values() ?? [])][0];
    world.ok({ type: "run.return", run, message: "shorter" });
    expect(world.trash()).toEqual([]);
    const kept = [...(world.state.table.families.get(`${run}.1`)?.leases.values() ?? [])][0];
    expect(kept?.fence).toBe(lease?.fence);
    world.finish(run);
    world.ok({ type: "run.reject", run, message: "no" });
    expect(world.trash()).toEqual(["a (its run is rejected)"]);
    expect(world.holdings()).toEqual([]);
  });

  test("[LD38] the trash keeps what is in it until somebody purges it by name", () => {
    const world = made();
    const run = world.started();
    world.write(run, "a", "b");
    world.finish(run, false, "broke");
    world.stopped(run);
    world.ok({ type: "run.remove", run });
    const [first = "", second = ""] = world.state.trash.keys();
    expect(world.no({ type: "trash.purge", ids: [first, "t_none"] })).toMatchObject({
      code: "not-found",
      id: "t_none",
    });
    expect(world.state.trash.size).toBe(2);
    world.ok({ type: "trash.purge", ids: [first] });
    expect([...world.state.trash.keys()]).toEqual([second]);
    world.ok({ type: "trash.purge", ids: [] });
    expect(world.last).toEqual([]);
  });
});
