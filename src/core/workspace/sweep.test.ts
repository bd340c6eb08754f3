import { describe, expect, test } from "vitest";
import { CoreWorld, toRefreshed } from "../../../test/support/core-world.ts";

function made(): CoreWorld {
  const world = new CoreWorld();
  world.project();
  return world;
}

const dirtyOf = (world: CoreWorld, run: string): string[] => [...world.run(run).workspace.dirty.keys()];

describe("derived files", () => {
  const derived = [{ paths: ["lock", "gen/**"], command: ["make"] }];

  test("[LD17] are nobody's work: they are neither claimed, nor set aside, nor part of a change set", () => {
    const world = new CoreWorld();
    world.project({ derived });
    const run = world.started();
    world.command(run, "lock", "gen/deep/a", "src");
    world.refresh();
    expect([...world.run(run).workspace.dirty.keys()]).toEqual(["src"]);
    expect(world.trash()).toEqual([]);
    expect(world.holdings()).toEqual([`${run}: file:src`]);
  });

  test("[LD17] what is derived changes only while nobody has changed or holds anything", () => {
    const world = new CoreWorld();
    const project = world.project();
    const run = world.started();
    world.write(run, "lock");
    expect(world.no({ type: "project.change", project, derived })).toMatchObject({ code: "in-use", by: run });
    world.ok({ type: "project.change", project, derived: [] });
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    world.ok({ type: "project.change", project, derived });
    expect(world.state.projects.get(project)?.derived).toEqual(derived);
  });
});

