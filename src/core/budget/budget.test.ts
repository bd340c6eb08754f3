import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import type { AnswerModel, Refusal, RequestModel } from "../inputs.ts";
import { daysMax } from "./budget-evolve.ts";
import { earlier, type Price } from "./budget-state.ts";
import { budgetsOf } from "./budgets.ts";
import { priceOf } from "./prices.ts";

const dayMs = 86_400_000;
let keys = 0;

/** A model at a dollar for a million tokens of any kind: a token is a micro-dollar. */
function made(): CoreWorld {
  const world = new CoreWorld();
  world.project();
  world.ok({ type: "price.set", price: priced("plain") });
  return world;
}

function priced(model: string, micros = 1_000_000): Price {
  return {
    model,
    inputMicros: micros,
    outputMicros: micros,
    cacheReadMicros: micros / 10,
    cacheWriteMicros: micros,
  };
}

function toRequest(run: string, more: Partial<RequestModel> = {}): RequestModel {
  const about = { key: `k${keys++}`, provider: "anthropic", model: "plain", credential: "environment:KEY" };
  return { type: "model.request", run, ...about, inputTokens: 60, outputTokens: 40, ...more };
}

function toAnswer(request: string, more: Partial<AnswerModel> = {}): AnswerModel {
  const usage = { inputTokens: 10, outputTokens: 20, cacheReadTokens: 100, cacheWriteTokens: 5 };
  const how = { model: null, extent: "whole", status: 200, artifact: null } as const;
  return { type: "model.answer", request, ...usage, ...how, ...more };
}

const spend = (world: CoreWorld, run: string, more: Partial<AnswerModel> = {}): void => {
  world.ok(toAnswer(world.id(toRequest(run)), more));
};

