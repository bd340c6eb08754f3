import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { inReview, patienceMs, reviewing } from "../../../test/support/reviewing-world.ts";
import type { Chosen } from "./workspace-state.ts";

/** What a person would approve who was shown these paths. */
function shown(world: CoreWorld, run: string, ...paths: readonly string[]): Chosen[] {
  return paths.map((path) => {
    const work = world.run(run).workspace.dirty.get(path);
    if (work === undefined) throw new Error(`${path} is not changed`);
    return { ...work, entry: work.work };
  });
}

const actOf = (world: CoreWorld): string => world.pending().find((act) => act.type === "land")?.id ?? "";
const mainlineOf = (world: CoreWorld): string | undefined => [...world.state.projects.values()][0]?.mainline;

describe("change set and approval", () => {
  test("[LD19] the change set is what is dirty and held, and nothing else", () => {
    const world = reviewing();
    const run = world.started({ plan: ["file:a", "file:clean"] });
    world.write(run, "a", "b");
    world.pass(31_000);
    world.ok({ type: "run.back", run }, "system");
    world.begin(run, "claim", ["file:b", "file:clean"]);
    world.refresh();
    world.finishCall(run);
    world.finish(run);
    expect(world.holdings()).toEqual([`${run}: file:b`]);
    world.ok({ type: "run.approve", run, approved: null });
    expect(world.run(run).approved).toMatchObject([{ path: "b" }]);
  });

  test("[LD22] approving all binds every path to its base and content", () => {
    const world = reviewing();
    const run = inReview(world, "b", "a");
    const approved = shown(world, run, "a", "b").map(({ path, base, entry }) => ({ path, base, entry }));
    world.ok({ type: "run.approve", run, approved: null });
    expect(world.lastOf("run.approved")).toMatchObject([{ run, approved }]);
    expect(world.run(run)).toMatchObject({ state: "landing", approved });
  });

  test("[LD22] an approval of what is not there any more is refused", () => {
    const world = reviewing();
    const run = inReview(world, "a", "b");
    const [a, b] = shown(world, run, "a", "b");
    if (a === undefined || b === undefined) throw new Error("both are changed");
    const approve = (...approved: Chosen[]): string => world.no({ type: "run.approve", run, approved }).code;
    expect(approve({ ...a, base: "100644:older" })).toBe("changed");
    expect(approve({ ...a, work: "100644:older" })).toBe("changed");
    expect(approve(a, a)).toBe("changed");
    expect(approve({ path: "c", base: null, work: "100644:x", entry: "100644:x" })).toBe("not-found");
    expect(approve()).toBe("incomplete");
    expect(world.run(run).state).toBe("review");
  });

  test("[LD22] an approval does not outlive a return", () => {
    const world = reviewing();
    const run = inReview(world, "a");
    world.ok({ type: "run.approve", run, approved: null });
    world.ok({ type: "run.landed", run, how: "back", message: "red" }, "system");
    expect(world.run(run)).toMatchObject({ state: "review", approved: null, approvedBy: null });
    world.ok({ type: "run.return", run, message: "again" });
    expect(world.run(run)).toMatchObject({ approved: null, approvedBy: null });
  });

  test("[LD24] a group is approved whole or not at all", () => {
    const world = reviewing();
    const run = world.started({ plan: ["dir:a"] });
    world.begin(run, "write", ["file:a", "file:a/x"]);
    world.finishCall(
      run,
      ["a", "a/x"],
      [
        { path: "a", base: "100644:file", work: null },
        { path: "a/x", base: null, work: "100644:x" },
      ],
    );
    world.write(run, "b");
    world.finish(run);
    const part = shown(world, run, "a/x");
    expect(world.no({ type: "run.approve", run, approved: part })).toEqual({ code: "incomplete", paths: ["a"] });
    world.ok({ type: "run.approve", run, approved: shown(world, run, "a/x", "a") });
    expect(world.run(run).approved?.map(({ path }) => path)).toEqual(["a", "a/x"]);
  });
});

