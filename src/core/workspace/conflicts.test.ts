// A landing that meets somebody else's change in the same place: what its run is told, and what it may say of it.

import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { inReview, reviewing } from "../../../test/support/reviewing-world.ts";

test("[LD29] a conflict sends the whole landing back to its run, with its leases and the side it has not seen", () => {
  const world = reviewing();
  const run = inReview(world, "a", "b");
  world.ok({ type: "run.approve", run, approved: null });
  const conflicts = [{ path: "a", theirs: "100644:theirs" }];
  world.ok({ type: "run.landed", run, how: "conflict", conflicts }, "system");
  expect(world.run(run)).toMatchObject({ state: "running", approved: null, approvedBy: null, landing: null });
  const [[path, met] = []] = world.run(run).workspace.conflicts;
  expect([path, met]).toMatchObject(["a", { theirs: "100644:theirs", shown: false }]);
  expect([...world.run(run).workspace.dirty.keys()]).toEqual(["a", "b"]);
  expect(world.holdings()).toEqual([`${run}: file:a file:b`]);
});

test("[LD29] a run that does not resolve its conflict goes to a person, not round in circles", () => {
  const world = new CoreWorld();
  world.project();
  const run = inReview(world, "a");
  const conflicts = [{ path: "a", theirs: "100644:theirs" }];
  world.ok({ type: "run.landed", run, how: "conflict", conflicts }, "system");
  world.finish(run);
  expect(world.run(run)).toMatchObject({ state: "review", because: "it has not resolved a" });
  world.ok({ type: "run.return", run, message: "do" });
  world.begin(run, "write", ["file:a"]);
  world.finishCall(run, ["a"], [{ path: "a", base: "100644:theirs", work: "100644:both" }]);
  expect(world.run(run).workspace.conflicts.size).toBe(0);
  world.finish(run);
  expect(world.run(run)).toMatchObject({ state: "landing", approved: [{ base: "100644:theirs" }] });
});

test("[LD31] a conflict is only resolved by a family that was shown the other side of it, and of no other", () => {
  const world = reviewing();
  const run = inReview(world, "a");
  const conflictWith = (theirs: string): void => {
    world.ok({ type: "run.approve", run, approved: null });
    world.ok({ type: "run.landed", run, how: "conflict", conflicts: [{ path: "a", theirs }] }, "system");
  };
  const show = (who: string, entry: string): void => {
    world.begin(who, "read");
    world.finishCall(who, [], [], { shown: [{ path: "a", entry }] });
  };
  const unread = { code: "not-read", path: "a", side: "theirs" };
  conflictWith("100644:theirs");
  expect(world.refused(run, "resolve", ["file:a"])).toEqual(unread);
  show(run, "100644:other");
  expect(world.refused(run, "resolve", ["file:a"])).toEqual(unread);
  // What it was shown it need not be shown again; what is there by now it has to see.
  show(run, "100644:theirs");
  world.finish(run);
  conflictWith("100644:theirs");
  expect(world.begin(run, "resolve", ["file:a"])).toMatchObject({ state: "go" });
  world.finishCall(run);
  world.finish(run);
  conflictWith("100644:newer");
  expect(world.refused(run, "resolve", ["file:a"])).toEqual(unread);
  const sub = world.submit({ parent: run, sub: true });
  world.driven(sub);
  show(sub, "100644:newer");
  expect(world.begin(run, "resolve", ["file:a"])).toMatchObject({ state: "go" });
});

test("[LD31] who is asked is told where a run keeps its own side whole over somebody's change", () => {
  const world = reviewing();
  const run = inReview(world, "a", "b");
  const theirs = "100644:theirs";
  const mine = world.run(run).workspace.dirty.get("a")?.work ?? null;
  world.ok({ type: "run.approve", run, approved: null });
  world.ok({ type: "run.landed", run, how: "conflict", conflicts: [{ path: "a", theirs }] }, "system");
  world.begin(run, "read");
  world.finishCall(run, [], [], { shown: [{ path: "a", entry: theirs }] });
  const resolve = (work: string | null): void => {
    world.begin(run, "resolve", ["file:a"]);
    world.finishCall(run, ["a"], [{ path: "a", base: theirs, work }]);
    world.finish(run);
  };
  resolve(mine);
  const because = "it keeps its own side whole over somebody's change: a";
  expect(world.run(run)).toMatchObject({ state: "review", because });
  world.ok({ type: "run.return", run, message: "have both" });
  resolve("100644:both");
  expect(world.run(run)).toMatchObject({ state: "review", because: "a policy asks for approval" });
  world.ok({ type: "run.approve", run, approved: null });
  world.landed(run);
  expect(world.run(run)).toMatchObject({ state: "done", workspace: { resolved: new Map() } });
});
