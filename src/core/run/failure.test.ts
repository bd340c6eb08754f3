import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import type { ProfileSettings } from "../profile/profile.ts";
import { failureClasses, type Failure, type FailureClass } from "./failure.ts";

/** A run of a profile with two further runners, at work. */
function atWork(settings: ProfileSettings = {}): { readonly world: CoreWorld; readonly run: string } {
  const world = new CoreWorld();
  world.project();
  const profile = { name: "own", settings: { runner: "claude", fallbacks: ["codex", "gemini"], ...settings } };
  world.ok({ type: "profile.set", profile, ensure: false });
  return { world, run: world.started({ profile: "own", runner: "claude" }) };
}

let lives = 0;

function fail(world: CoreWorld, run: string, kind: FailureClass, more: Partial<Failure> = {}): void {
  const { runner, family } = world.run(run);
  const failure = { class: kind, runner, life: ++lives, retryAfterMs: null, said: "", ...more };
  world.ok({ type: "run.finish", run, family, ok: false, message: `${runner}: ${kind}`, failure });
}

const retried: readonly FailureClass[] = ["rate-limit", "outage", "hung"];
const handed: readonly FailureClass[] = ["auth", "context", "crashed", "tool-errors", "missing"];

describe("an assistant that fails", () => {
  test.each(failureClasses)("[RN31] as %s has its own consequence", (kind) => {
    const { world, run } = atWork();
    fail(world, run, kind);
    const { state, runner, failure } = world.run(run);
    const failed = ["failed", "claude", kind];
    const follows = handed.includes(kind) ? ["running", "codex", null] : failed;
    expect([state, runner, failure]).toEqual(retried.includes(kind) ? ["parked", "claude", null] : follows);
  });

  test("[RN31] a report counts once, and only of whoever works on the run", () => {
    const { world, run } = atWork();
    fail(world, run, "outage", { life: 1 });
    world.pass(15_000);
    expect(world.run(run).state).toBe("running");
    fail(world, run, "outage", { life: 1 });
    fail(world, run, "outage", { runner: "codex" });
    expect(world.last).toEqual([]);
  });

  test("[RN31] a budget speaks through whatever its model says of it", () => {
    const { world, run } = atWork({ maxCostMicros: 0 });
    const request = { type: "model.request", run, key: "k", provider: "anthropic", model: "claude-opus-4-6" } as const;
    world.no({ ...request, credential: "c", inputTokens: 10, outputTokens: 10 });
    fail(world, run, "auth");
    expect(world.run(run)).toMatchObject({ state: "failed", failure: "budget", runner: "claude" });
  });

  test("[RN32] waits without a slot or a driver, twice as long each time, and then no more", () => {
    const { world, run } = atWork({ fallbacks: [] });
    world.policy("patient", { maxRetries: 3, retryWaitMs: 2000 });
    for (const waitMs of [2000, 4000, 8000]) {
      fail(world, run, "outage");
      expect(world.lastOf("run.delayed")).toMatchObject([{ policy: "patient", attemptsMax: 3 }]);
      expect(world.state.working.size).toBe(0);
      expect(world.acts()).toEqual([]);
      expect(world.pending()).toEqual([]);
      world.pass(waitMs - 1);
      expect(world.run(run).state).toBe("parked");
      world.pass(1);
      expect(world.run(run)).toMatchObject({ state: "running", delay: null });
      expect(world.acts()).toMatchObject([{ type: "drive" }]);
    }
    fail(world, run, "outage");
    expect(world.run(run)).toMatchObject({ state: "failed", failure: "outage" });
  });

  test("[RN32] waits as long as its model's maker says, and counts anew once it got something done", () => {
    const { world, run } = atWork();
    world.policy("once", { maxRetries: 1 });
    fail(world, run, "rate-limit", { retryAfterMs: 0 });
    world.pass(1000);
    expect(world.run(run).state).toBe("running");
    world.write(run, "a.ts");
    fail(world, run, "rate-limit", { retryAfterMs: 90_000 });
    expect(world.run(run).delay).toMatchObject({ attempt: 1, untilMs: world.nowMs + 90_000 });
    world.ok({ type: "run.pause", run });
    world.ok({ type: "run.resume", run });
    expect(world.run(run)).toMatchObject({ state: "running", delay: null });
    fail(world, run, "rate-limit", { retryAfterMs: 1000 });
    expect(world.run(run)).toMatchObject({ state: "running", runner: "codex" });
  });

  test("[RN20, RN32] one whose node falls silent while it waits goes on when that is back", () => {
    const { world, run } = atWork();
    fail(world, run, "outage", { retryAfterMs: 40_000 });
    world.pass(31_000);
    expect(world.run(run)).toMatchObject({ state: "parked", lost: true });
    world.pass(10_000);
    expect(world.run(run)).toMatchObject({ state: "parked", lost: true });
    world.ok({ type: "run.back", run }, "system");
    expect(world.run(run)).toMatchObject({ state: "running", lost: false, delay: null });
  });

  test("[RN32] one that fails while it waits for room waits for its time too, whatever room there is before", () => {
    const { world, run } = atWork({ fallbacks: [] });
    world.policy("one", { maxConcurrent: 1 });
    world.pass(31_000);
    const other = world.started();
    world.ok({ type: "run.back", run }, "system");
    expect(world.run(run)).toMatchObject({ state: "parked", lost: false });
    fail(world, run, "outage", { retryAfterMs: 20_000 });
    world.ok({ type: "run.terminate", select: { by: "run", run: other }, because: "enough" });
    expect(world.run(run).state).toBe("parked");
    world.pass(20_000);
    expect(world.run(run)).toMatchObject({ state: "running", delay: null });
  });

  test("[RN20, RN32] one whose leases run out in the moment when it is to be tried again goes on later, too", () => {
    const { world, run } = atWork();
    fail(world, run, "outage", { retryAfterMs: 30_000 });
    world.pass(40_000);
    expect(world.run(run)).toMatchObject({ state: "parked", lost: true });
    world.ok({ type: "run.back", run }, "system");
    expect(world.run(run)).toMatchObject({ state: "running", lost: false, delay: null });
  });

  test("[RN32] nobody waits for hours whose work another could do; others do", () => {
    const long = { retryAfterMs: 5 * 3_600_000 };
    const { world, run } = atWork({ fallbacks: ["codex"] });
    fail(world, run, "rate-limit", long);
    expect(world.run(run).runner).toBe("codex");
    fail(world, run, "rate-limit", long);
    expect(world.run(run)).toMatchObject({ state: "parked", delay: { untilMs: world.nowMs + long.retryAfterMs } });
  });

  test("[RN33] is taken over by the next that policies allow, which keeps everything but the conversation", () => {
    const { world, run } = atWork();
    world.policy("not codex", { deniedRunners: ["codex"] });
    world.write(run, "a.ts");
    const items = [{ is: "session", session: "s-1", model: null }] as const;
    world.ok({ type: "run.hear", run, life: 4, upTo: 1, told: 0, owes: 1, items });
    fail(world, run, "auth", { said: "I have begun." });
    const { runner, session, family, workspace, handed: from } = world.run(run);
    expect({ runner, session, changed: [...workspace.dirty.keys()] }).toEqual({
      ...{ runner: "gemini", session: null },
      changed: ["a.ts"],
    });
    expect(from).toEqual({ from: "claude", failure: "auth", said: "I have begun.", lives: 4 });
    expect(world.state.table.families.get(family)?.leases.size).toBe(1);
    fail(world, run, "auth");
    expect(world.run(run)).toMatchObject({ state: "failed", runner: "gemini", failure: "auth" });
  });

  test("[RN33] a runner that was named instead of its profile's has nobody to take over", () => {
    const { world } = atWork();
    const run = world.started({ profile: "own", runner: "opencode" });
    fail(world, run, "auth");
    expect(world.run(run).state).toBe("failed");
  });

  test("[RN33] whose sub-run is at work has its slot as whoever takes over, and returns that one", () => {
    const { world, run } = atWork();
    world.policy("one of claude", { maxConcurrent: 1 }, { runner: "claude" });
    const sub = world.submit({ parent: run, sub: true });
    world.ok({ type: "run.driven", run: sub, family: world.run(sub).family });
    const other = world.submit({ profile: "own", runner: "claude" });
    expect(world.run(other).state).toBe("queued");
    fail(world, run, "auth");
    expect(world.run(run).runner).toBe("codex");
    expect(world.run(other).state).toBe("starting");
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    expect([world.run(run).state, world.run(sub).state]).toEqual(["terminated", "terminated"]);
    expect([...world.state.slots].filter(([scope]) => scope.includes("codex"))).toEqual([]);
  });

  test("[RN33] whoever takes over waits for room under its own limits", () => {
    const { world, run } = atWork();
    world.policy("one codex", { maxConcurrent: 0 }, { runner: "codex" });
    fail(world, run, "auth");
    expect(world.run(run)).toMatchObject({ state: "parked", runner: "codex" });
    world.policy("one codex", { maxConcurrent: 1 }, { runner: "codex" });
    expect(world.run(run).state).toBe("running");
  });

  test("[RN34] one that owes a turn and waits for nothing is taken up again; one whose model thinks is not", () => {
    const { world, run } = atWork();
    world.policy("quick", { stuckAfterMs: 5000 });
    const heard = { type: "run.hear", run, told: 0, items: [] } as const;
    world.ok({ ...heard, life: 1, upTo: 1, owes: 1 });
    const request = {
      type: "model.request",
      run,
      key: "k",
      provider: "anthropic",
      model: "m",
      credential: "c",
    } as const;
    const asked = world.ok({ ...request, inputTokens: 1, outputTokens: 1 });
    world.live(6000, run);
    expect(world.run(run)).toMatchObject({ state: "running", stuck: { why: "silent" } });
    const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const answer = { model: null, extent: "whole", status: 200, artifact: null } as const;
    if (asked.of !== "id") throw new Error("no request");
    world.ok({ type: "model.answer", request: asked.id, ...usage, ...answer });
    world.ok({ ...heard, life: 1, upTo: 2, owes: 1 });
    world.live(6000, run);
    expect(world.run(run)).toMatchObject({ state: "parked", delay: { failure: "hung" } });
  });
});
