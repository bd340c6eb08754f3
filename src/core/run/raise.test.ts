import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { budgetsOf } from "../budget/budgets.ts";
import type { RequestModel } from "../inputs.ts";
import type { ProfileSettings } from "../profile/profile.ts";
import { fromPlain, toPlain } from "../snapshot.ts";
import { needsOf } from "./needs.ts";
import type { RaisedLimit } from "./raise.ts";

const plain = { inputMicros: 1_000_000, outputMicros: 1_000_000, cacheReadMicros: 0, cacheWriteMicros: 0 };

/** A run of a profile with these limits, at work; a request to its model costs 100 micro-dollars at most. */
function atWork(settings: ProfileSettings): { readonly world: CoreWorld; readonly run: string } {
  const world = new CoreWorld();
  world.project();
  world.ok({ type: "price.set", price: { model: "plain", ...plain } });
  const profile = { name: "own", settings: { runner: "claude", fallbacks: ["codex"], ...settings } };
  world.ok({ type: "profile.set", profile, ensure: false });
  return { world, run: world.started({ profile: "own", runner: "claude" }) };
}

let keys = 0;
const asking = (run: string): RequestModel => ({
  ...{ type: "model.request", run, key: String(++keys), provider: "anthropic", model: "plain" },
  ...{ credential: "store:K", turn: true, inputTokens: 50, outputTokens: 50 },
});

