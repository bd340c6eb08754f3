// What happens in a recorded history to budgets: what is spent, refused and raised.

import type { HistoryRecorder } from "./history-recorder.ts";

/** Prices, a budget, requests that are answered, refused and lost. */
export function spendOnModels(world: HistoryRecorder, project: string): void {
  const price = { inputMicros: 3_000_000, outputMicros: 15_000_000, cacheReadMicros: 300_000, cacheWriteMicros: 0 };
  world.give({ type: "price.set", price: { model: "house-model", ...price } });
  world.give({ type: "price.set", price: { model: "short-lived", ...price } });
  world.give({ type: "price.remove", model: "short-lived" });
  const rules = { maxRunCostMicros: 20_000, maxDayCostMicros: 5_000_000 };
  const scope = { profile: "thrifty" };
  world.give({ type: "policy.set", policy: { name: "thrift", priority: 1, enabled: true, scope, rules } });
  const run = world.submit(project, { profile: "thrifty" });
  world.start(run);
  const about = { provider: "anthropic", model: "house-model", credential: "store:ANTHROPIC_API_KEY" };
  const estimate = { turn: true, inputTokens: 1000, outputTokens: 1000 };
  const ask = { type: "model.request", run, ...about, ...estimate } as const;
  const first = world.give({ ...ask, key: "1" }, "system");
  world.refuse({ ...ask, key: "2" }, "system");
  const usage = { inputTokens: 100, outputTokens: 50, cacheReadTokens: 900, cacheWriteTokens: 0 };
  const came = { model: "house-model-2", extent: "whole", status: 200, artifact: `${run}/1.json.gz` } as const;
  const request = first.of === "id" ? first.id : "";
  world.give({ type: "model.answer", request, ...usage, ...came }, "system");
  world.give({ ...ask, key: "3" }, "system");
  world.give({ type: "model.forget", node: "local" }, "system");
  const free = world.submit(project);
  world.start(free);
  world.give({ ...ask, run: free, model: "homemade", key: "4" }, "system");
  world.give({ type: "model.forget", node: "local" }, "system");
  world.complete(free);
  world.land(free);
  world.complete(run);
  world.land(run);
}

/** A run has asked its model as often as its profile lets it; a person gives it more, and so for its cost before it is spent. */
export function raiseALimit(world: HistoryRecorder, project: string): void {
  const settings = { runner: "claude", maxTurns: 1, maxCostMicros: 2_000_000 };
  world.give({ type: "profile.set", profile: { name: "bounded", settings }, ensure: false });
  const run = world.submit(project, { runner: "claude", profile: "bounded" });
  world.start(run);
  const about = { provider: "anthropic", model: "house-model", credential: "store:ANTHROPIC_API_KEY" };
  const ask = { type: "model.request", run, ...about, turn: true, inputTokens: 1000, outputTokens: 1000 } as const;
  world.give({ ...ask, key: "6" }, "system");
  world.refuse({ ...ask, key: "7" }, "system");
  world.give({ type: "run.raise", run, limit: "maxTurns", value: 4 });
  world.give({ type: "run.raise", run, limit: "maxCostMicros", value: 5_000_000 });
}