describe("before a request", () => {
  test("[BG1] what it may cost at most is reserved, and requests at the same time do not pass a budget together", () => {
    const world = made();
    world.policy("thrift", { maxRunCostMicros: 250 });
    const run = world.started();
    const first = world.id(toRequest(run));
    expect(world.lastOf("model.requested")).toMatchObject([{ request: first, reservedMicros: 100 }]);
    world.id(toRequest(run));
    expect(world.no(toRequest(run))).toEqual({
      code: "budget-spent",
      run,
      policy: "thrift",
      rule: "maxRunCostMicros",
      limitMicros: 250,
      spentMicros: 0,
      reservedMicros: 200,
      neededMicros: 100,
    });
    world.ok(toAnswer(first));
    expect(world.run(run).spend).toMatchObject({ requests: 1, costMicros: 45 });
    world.id(toRequest(run));
  });

  test("[BG1] the same request again is the same request", () => {
    const world = made();
    const run = world.started();
    const request = toRequest(run);
    expect(world.id(request)).toBe(world.id(request));
    expect(world.state.spending.requests.size).toBe(1);
  });

  test("[BG2] only a run at work may send one", () => {
    const world = made();
    const run = world.submit({ plan: ["file:a"] });
    const wrong = (): Refusal => world.no(toRequest(run));
    world.driven(run);
    world.id(toRequest(run));
    world.ok({ type: "run.pause", run });
    expect(wrong()).toMatchObject({ code: "wrong-state", state: "paused" });
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    expect(wrong()).toMatchObject({ code: "wrong-state", state: "terminated" });
    expect(world.no(toRequest("r_zz"))).toMatchObject({ code: "not-found" });
  });

  test("[BG3] run and tree: the most important policy decides, and a tree counts all that stem from one run", () => {
    const world = made();
    world.policy("all", { maxRunCostMicros: 1 });
    world.policy("more", { maxRunCostMicros: 1000, maxTreeCostMicros: 150 }, {}, 5);
    const root = world.started();
    const sub = world.submit({ parent: root, sub: true });
    world.driven(sub);
    const separate = world.started({ parent: sub });
    spend(world, root);
    spend(world, separate);
    expect(world.no(toRequest(sub))).toMatchObject({ rule: "maxTreeCostMicros", policy: "more", spentMicros: 90 });
    spend(world, world.started());
    expect(world.run(separate)).toMatchObject({ tree: root });
  });

  test("[BG3] a day and a total are pools of a policy's scope, and each has to have room", () => {
    const world = made();
    world.policy("daily", { maxDayCostMicros: 150 });
    world.policy("fast", { maxTotalCostMicros: 120 }, { profile: "fast" }, 9);
    const plain = world.started();
    const fast = world.started({ profile: "fast" });
    spend(world, plain);
    expect(world.id(toRequest(fast))).toBeDefined();
    expect(world.no(toRequest(plain))).toMatchObject({
      rule: "maxDayCostMicros",
      spentMicros: 45,
      reservedMicros: 100,
    });
    world.ok({ type: "model.forget", node: "local" });
    world.ok({ type: "engine.open", version: "test", wallMs: world.nowMs + dayMs });
    expect(world.no(toRequest(fast))).toMatchObject({ rule: "maxTotalCostMicros", spentMicros: 100 });
    world.id(toRequest(plain));
    expect(budgetsOf(world.state, world.run(plain), world.nowMs)).toEqual([
      { rule: "maxDayCostMicros", policy: "daily", limitMicros: 150, spentMicros: 0, reservedMicros: 100 },
    ]);
  });

  test("[BG4] a refusal is recorded once, until a request is let through", () => {
    const world = made();
    world.policy("thrift", { maxRunCostMicros: 99 });
    const run = world.started();
    world.no(toRequest(run));
    expect(world.lastOf("model.refused")).toMatchObject([
      { run, code: "budget-spent", what: "maxRunCostMicros", policy: "thrift" },
    ]);
    world.no(toRequest(run));
    expect(world.last).toEqual([]);
    world.policy("thrift", { maxRunCostMicros: 100 });
    world.id(toRequest(run));
    expect(world.run(run).modelRefused).toBeNull();
    world.no(toRequest(run));
    expect(world.lastOf("model.refused")).toHaveLength(1);
  });

  test("[BG5] without a price there is no reckoning: refused under a budget, counted without one", () => {
    const world = made();
    const run = world.started();
    world.ok(toAnswer(world.id(toRequest(run, { model: "homemade" }))));
    expect(world.lastOf("model.answered")).toMatchObject([{ costMicros: null }]);
    expect(world.run(run).spend).toMatchObject({ unpriced: 1, costMicros: 0, inputTokens: 10 });
    world.policy("thrift", { maxDayCostMicros: 1_000_000 });
    expect(world.no(toRequest(run, { model: "homemade" }))).toEqual({
      code: "price-unknown",
      model: "homemade",
      policy: "thrift",
    });
  });
});