describe("a move", () => {
  const move = (world: CoreWorld, run: string, { from, to }: { from: string; to: string }): void => {
    world.begin(run, "move", [`file:${from}`, `file:${to}`]);
    world.refresh();
    const { dirty } = world.run(run).workspace;
    const known = dirty.get(from);
    const work = known === undefined ? `100644:${from}` : known.work;
    const base = known === undefined ? work : known.base;
    const works = [
      { path: from, base, work: null },
      { path: to, base: dirty.get(to)?.base ?? null, work },
    ];
    world.finishCall(run, [from, to], works, { moves: [{ from, to }] });
  };
  const approve = (run: string, approved: Chosen[]) => ({ type: "run.approve", run, approved }) as const;

  test("[LD24] is approved with both its ends, also when the file was changed or moved on since", () => {
    const world = reviewing();
    const run = world.started();
    move(world, run, { from: "a", to: "b" });
    world.write(run, "b", "other");
    move(world, run, { from: "b", to: "c" });
    world.finish(run);
    expect(world.no(approve(run, shown(world, run, "c")))).toEqual({ code: "incomplete", paths: ["a"] });
    expect(world.no(approve(run, shown(world, run, "a", "other")))).toEqual({ code: "incomplete", paths: ["c"] });
    world.ok(approve(run, shown(world, run, "a", "c")));
  });

  test("[LD24] that came to nothing ties nothing: the file is back, or another one stands there", () => {
    const world = reviewing();
    const run = world.started();
    move(world, run, { from: "a", to: "b" });
    move(world, run, { from: "b", to: "a" });
    move(world, run, { from: "x", to: "y" });
    world.write(run, "x", "b", "a");
    world.finish(run);
    world.ok(approve(run, shown(world, run, "y", "b")));
    expect(world.run(run).approved?.map(({ path }) => path)).toEqual(["b", "y"]);
  });
});

describe("groups and leases", () => {
  test("[LD24] what can only land together does not land while a part of it is without a lease", () => {
    const world = reviewing();
    const run = world.started({ plan: ["dir:a"] });
    world.begin(run, "write", ["file:a", "file:a/x"]);
    world.finishCall(
      run,
      ["a", "a/x"],
      [
        { path: "a", base: "100644:file", work: null },
        { path: "a/x", base: null, work: "100644:x" },
      ],
    );
    world.write(run, "b");
    world.pass(31_000);
    world.ok({ type: "run.back", run }, "system");
    world.begin(run, "claim", ["file:a/x", "file:b"]);
    world.refresh();
    world.finishCall(run);
    world.finish(run);
    world.ok({ type: "run.approve", run, approved: null });
    expect(world.run(run).approved).toMatchObject([{ path: "b" }]);
    world.landed(run);
    // It goes on, to claim the missing part.
    expect(world.run(run).state).toBe("running");
    expect([...world.run(run).workspace.dirty.keys()]).toEqual(["a", "a/x"]);
  });
});

