import { describe, expect, test } from "vitest";
import { CoreWorld, toBegin } from "../../../test/support/core-world.ts";
import type { Heard } from "./heard.ts";

const minuteMs = 60_000;
const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicros: null };

function made(): { world: CoreWorld; run: string } {
  const world = new CoreWorld();
  world.project();
  return { world, run: world.started() };
}

const stuckIn = (world: CoreWorld): string[] =>
  world.log.flatMap((event) => (event.type === "run.stuck" ? [`${event.why} ${event.policy}`] : []));

describe("[RN29] a run that gives no sign of work", () => {
  test("is stuck after a quarter of an hour, once, until it goes on", () => {
    const { world, run } = made();
    world.passWithBeats(15 * minuteMs - 1);
    expect(world.run(run).stuck).toBeNull();
    world.passWithBeats(1);
    expect(world.run(run).stuck).toMatchObject({ why: "silent", policy: "built-in" });
    world.passWithBeats(30 * minuteMs);
    expect(stuckIn(world)).toEqual(["silent built-in"]);
    world.write(run, "a");
    expect(world.run(run).stuck).toBeNull();
    world.passWithBeats(15 * minuteMs);
    expect(stuckIn(world)).toHaveLength(2);
    expect(world.run(run).state).toBe("running");
  });

  test("[SC13] is measured by the policy as it is now, and never where that says so", () => {
    const { world, run } = made();
    world.policy("patient", { stuckAfterMs: null });
    world.passWithBeats(60 * minuteMs);
    expect(world.run(run).stuck).toBeNull();
    world.policy("patient", { stuckAfterMs: minuteMs });
    world.pass(1);
    expect(world.run(run).stuck).toMatchObject({ why: "silent", policy: "patient" });
  });

  test("is not one that waits: parked, paused or asking", () => {
    const { world, run } = made();
    world.ok({ type: "run.pause", run });
    world.passWithBeats(60 * minuteMs);
    world.ok({ type: "run.resume", run });
    world.passWithBeats(14 * minuteMs);
    expect(stuckIn(world)).toEqual([]);
  });
});

describe("[RN29] a run that repeats itself", () => {
  const read = (world: CoreWorld, run: string, print?: string): void => {
    world.ok({ ...toBegin(world.state, run, "read", []), print }, `agent:${run}`);
    world.finishCall(run);
  };

  test("is stuck when it makes the same call too often in a row, until it makes another", () => {
    const { world, run } = made();
    world.policy("strict", { stuckAfterRepeats: 3 });
    for (const print of ["a", "a", "b", "a", "a"]) read(world, run, print);
    expect(stuckIn(world)).toEqual([]);
    read(world, run, "a");
    read(world, run, "a");
    expect(stuckIn(world)).toEqual(["loop strict"]);
    expect(world.run(run).stuck?.what).toContain("the same read");
    read(world, run, "b");
    expect(world.run(run).stuck).toBeNull();
    for (let time = 0; time < 20; time++) read(world, run);
    expect(stuckIn(world)).toHaveLength(1);
  });

  test("also when every one of them is refused", () => {
    const { world, run } = made();
    world.policy("closed", { deniedPaths: ["x"], stuckAfterRepeats: 3 });
    for (let time = 0; time < 3; time++)
      world.no({ ...toBegin(world.state, run, "write", ["file:x"]), print: "x" }, `agent:${run}`);
    expect(stuckIn(world)).toEqual(["loop closed"]);
  });
});

test("[RN29] a run is stuck when turn after turn fails; one that was broken off says nothing", () => {
  const { world, run } = made();
  let upTo = 0;
  const hear = (...ends: Extract<Heard, { is: "turn" }>["why"][]): void => {
    const items = ends.map((why): Heard => ({ is: "turn", ok: why === "ended", text: "", why, usage }));
    world.ok({ type: "run.hear", run, life: 1, upTo: ++upTo, told: 0, owes: 0, items }, `agent:${run}`);
  };
  hear("error", "rate-limit", "ended", "error", "interrupted", "error");
  expect(stuckIn(world)).toEqual([]);
  hear("error");
  hear("error");
  expect(stuckIn(world)).toEqual(["errors built-in"]);
  hear("ended");
  expect(world.run(run).stuck).toBeNull();
});

test("[RN43] a person sees that a run failed or is stuck, once; what happens later is news again", () => {
  const { world, run } = made();
  expect(world.no({ type: "run.see", run, undo: false })).toMatchObject({ code: "wrong-state" });
  world.passWithBeats(15 * minuteMs);
  world.ok({ type: "run.see", run, undo: false });
  world.ok({ type: "run.see", run, undo: false });
  expect(world.last).toEqual([]);
  expect(world.run(run)).toMatchObject({ seen: true, stuck: { why: "silent" } });
  world.ok({ type: "run.finish", run, family: world.run(run).family, ok: false, message: "no" }, `agent:${run}`);
  expect(world.run(run)).toMatchObject({ state: "failed", seen: false, stuck: null });
  world.ok({ type: "run.see", run, undo: false });
  expect(world.run(run).seen).toBe(true);
  world.ok({ type: "run.see", run, undo: true });
  expect(world.run(run).seen).toBe(false);
});

test("[RN29] a run whose same call is refused again and again is said to be stuck once, not for each reason in turn", () => {
  const { world, run } = made();
  world.policy("strict", { deniedPaths: ["x"], stuckAfterRepeats: 2, stuckAfterToolErrors: 3 });
  for (let times = 0; times < 6; times++) world.no(toBegin(world.state, run, "write", ["file:x"], { print: "same" }));
  expect(stuckIn(world)).toEqual(["loop strict"]);
  world.no(toBegin(world.state, run, "write", ["file:x"], { print: "other" }));
  expect(stuckIn(world)).toEqual(["loop strict", "tools strict"]);
});

test("[RN31] an assistant whose calls only fail is said to be stuck, then ended; the next one takes over", () => {
  const world = new CoreWorld();
  world.project();
  const settings = { runner: "claude", fallbacks: ["codex"] };
  world.ok({ type: "profile.set", profile: { name: "two", settings }, ensure: false });
  world.policy("strict", { deniedPaths: ["x"], stuckAfterToolErrors: 3 });
  const run = world.started({ profile: "two", runner: "claude" });
  const refuse = (times: number): void => {
    for (let time = 0; time < times; time++) world.no(toBegin(world.state, run, "write", ["file:x"]), `agent:${run}`);
  };
  // Whoever is no assistant may fail as often as it likes.
  refuse(6);
  expect(world.run(run)).toMatchObject({ state: "running", stuck: { why: "tools" } });
  const heard = { life: 1, upTo: 1, told: 0, owes: 1, items: [] };
  world.ok({ type: "run.hear", run, ...heard }, `agent:${run}`);
  refuse(1);
  expect(world.lastOf("run.handed")).toMatchObject([{ from: "claude", to: "codex", failure: "tool-errors" }]);
});