describe("after a command", () => {
  test("[LD15] what it changed outside the leases is claimed where that is safe, and set aside where not", () => {
    const world = made();
    world.claim("B", "file:taken");
    const run = world.started({ plan: ["file:mine"] });
    world.command(run, "mine", "free", "taken");
    expect(world.holdings()).toEqual(["B: file:taken", `${run}: file:free file:mine`]);
    expect(world.trash()).toEqual(["taken (somebody else holds it)"]);
    expect(dirtyOf(world, run)).toEqual(["mine", "free"]);
    // The grant is not the leave to go on: the path is brought in step first.
    expect(world.acts()).toMatchObject([{ type: "refresh", units: ["file:free"] }]);
    expect(world.begin(run, "write", ["file:free"]).state).toBe("waiting");
    world.refresh();
    expect(world.run(run).call?.started).toBe(true);
  });

  test.each([
    ["a script", { runner: "script", script: "0".repeat(64) }],
    ["a command", { runner: "command", command: ["make"] }],
  ] as const)("[LD60] of %s, what somebody else holds is carried, and claimed before it is judged", (_, more) => {
    const world = made();
    const { claim } = world.claim("B", "file:taken");
    const run = world.started(more);
    world.command(run, "free", "taken");
    world.refresh();
    expect(world.trash()).toEqual([]);
    expect(world.holdings()).toEqual(["B: file:taken", `${run}: file:free`]);
    expect(dirtyOf(world, run)).toEqual(["free", "taken"]);
    // The next command finds it as it was left, and is not taken for the one that changed it.
    world.command(run, "free");
    expect(dirtyOf(world, run)).toEqual(["free", "taken"]);
    expect(world.begin(run, "claim", ["file:taken"]).state).toBe("waiting");
    world.release(claim);
    world.refresh();
    world.finishCall(run);
    world.finish(run);
    expect(world.run(run)).toMatchObject({ state: "landing", approved: [{ path: "free" }, { path: "taken" }] });
  });

  test("[LD60] of an assistant, what is found in others' hands when it is about to finish is carried, and claimed before it is judged", () => {
    const world = made();
    const { claim } = world.claim("B", "file:taken");
    const run = world.started({ runner: "claude" });
    world.begin(run, "sweep");
    world.finishCall(run, [], world.works(run, ["taken"]), { last: true });
    expect([world.trash(), dirtyOf(world, run)]).toEqual([[], ["taken"]]);
    expect(world.begin(run, "claim", ["file:taken"]).state).toBe("waiting");
    world.release(claim);
    world.refresh();
    world.finishCall(run);
    world.finish(run);
    expect(world.run(run)).toMatchObject({ state: "landing", approved: [{ path: "taken" }] });
  });

  test("[LD60] of a sub-run that is a script it is carried, whoever its root is; of an assistant's it is set aside", () => {
    const world = made();
    world.claim("B", "file:x file:y");
    const root = world.started({ runner: "claude" });
    const script = world.submit({ parent: root, sub: true, runner: "script", script: "0".repeat(64) });
    world.driven(script);
    world.command(script, "x");
    expect([dirtyOf(world, root), world.trash()]).toEqual([["x"], []]);
    const other = world.submit({ parent: root, sub: true, runner: "codex" });
    world.driven(other);
    world.command(other, "y");
    expect([dirtyOf(world, root), world.trash()]).toEqual([["x"], ["y (somebody else holds it)"]]);
  });

  test("[LD60] of a script, what a policy forbids, and more than a command may change, is set aside all the same", () => {
    const world = made();
    world.policy("few", { maxSwept: 1, deniedPaths: ["secret"] });
    world.claim("B", "file:taken");
    const run = world.started({ runner: "script", script: "0".repeat(64) });
    world.command(run, "secret");
    world.command(run, "taken", "more");
    expect(world.trash()).toEqual([
      "secret (policy few forbids it)",
      "more (a command changed 2 paths at once)",
      "taken (a command changed 2 paths at once)",
    ]);
  });

  test("[LD15] beyond fifty paths, or as many as a policy says, all are set aside", () => {
    const world = made();
    const run = world.started();
    const many = Array.from({ length: 51 }, (_, at) => `f${at}`);
    world.command(run, ...many.slice(0, 50));
    expect(world.trash()).toEqual([]);
    expect(dirtyOf(world, run)).toHaveLength(50);
    const other = world.started();
    world.command(other, ...many.map((path) => `other/${path}`));
    expect(world.trash()).toHaveLength(51);
    expect(new Set([...world.state.trash.values()].map((item) => item.why))).toEqual(
      new Set(["a command changed 51 paths at once"]),
    );
    expect(new Set(world.state.trash.keys()).size).toBe(51);
    world.policy("few", { maxSwept: 1 });
    const third = world.started();
    world.command(third, "x", "y");
    expect(world.trash()).toHaveLength(53);
  });

  test("[LD15] what a policy forbids is not claimed after the fact", () => {
    const world = made();
    world.policy("secrets", { deniedPaths: ["secrets/**"] });
    const run = world.started();
    world.command(run, "secrets/key", "a");
    expect(world.trash()).toEqual(["secrets/key (policy secrets forbids it)"]);
    expect(dirtyOf(world, run)).toEqual(["a"]);
  });

  test("[LD15] a command under a paused run loses nothing: what it changed is carried until the run goes on", () => {
    const world = made();
    const run = world.started();
    world.begin(run, "run");
    world.ok({ type: "run.pause", run });
    world.finishCall(run, [], world.works(run, ["a"]));
    expect(world.trash()).toEqual([]);
    expect(world.holdings()).toEqual([]);
    expect(dirtyOf(world, run)).toEqual(["a"]);
    world.ok({ type: "run.resume", run });
    world.begin(run, "claim", ["file:a"]);
    world.refresh();
    world.finishCall(run);
    world.finish(run);
    expect(world.run(run)).toMatchObject({ state: "landing", approved: [{ path: "a" }] });
  });

  test("[LD33] a look at everything sets nothing aside that its run carries", () => {
    const world = made();
    const run = world.started();
    world.write(run, "a");
    world.pass(31_000);
    world.claim("B", "file:a", { ttlMs: 1e9 });
    world.ok({ type: "run.back", run }, "system");
    const carried = [...world.run(run).workspace.dirty.values()];
    world.begin(run, "sweep");
    world.finishCall(run, [], carried);
    expect(world.trash()).toEqual([]);
    expect(world.begin(run, "claim", ["file:a"])).toMatchObject({ state: "waiting", behind: [{ holder: "B" }] });
  });

  test("[LD15] a look at everything waits until all is in step, or it would tell what is no longer so", () => {
    const world = made();
    const run = world.started();
    world.command(run, "a");
    expect(world.begin(run, "sweep").state).toBe("waiting");
    world.refresh();
    expect(world.run(run).call).toMatchObject({ tool: "sweep", started: true });
  });

  test("[LD15] a sub-run's command is swept for the family", () => {
    const world = made();
    const run = world.started();
    const sub = world.submit({ parent: run, sub: true });
    world.driven(sub);
    world.command(sub, "a");
    expect(world.holdings()).toEqual([`${run}: file:a`]);
    expect(dirtyOf(world, run)).toEqual(["a"]);
    expect(dirtyOf(world, sub)).toEqual([]);
  });

  test("[LD56] what a sub-run that was cut off left in a submodule is set aside too", () => {
    const world = made();
    const run = world.started();
    const sub = world.submit({ parent: run, sub: true });
    world.driven(sub);
    world.ok({ type: "run.terminate", select: { by: "run", run: sub }, because: "enough" });
    const works = world.works(sub, ["lib/x", "a"]);
    world.ok({ type: "run.stopped", run: sub, works, inSubmodules: ["lib/x"] }, "system");
    expect(world.trash()).toEqual(["lib/x (it is in a submodule, which is read-only here)"]);
    expect(world.holdings()).toEqual([`${run}: file:a`]);
  });

  test("[LD55] what a sub-run may not change is not taken from its root, which may and has", () => {
    const world = made();
    world.policy("careful", { deniedPaths: ["doc"] }, { runner: "codex" });
    const run = world.started({ plan: ["dir:."] });
    world.command(run, "doc");
    const sub = world.submit({ parent: run, sub: true, runner: "codex" });
    world.driven(sub);
    world.begin(sub, "sweep");
    world.finishCall(sub, [], [...world.run(run).workspace.dirty.values()]);
    expect(world.trash()).toEqual([]);
    world.begin(sub, "run");
    world.finishCall(sub, [], [{ path: "doc", base: null, work: "100644:other" }]);
    expect(world.trash()).toEqual(["doc (policy careful forbids it)"]);
  });

  test("[LD4] dirty is what differs from its base, by content; what is as before is clean again", () => {
    const world = made();
    const run = world.started({ plan: ["file:a"] });
    world.command(run, "a");
    expect(dirtyOf(world, run)).toEqual(["a"]);
    world.begin(run, "run");
    world.finishCall(run, [], [{ path: "a", base: null, work: null }]);
    expect(dirtyOf(world, run)).toEqual([]);
    world.finish(run);
    expect(world.run(run)).toMatchObject({ state: "done", because: "it changed nothing" });
  });

  test("[LD4] where case does not count, a path is clean when both its spellings are", () => {
    const world = new CoreWorld();
    world.project({ foldCase: true });
    const run = world.started({ plan: ["file:a"] });
    world.command(run, "a", "A");
    world.begin(run, "run");
    world.finishCall(run, [], [{ path: "a", base: null, work: null }]);
    const release = { type: "run.release", run, family: `${run}.1`, units: null, setAside: false } as const;
    expect(world.no(release).code).toBe("dirty");
    world.ok({ ...release, setAside: true });
    expect(world.trash()).toEqual(["A (its unit was given back)"]);
  });
});