describe("after a request", () => {
  test("[BG6] one answer ends it, at the price of that moment", () => {
    const world = made();
    const run = world.started({ profile: "fast" });
    const request = world.id(toRequest(run));
    world.ok({ type: "price.set", price: priced("plain", 2_000_000) });
    world.ok(toAnswer(request, { artifact: "a/b", extent: "partial" }));
    expect(world.lastOf("model.answered")).toMatchObject([{ costMicros: 90, artifact: "a/b" }]);
    world.ok(toAnswer(request));
    expect(world.last).toEqual([]);
    world.ok({ type: "price.set", price: priced("plain", 0) });
    expect(world.run(run).spend).toEqual({
      requests: 1,
      partial: 1,
      unpriced: 0,
      inputTokens: 10,
      outputTokens: 20,
      cacheReadTokens: 100,
      cacheWriteTokens: 5,
      costMicros: 90,
    });
    const rows = [...world.state.spending.days.values()].flatMap((day) => [...day.values()]);
    expect(rows).toMatchObject([{ project: "p_1", profile: "fast", runner: "script", model: "plain" }]);
    expect([...world.state.spending.credentials.keys()]).toEqual(["environment:KEY"]);
  });

  test("[BG6] the reserve is never less than what the estimate can cost", () => {
    const world = made();
    world.ok({ type: "price.set", price: { ...priced("cachy"), cacheWriteMicros: 3_000_000 } });
    const run = world.started();
    world.id(toRequest(run, { model: "cachy" }));
    expect(world.lastOf("model.requested")).toMatchObject([{ reservedMicros: 60 * 3 + 40 }]);
  });

  test.each([
    ["gpt-5", "gpt-5"],
    ["gpt-5-2025-08-07", "gpt-5"],
    ["gpt-5-mini-2025-08-07", "gpt-5-mini"],
    ["gpt-5.9", undefined],
    ["gpt-50", undefined],
    ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
    ["claude-sonnet-4-20250514", "claude-sonnet-4"],
    ["claude-haiku-4-5@20251001", "claude-haiku-4-5"],
    ["", undefined],
  ])("[BG7] the price of %s is that of %s", (model, expected) => {
    expect(priceOf(new Map(), model)?.model).toBe(expected);
  });

  test("[BG7] what a person set goes first, the longest name decides, and removing it brings back what is built in", () => {
    const world = made();
    world.ok({ type: "price.set", price: priced("gpt-5", 7) });
    const { prices } = world.state.spending;
    expect(priceOf(prices, "gpt-5-pro")?.inputMicros).toBe(7);
    expect(priceOf(prices, "gpt-5-mini")?.inputMicros).toBe(250_000);
    world.ok({ type: "price.remove", model: "gpt-5" });
    expect(priceOf(prices, "gpt-5")?.inputMicros).toBe(1_250_000);
    expect(world.no({ type: "price.remove", model: "gpt-5" })).toMatchObject({ code: "in-use" });
    expect(world.no({ type: "price.remove", model: "nothing" })).toMatchObject({ code: "not-found" });
  });

  test("[BG7] the model that answered decides, and the one that was asked for where that has no price", () => {
    const world = made();
    world.ok({ type: "price.set", price: priced("dear", 2_000_000) });
    const run = world.started();
    world.ok(toAnswer(world.id(toRequest(run)), { model: "dear-2" }));
    expect(world.lastOf("model.answered")).toMatchObject([{ model: "dear-2", costMicros: 90 }]);
    world.ok(toAnswer(world.id(toRequest(run)), { model: "unheard-of" }));
    expect(world.lastOf("model.answered")).toMatchObject([{ model: "unheard-of", costMicros: 45 }]);
  });

  test("[BG8] a request that nobody can tell of any more counts as what was reserved", () => {
    const world = made();
    const run = world.started();
    world.id(toRequest(run));
    world.ok({ type: "model.forget", node: "elsewhere" });
    expect(world.last).toEqual([]);
    world.ok({ type: "model.forget", node: "local" });
    expect(world.lastOf("model.answered")).toMatchObject([{ extent: "lost", status: null, costMicros: 100 }]);
    const late = world.id(toRequest(run));
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    world.stopped(run);
    world.ok({ type: "run.remove", run });
    expect(world.last.map(({ type }) => type)).toEqual(["model.answered", "run.removed"]);
    world.ok(toAnswer(late));
    expect(world.last).toEqual([]);
    expect([world.state.spending.requests.size, world.state.spending.trees.size]).toEqual([0, 0]);
  });

  test("[BG9] an answer counts on the day it came, by the wall clock at the opening", () => {
    const world = new CoreWorld();
    world.ok({ type: "engine.open", version: "test", wallMs: 20 * dayMs - 1000 });
    world.project();
    world.ok({ type: "price.set", price: priced("plain") });
    const run = world.started();
    const request = world.id(toRequest(run));
    spend(world, run);
    world.pass(2000);
    world.ok(toAnswer(request));
    expect([...world.state.spending.days.keys()]).toEqual([19, 20]);
  });

  test("[BG9] old days join, and sums stay exact", () => {
    const world = new CoreWorld({ restoreEvery: 50, checkEvery: 50 });
    world.project();
    world.ok({ type: "price.set", price: priced("plain") });
    world.policy("ever", { maxTotalCostMicros: 1_000_000 });
    const run = world.started();
    for (let day = 0; day < daysMax + 5; day++) {
      world.ok({ type: "engine.open", version: "test", wallMs: day * dayMs });
      spend(world, run);
    }
    const { days } = world.state.spending;
    expect(days.size).toBe(daysMax + 1);
    expect([...(days.get(earlier)?.values() ?? [])]).toMatchObject([{ spend: { requests: 5 } }]);
    const [ever] = budgetsOf(world.state, world.run(run), world.nowMs);
    expect(ever?.spentMicros).toBe(45 * (daysMax + 5));
  });
});