describe("landing", () => {
  test("[LD32] what landed whole is clean, mainline stands at it, and the run is done", () => {
    const world = reviewing();
    const run = inReview(world, "a", "b");
    const waiting = world.claim("B", "file:a", { ttlMs: 1e9 });
    world.ok({ type: "run.approve", run, approved: null });
    world.landed(run, { commit: "m1", tested: "passed" });
    expect(world.lastOf("run.landed")).toMatchObject([{ run, commit: "m1", tested: "passed" }]);
    expect(world.run(run)).toMatchObject({ state: "done", approved: null, landing: null });
    expect(mainlineOf(world)).toBe("m1");
    expect(world.trash()).toEqual([]);
    expect(world.stateOf(waiting)).toBe("granted");
  });

  test("[LD32] the intent is kept until the landing is recorded, and names a new one when the swap failed", () => {
    const world = reviewing();
    const run = inReview(world, "a");
    world.ok({ type: "run.approve", run, approved: null });
    const act = actOf(world);
    const about = { entries: [], tested: "passed", merged: [] } as const;
    const intend = { type: "landing.intend", run, act, ...about } as const;
    world.ok({ ...intend, parent: "m0", candidate: "k1" }, "system");
    world.ok({ type: "engine.open", version: "1", wallMs: 0 }, "system");
    expect(world.run(run).landing).toEqual({ parent: "m0", candidate: "k1", ...about });
    expect(actOf(world)).toBe(act);
    world.ok({ ...intend, parent: "x1", candidate: "k2" }, "system");
    expect(world.run(run).landing).toMatchObject({ parent: "x1", candidate: "k2" });
    // The first one again, late: it must not bring back what was given up.
    world.ok({ ...intend, parent: "m0", candidate: "k1" }, "system");
    expect(world.last).toEqual([]);
    world.landed(run, { act, commit: "k2" });
    expect(world.run(run).landing).toBeNull();
  });

  test("[LD37] an act of an earlier landing says nothing about this one", () => {
    const world = reviewing();
    const run = inReview(world, "a");
    world.ok({ type: "run.approve", run, approved: null });
    const old = actOf(world);
    const about = { parent: "m0", entries: [], tested: "untested", merged: [] } as const;
    world.ok({ type: "landing.intend", run, act: old, candidate: "k1", ...about }, "system");
    world.ok({ type: "run.landed", run, act: old, how: "back", message: "red" }, "system");
    // The candidate of an approval that is void must never be swapped in for a later one.
    expect(world.run(run).landing).toBeNull();
    const intend = { type: "landing.intend", run, candidate: "k2", ...about } as const;
    expect(world.no({ ...intend, act: old }, "system").code).toBe("wrong-state");
    world.ok({ type: "run.approve", run, approved: null });
    expect(world.no({ ...intend, act: old }, "system").code).toBe("wrong-state");
    world.landed(run, { act: old });
    expect(world.run(run)).toMatchObject({ state: "landing", landing: null });
    world.landed(run, { act: actOf(world) });
    expect(world.run(run).state).toBe("done");
    world.landed(run, { act: old });
    expect(world.last).toEqual([]);
  });

  test("[LD32] what was not approved stays changed and leased, and goes to review again; the rest is given back", () => {
    const world = reviewing();
    const run = inReview(world, "a", "b");
    world.ok({ type: "run.approve", run, approved: shown(world, run, "a") });
    world.landed(run);
    expect(world.run(run)).toMatchObject({ state: "review", because: "not all of it was approved", approved: null });
    expect([...world.run(run).workspace.dirty.keys()]).toEqual(["b"]);
    expect(world.holdings()).toEqual([`${run}: file:b`]);
    world.ok({ type: "run.approve", run, approved: null });
    world.landed(run);
    expect(world.run(run).state).toBe("done");
  });

  test("[LD32] by hunk: the rest of the work stays, on what was approved", () => {
    const world = reviewing();
    const run = world.started();
    world.begin(run, "write", ["file:a"]);
    world.refresh();
    world.finishCall(run, ["a"], [{ path: "a", base: "100644:abc", work: "100644:AbC" }]);
    world.finish(run);
    world.ok({
      type: "run.approve",
      run,
      approved: [{ path: "a", base: "100644:abc", work: "100644:AbC", entry: "100644:Abc" }],
    });
    world.landed(run);
    expect(world.run(run).workspace.dirty.get("a")).toEqual({ path: "a", base: "100644:Abc", work: "100644:AbC" });
    expect(world.run(run).state).toBe("review");
    world.ok({
      type: "run.approve",
      run,
      approved: [{ path: "a", base: "100644:Abc", work: "100644:AbC", entry: "100644:Abx" }],
    });
    // Somebody's own commit was merged in. Were that the base, the rest of the work would seem to undo it.
    world.landed(run, { entries: [{ path: "a", entry: "100644:Abx and theirs" }], merged: ["a"] });
    expect(world.run(run).workspace.dirty.get("a")).toEqual({ path: "a", base: "100644:Abx", work: "100644:AbC" });
  });

  test("[LD32] a merge of what was approved whole leaves nothing behind", () => {
    const world = reviewing();
    const run = inReview(world, "a");
    world.ok({ type: "run.approve", run, approved: null });
    world.landed(run, { entries: [{ path: "a", entry: "100644:both" }], merged: ["a"] });
    expect(world.run(run).state).toBe("done");
    expect(world.trash()).toEqual([]);
  });

  test("[LD26] red tests lead back to review with the leases, which were frozen until then", () => {
    const world = reviewing();
    const run = inReview(world, "a");
    const waiting = world.claim("B", "file:a", { ttlMs: 1e9 });
    world.ok({ type: "run.approve", run, approved: null });
    world.pass(1e7);
    expect(world.stateOf(waiting)).toBe("queued");
    world.ok({ type: "run.landed", run, how: "back", message: "2 tests failed" }, "system");
    expect(world.run(run)).toMatchObject({ state: "review", because: "2 tests failed" });
    expect(world.holdings()).toEqual([`${run}: file:a`]);
    // A hold again, with its full patience.
    world.pass(patienceMs - 1);
    expect(world.stateOf(waiting)).toBe("queued");
    world.pass(1);
    expect(world.stateOf(waiting)).toBe("granted");
  });

  test("[LD26] nothing lands while its bases are still being brought in step", () => {
    const world = reviewing();
    const run = world.started();
    world.command(run, "a");
    const finish = { type: "run.finish", run, family: `${run}.1`, ok: true, message: "" } as const;
    expect(world.no(finish)).toMatchObject({ code: "in-use", kind: "lease" });
    world.refresh();
    world.ok(finish);
    expect(world.run(run).state).toBe("review");
  });
});