/** Asks its model, and uses everything that was reserved. */
function ask(world: CoreWorld, run: string): void {
  const request = world.id(asking(run));
  const usage = { inputTokens: 50, outputTokens: 50, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const came = { model: null, extent: "whole", status: 200, artifact: null } as const;
  world.ok({ type: "model.answer", request, ...usage, ...came });
}

const raise = (run: string, limit: RaisedLimit, value: number) => ({ type: "run.raise", run, limit, value }) as const;

/** Its program says that it failed for what it was told at its model's door. */
function fail(world: CoreWorld, run: string, life: number): void {
  const failure = { class: "auth", runner: "claude", life, retryAfterMs: null, said: "" } as const;
  const end = { run, family: world.run(run).family, ok: false, message: "claude: auth: 403", failure };
  world.ok({ type: "run.finish", ...end });
}

describe("a limit of a run's profile", () => {
  test("[PF21] is raised for the run alone, at once, and the log says by whom and from what", () => {
    const { world, run } = atWork({ maxCostMicros: 150 });
    const other = world.started({ profile: "own", runner: "claude" });
    ask(world, run);
    expect(world.no(asking(run))).toMatchObject({ code: "budget-spent", policy: "profile own", limitMicros: 150 });
    world.ok(raise(run, "maxCostMicros", 300), "person:ann");
    expect(world.lastOf("run.raised")).toMatchObject([
      { actor: "person:ann", run, limit: "maxCostMicros", was: 150, value: 300 },
    ]);
    ask(world, run);
    expect(budgetsOf(world.state, world.run(run), world.nowMs)).toMatchObject([{ limitMicros: 300, spentMicros: 200 }]);
    expect(world.run(other).settings?.maxCostMicros).toBe(150);
    expect(world.state.profiles.get("own")?.settings.maxCostMicros).toBe(150);
  });

  test("[PF21] nobody has to act on it any more once it was raised, and the next refusal is told anew", () => {
    const { world, run } = atWork({ maxTurns: 1, maxCostMicros: 1000 });
    ask(world, run);
    world.no(asking(run));
    // Another limit than the one that holds it.
    world.ok(raise(run, "maxCostMicros", 2000));
    expect(world.run(run).modelRefused).toMatchObject({ code: "turns-spent" });
    expect(needsOf(world.run(run), false)).toMatchObject([{ kind: "budget" }]);
    world.ok(raise(run, "maxTurns", 2));
    expect(world.run(run).modelRefused).toMatchObject({ raised: true });
    expect(needsOf(world.run(run), false)).toEqual([]);
    ask(world, run);
    expect(world.run(run)).toMatchObject({ turns: 2, modelRefused: null });
    world.no(asking(run));
    world.ok(raise(run, "maxTurns", 3));
    const request = asking(run);
    world.policy("thrift", { maxRunCostMicros: 0 });
    expect(world.no(request)).toMatchObject({ code: "budget-spent", policy: "thrift" });
    expect(world.lastOf("model.refused")).toHaveLength(1);
    // What a policy keeps from it, no limit of its own gives back.
    world.ok(raise(run, "maxCostMicros", 3000));
    expect(world.run(run).modelRefused?.raised).toBeUndefined();
  });

  test("[PF21, BG4] a limit that was not raised enough is told once more", () => {
    const { world, run } = atWork({ maxCostMicros: 10 });
    world.no(asking(run));
    world.ok(raise(run, "maxCostMicros", 20));
    world.no(asking(run));
    expect(world.lastOf("model.refused")).toMatchObject([{ run, code: "budget-spent" }]);
    expect(world.run(run).modelRefused?.raised).toBeUndefined();
    world.no(asking(run));
    expect(world.last).toEqual([]);
  });

  test("[PF21] is only raised upwards, only where the run has it, only while it is not over, and only by a person", () => {
    const { world, run } = atWork({ maxTurns: 5 });
    for (const value of [4, 5])
      expect(world.no(raise(run, "maxTurns", value))).toEqual({
        ...{ code: "not-higher", run, limit: "maxTurns", value, now: 5 },
      });
    expect(world.no(raise(run, "maxCostMicros", 9))).toEqual({ code: "no-limit", run, limit: "maxCostMicros" });
    for (const actor of [`agent:${run}`, "agent:mcp", "system"])
      expect(world.no(raise(run, "maxTurns", 9), actor)).toMatchObject({ code: "forbidden" });
    expect(world.no(raise("r_zz", "maxTurns", 9))).toMatchObject({ code: "not-found" });
    const plainly = world.started();
    expect(world.no(raise(plainly, "maxTurns", 9))).toMatchObject({ code: "no-limit" });
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    expect(world.no(raise(run, "maxTurns", 9))).toMatchObject({ code: "wrong-state", wanted: "not over" });
    expect(world.log.some(({ type }) => type === "run.raised")).toBe(false);
  });

  test("[PF21] stays raised when the run is continued; a retry has what its profile says then", () => {
    const { world, run } = atWork({ maxTurns: 1 });
    world.ok(raise(run, "maxTurns", 3));
    world.finish(run);
    expect(world.run(run).state).toBe("done");
    world.ok({ type: "run.continue", run, message: "and now the other" });
    expect(world.run(run).settings?.maxTurns).toBe(3);
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    const again = world.id({ type: "run.retry", run });
    expect(world.run(again).settings?.maxTurns).toBe(1);
  });

  test("[PF21, RN32] an assistant that was turned away before, and ends after it, is tried again, and nobody takes over", () => {
    const { world, run } = atWork({ maxTurns: 1 });
    ask(world, run);
    world.no(asking(run));
    world.ok(raise(run, "maxTurns", 2));
    fail(world, run, 1);
    const why = "claude: max-turns: it asked its model as often as its profile own lets it, which was raised since";
    expect(world.lastOf("run.delayed")).toMatchObject([{ failure: "max-turns", what: why }]);
    world.pass(1000);
    expect(world.run(run)).toMatchObject({ state: "running", runner: "claude", modelRefused: null });
    ask(world, run);
    world.no(asking(run));
    fail(world, run, 2);
    expect(world.run(run)).toMatchObject({ state: "failed", failure: "max-turns" });
  });

  test("[PF21, RN32] that is none of the tries that it has: there need be none, and none is used up", () => {
    const { world, run } = atWork({ maxTurns: 1, fallbacks: [] });
    const turnedAway = (value: number, life: number): void => {
      world.no(asking(run));
      world.ok(raise(run, "maxTurns", value));
      fail(world, run, life);
      expect(world.run(run).state).toBe("parked");
      world.pass(1000);
      expect(world.run(run).state).toBe("running");
      ask(world, run);
    };
    const outage = (life: number): void => {
      const failure = { class: "outage", runner: "claude", life, retryAfterMs: 1000, said: "" } as const;
      const end = { run, family: world.run(run).family, ok: false, message: "claude: outage", failure };
      world.ok({ type: "run.finish", ...end });
    };
    world.policy("impatient", { maxRetries: 0 });
    ask(world, run);
    turnedAway(2, 1);
    expect(world.run(run).retries).toBe(0);
    world.policy("impatient", { maxRetries: 1 });
    outage(2);
    expect(world.lastOf("run.delayed")).toMatchObject([{ attempt: 1, attemptsMax: 1 }]);
    world.pass(1000);
    turnedAway(3, 3);
    expect(world.run(run).retries).toBe(1);
    outage(4);
    expect(world.run(run)).toMatchObject({ state: "failed", failure: "outage" });
  });

  test("[PF21, LG12] what was raised is in a snapshot, and a fold of the log is the same", () => {
    const { world, run } = atWork({ maxCostMicros: 10 });
    world.no(asking(run));
    world.ok(raise(run, "maxCostMicros", 20));
    const restored = fromPlain(structuredClone(toPlain(world.state))).runs.get(run);
    expect(restored).toMatchObject({ settings: { maxCostMicros: 20 }, modelRefused: { raised: true } });
    world.check();
  });
});