describe("bases", () => {
  test("[LD2] a write keeps the base, and a refresh moves it together with the bytes", () => {
    const world = made();
    const run = world.started({ plan: ["file:a"] });
    world.begin(run, "write", ["file:a"]);
    world.finishCall(run, ["a"], [{ path: "a", base: "100644:one", work: "100644:mine" }]);
    world.write(run, "a");
    expect(world.run(run).workspace.dirty.get("a")).toMatchObject({ base: "100644:one" });
    world.begin(run, "claim", ["dir:"]);
    const [act] = world.pending().filter((each) => each.type === "refresh");
    const works = [{ path: "a", base: "100644:two", work: "100644:both" }];
    world.ok({ ...toRefreshed(act?.claim ?? ""), commit: "m7", works, moved: ["b"] }, "system");
    expect(world.lastOf("lease.ready")).toMatchObject([{ commit: "m7", works, moved: ["b"] }]);
    expect(world.run(run).workspace).toMatchObject({ commit: "m7" });
    expect(world.run(run).workspace.dirty.get("a")).toEqual(works[0]);
    // The same report again is no news.
    world.ok({ ...toRefreshed(act?.claim ?? ""), commit: "m8" }, "system");
    expect(world.last).toEqual([]);
  });

  test("[LD15] what meets somebody else's work when it is brought in step is set aside before it is ready", () => {
    const world = made();
    const run = world.started();
    world.command(run, "a", "b");
    const [act] = world.pending().filter((each) => each.type === "refresh");
    const [work] = world.works(run, ["a"]);
    if (work === undefined || act === undefined) throw new Error("it waits for its paths");
    world.ok({ ...toRefreshed(act.claim), conflicts: [work] }, "system");
    expect(world.last.map((event) => event.type)).toEqual(["paths.set-aside", "lease.ready"]);
    expect(world.trash()).toEqual(["a (somebody else has changed the same place)"]);
    expect(dirtyOf(world, run)).toEqual(["b"]);
  });

  test("[LD37] a name that no unit can have stops nothing, wherever it comes from", () => {
    const world = made();
    const run = world.started({ plan: ["file:a"] });
    const odd = { path: "bad\nname", base: null, work: "100644:odd" };
    world.begin(run, "claim", ["file:b"]);
    const [act] = world.pending().filter((each) => each.type === "refresh");
    world.ok({ ...toRefreshed(act?.claim ?? ""), works: [odd], conflicts: [odd] }, "system");
    world.finishCall(run, [], [odd]);
    world.finish(run, false, "broke");
    world.stopped(run, [odd]);
    expect(world.trash()).toEqual([]);
  });
});