describe("lost and yielded leases", () => {
  test("[LD33] a lost run carries its changes to its next family, not into its change set", () => {
    const world = reviewing();
    const run = world.started();
    world.write(run, "a", "b");
    const before = [...world.run(run).workspace.dirty.values()];
    world.pass(31_000);
    expect(world.run(run).lost).toBe(true);
    expect(world.trash()).toEqual([]);
    world.ok({ type: "run.back", run }, "system");
    expect([...world.run(run).workspace.dirty.values()]).toEqual(before);
    expect(world.holdings()).toEqual([]);
    // It claims one of them again; the other is set aside when it ends, and only then.
    world.begin(run, "claim", ["file:a"]);
    world.refresh();
    world.finishCall(run);
    world.finish(run);
    world.ok({ type: "run.approve", run, approved: null });
    world.landed(run);
    expect(world.run(run)).toMatchObject({ state: "running", sentBack: null, regains: true });
    world.begin(run, "claim", ["file:b"]);
    world.refresh();
    world.finishCall(run);
    world.finish(run);
    expect(world.run(run).state).toBe("review");
    world.ok({ type: "run.approve", run, approved: null });
    world.landed(run);
    expect(world.run(run).state).toBe("done");
    expect(world.trash()).toEqual([]);
  });

  test("[LD33] of a hold that yielded in part the rest lands, and the run claims again what it lost", () => {
    const world = reviewing();
    const run = inReview(world, "p", "q");
    const other = world.claim("D", "file:p", { ttlMs: 1e9 });
    world.pass(patienceMs);
    expect(world.stateOf(other)).toBe("granted");
    expect(world.holdings()).toContain(`${run}: file:q`);
    expect(world.no({ type: "run.approve", run, approved: shown(world, run, "p") }).code).toBe("not-found");
    world.ok({ type: "run.approve", run, approved: null });
    expect(world.run(run).approved).toMatchObject([{ path: "q" }]);
    world.landed(run);
    expect(world.run(run).state).toBe("running");
    expect([...world.run(run).workspace.dirty.keys()]).toEqual(["p"]);
    expect(world.begin(run, "claim", ["file:p"])).toMatchObject({ state: "waiting", behind: [{ holder: "D" }] });
  });

  test("[LD33] a hold that yielded everything is not done when it is approved: it goes on and claims again", () => {
    const world = reviewing();
    const run = inReview(world, "p");
    world.claim("D", "file:p", { ttlMs: 1e9 });
    world.pass(patienceMs);
    world.ok({ type: "run.approve", run, approved: null });
    expect(world.run(run)).toMatchObject({
      state: "running",
      workspace: { dirty: new Map([["p", expect.anything()]]) },
    });
    expect(world.trash()).toEqual([]);
  });

  test("[LD38] what could not be claimed again is set aside when its run is done", () => {
    const world = new CoreWorld();
    world.project();
    const run = world.started();
    world.write(run, "a");
    world.pass(31_000);
    world.ok({ type: "run.back", run }, "system");
    world.finish(run);
    expect(world.run(run).state).toBe("done");
    expect(world.trash()).toEqual(["a (its run is done)"]);
  });
});

