import { describe, expect, test } from "vitest";
import { CoreWorld, toSubmit } from "../../../test/support/core-world.ts";
import { isRestricted, mayUse, modelOf, type ProfileSettings } from "./profile.ts";

function made(settings: ProfileSettings = {}): CoreWorld {
  const world = new CoreWorld();
  world.project();
  set(world, settings);
  return world;
}

function set(world: CoreWorld, settings: ProfileSettings, ensure = false): void {
  world.ok({ type: "profile.set", profile: { name: "own", settings }, ensure });
}

describe("profiles", () => {
  test("[PF13] are made by models, and replaced by people alone, whoever came first", () => {
    const world = new CoreWorld();
    world.project();
    const set = (actor: string, model: string): unknown =>
      world.give({ type: "profile.set", profile: { name: "own", settings: { model } }, ensure: false }, actor);
    expect(set("agent:mcp", "a")).toMatchObject({ ok: true });
    expect(set("person:eva", "b")).toMatchObject({ ok: true });
    expect(set("agent:mcp", "c")).toMatchObject({ ok: false, refusal: { code: "forbidden" } });
    expect(world.state.profiles.get("own")?.settings.model).toBe("b");
  });

  test("[PF1] are set, replaced, ensured and removed", () => {
    const world = made({ maxTurns: 3 });
    set(world, { maxTurns: 4 }, true);
    expect(world.last).toEqual([]);
    expect(world.state.profiles.get("own")?.settings).toEqual({ maxTurns: 3 });
    set(world, { maxTurns: 5 });
    expect(world.state.profiles.get("own")?.settings).toEqual({ maxTurns: 5 });
    world.ok({ type: "profile.remove", name: "own" });
    expect(world.no({ type: "profile.remove", name: "own" })).toMatchObject({ code: "not-found", kind: "profile" });
    set(world, {}, true);
    expect(world.lastOf("profile.set")).toHaveLength(1);
  });

  test("[PF2] a run keeps what its profile said, and a retry takes what it says now", () => {
    const world = made({ maxTurns: 3 });
    const run = world.started({ profile: "own" });
    set(world, { maxTurns: 9 });
    expect(world.run(run).settings).toEqual({ maxTurns: 3 });
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    const again = world.id({ type: "run.retry", run });
    expect(world.run(again).settings).toEqual({ maxTurns: 9 });
    expect(world.run(world.submit({ profile: "a label" })).settings).toBeNull();
  });

  test("[PF3] a model is for the runner that it is named with, and a preset is for all", () => {
    const presets = { cheap: "small" };
    const settings = { runner: "one", model: "named", preset: "cheap" } as const;
    expect(modelOf(settings, "one", presets)).toBe("named");
    expect(modelOf(settings, "other", presets)).toBe("small");
    expect(modelOf({ preset: "smart" }, "one", presets)).toBeNull();
    expect(modelOf(null, "one", presets)).toBeNull();
  });
});

describe("limits of a profile", () => {
  test.each([
    [60_000, 10_000, 10_000, "policy"],
    [10_000, 60_000, 10_000, "profile own"],
    [10_000, undefined, 10_000, "profile own"],
    [undefined, 10_000, 10_000, "policy"],
  ])("[PF4] of %s and %s the shorter time counts", (own, stated, limitMs, policy) => {
    const world = made({ maxTimeMs: own });
    if (stated !== undefined) world.policy("policy", { maxTimeMs: stated });
    const run = world.started({ profile: "own" });
    expect(world.run(run)).toMatchObject({ limitAtMs: world.nowMs + limitMs, limitPolicy: policy });
    world.pass(limitMs);
    expect(world.run(run)).toMatchObject({ state: "failed", because: "its time is up" });
  });

  test("[PF4] each budget has to have room, and the refusal names the profile", () => {
    const world = made({ maxCostMicros: 100 });
    world.policy("wide", { maxRunCostMicros: 1_000_000 });
    const price = { model: "plain", inputMicros: 1_000_000, outputMicros: 1_000_000 };
    world.ok({ type: "price.set", price: { ...price, cacheReadMicros: 0, cacheWriteMicros: 0 } });
    const ask = { type: "model.request", provider: "openai", model: "plain", credential: "store:K" } as const;
    const run = world.started({ profile: "own" });
    expect(world.no({ ...ask, run, key: "1", inputTokens: 60, outputTokens: 60 })).toMatchObject({
      code: "budget-spent",
      policy: "profile own",
      limitMicros: 100,
    });
    world.ok({ ...ask, run, key: "2", inputTokens: 40, outputTokens: 40 });
    expect(world.no({ ...ask, run, key: "3", inputTokens: 20, outputTokens: 20 })).toMatchObject({
      reservedMicros: 80,
    });
    const other = world.started();
    world.ok({ ...ask, run: other, key: "1", inputTokens: 60, outputTokens: 60 });
  });
});

describe("the policy that a profile names", () => {
  test("[PF5] speaks of its runs whatever its scope is, by its priority", () => {
    const world = made();
    world.policy("strict", { deniedPaths: ["secret"], deniedRunners: ["codex"] }, { profile: "other" });
    expect(
      world.no({ type: "profile.set", profile: { name: "own", settings: { policy: "gone" } }, ensure: false }),
    ).toEqual({ code: "not-found", kind: "policy", id: "gone" });
    set(world, { policy: "strict" });
    const run = world.started({ profile: "own" });
    expect(world.refused(run, "write", ["file:secret"])).toMatchObject({ policy: "strict" });
    expect(world.no(toSubmit(world.state, { profile: "own", runner: "codex" }))).toMatchObject({ policy: "strict" });
    expect(world.no(toSubmit(world.state, { profile: "own", plan: ["file:secret"] }))).toMatchObject({
      rule: "deniedPaths",
    });
    world.submit({ runner: "codex" });
    expect(world.no({ type: "policy.remove", name: "strict" })).toMatchObject({ code: "in-use" });
    world.policy("milder", { deniedPaths: [] }, {}, 5);
    world.write(run, "secret");
  });

  test("[PF5] limits of a scope stay with their scope", () => {
    const world = made();
    world.policy("none at all", { maxConcurrent: 0, maxTotalCostMicros: 0 }, { profile: "other" });
    set(world, { policy: "none at all" });
    const run = world.started({ profile: "own" });
    const about = { provider: "openai", model: "gpt-5", credential: "store:K", inputTokens: 1, outputTokens: 1 };
    world.ok({ type: "model.request", run, key: "1", ...about });
    expect(world.run(run).state).toBe("running");
  });
});

test("[PF6] tools are allowed and denied, denied is stronger, and finish is always there", () => {
  const settings = { allowedTools: ["read_file", "edit_file"], deniedTools: ["edit_file", "finish"] };
  const may = ["read_file", "edit_file", "run_command", "finish"].map((tool) => mayUse(settings, tool));
  expect(may).toEqual([true, false, false, true]);
  expect(mayUse({ deniedTools: ["run_command"] }, "read_file")).toBe(true);
  expect(mayUse(null, "run_command")).toBe(true);
  expect([null, {}, { deniedTools: [] }, { allowedTools: ["claim"] }].map(isRestricted)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