describe("the door", () => {
  test("[LD6] a grant excludes others at once, and lets its holder act once it is in step", () => {
    const world = reviewing();
    const run = world.started();
    expect(world.begin(run, "write", ["file:a"])).toEqual({ state: "waiting", behind: [] });
    expect(world.claim("B", "file:a", { mode: "try" }).state).toBe("busy");
    expect(world.run(run).call?.started).toBe(false);
    world.refresh();
    expect(world.run(run).call?.started).toBe(true);
  });

  test("[LD21] in review the door is closed for the family, and its leases are what it changed", () => {
    const world = reviewing();
    const run = world.started({ plan: ["dir:src"] });
    world.write(run, "src/a");
    world.finish(run);
    expect(world.holdings()).toEqual([`${run}: file:src/a`]);
    expect(world.refused(run, "write", ["file:src/a"])).toMatchObject({ code: "wrong-state", state: "review" });
    world.ok({ type: "run.return", run, message: "shorter" });
    expect(world.begin(run, "write", ["file:src/a"]).state).toBe("go");
  });

  test("[LD20] what cannot be claimed again without a circle lands later: what is held goes first", () => {
    const world = reviewing();
    const [one, two] = [world.started(), world.started()];
    world.write(one, "x", "p");
    world.write(two, "y");
    world.pass(20_000);
    world.beat(two);
    world.pass(11_000);
    world.ok({ type: "run.back", run: one }, "system");
    world.begin(one, "claim", ["file:x"]);
    world.refresh();
    world.finishCall(one);
    world.begin(two, "claim", ["file:p"]);
    world.refresh();
    world.finishCall(two);
    // Each wants what the other holds.
    expect(world.begin(two, "claim", ["file:x"]).state).toBe("waiting");
    expect(world.refused(one, "claim", ["file:p"])).toMatchObject({ code: "deadlock" });
    world.finish(one);
    world.ok({ type: "run.approve", run: one, approved: null });
    expect(world.run(one).approved).toMatchObject([{ path: "x" }]);
    world.landed(one);
    expect([...world.run(one).workspace.dirty.keys()]).toEqual(["p"]);
    expect(world.begin(one, "claim", ["file:p"])).toMatchObject({ state: "waiting", behind: [{ holder: two }] });
  });
});

describe("mainline", () => {
  test("[LD37] a move is recorded once; a report that a landing has overtaken is not", () => {
    const world = reviewing();
    const [project = ""] = world.state.projects.keys();
    world.ok({ type: "mainline.move", project, from: "m0", to: "x1" }, "system");
    expect(mainlineOf(world)).toBe("x1");
    world.ok({ type: "mainline.move", project, from: "m0", to: "x1" }, "system");
    expect(world.last).toEqual([]);
    const run = inReview(world, "a");
    world.ok({ type: "run.approve", run, approved: null });
    world.landed(run, { commit: "k1" });
    world.ok({ type: "mainline.move", project, from: "m0", to: "x1" }, "system");
    expect(mainlineOf(world)).toBe("k1");
    expect(world.no({ type: "mainline.move", project: "p_none", from: "", to: "" }).code).toBe("not-found");
  });

  test("[LD37] publishing is recorded when it changes something", () => {
    const world = reviewing();
    const [project = ""] = world.state.projects.keys();
    const not = { why: "it is checked out with changes", how: "git merge --ff-only" };
    const publish = { type: "mainline.publish", project, commit: "k1" } as const;
    for (const each of [not, null]) {
      world.ok({ ...publish, not: each }, "system");
      expect(world.lastOf("mainline.published")).toMatchObject([{ not: each }]);
      world.ok({ ...publish, not: each }, "system");
      expect(world.last).toEqual([]);
    }
    expect(world.state.projects.get(project)).toMatchObject({ published: "k1", notPublished: null });
    expect(world.no({ ...publish, project: "p_none", not }).code).toBe("not-found");
  });
});
