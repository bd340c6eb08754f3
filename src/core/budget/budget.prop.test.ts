import fc from "fast-check";
import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { search } from "../../../test/support/search.ts";
import { budgetsOf } from "./budgets.ts";

const amount = fc.integer({ min: 0, max: 60 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ask: fc.nat(3), inputTokens: amount, outputTokens: amount }) },
  { weight: 5, arbitrary: fc.record({ answer: fc.nat(9), share: fc.double({ min: 0, max: 1, noNaN: true }) }) },
  { weight: 1, arbitrary: fc.record({ raise: fc.nat(3), to: fc.nat(500) }) },
  { weight: 1, arbitrary: fc.record({ forget: fc.constant(true) }) },
  { weight: 1, arbitrary: fc.record({ nextDay: fc.constant(true) }) },
);

test("[BG1, PF21] no order of requests, answers and raised limits passes a budget", { timeout: 600_000 }, () => {
  let refused = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80, size: "max" }), (steps) => {
      const world = new CoreWorld({ restoreEvery: 7, checkEvery: 7 });
      world.project();
      const each = {
        inputMicros: 1_000_000,
        outputMicros: 2_000_000,
        cacheReadMicros: 0,
        cacheWriteMicros: 1_500_000,
      };
      world.ok({ type: "price.set", price: { model: "plain", ...each } });
      world.policy("own", { maxRunCostMicros: 400, maxTreeCostMicros: 600 });
      world.policy("pool", { maxDayCostMicros: 700, maxTotalCostMicros: 1500 });
      const settings = { maxCostMicros: 150 };
      world.ok({ type: "profile.set", profile: { name: "fast", settings }, ensure: false });
      const root = world.started();
      const runs = [root, world.started({ parent: root }), world.started(), world.started({ profile: "fast" })];
      const limits = new Map<string, number>();
      let days = 0;
      for (const [at, doing] of steps.entries()) {
        if ("nextDay" in doing) {
          world.ok({ type: "engine.open", version: "test", wallMs: ++days * 86_400_000 });
        } else if ("raise" in doing) {
          const run = runs[doing.raise] ?? root;
          world.give({ type: "run.raise", run, limit: "maxCostMicros", value: doing.to });
        } else if ("forget" in doing) {
          world.ok({ type: "model.forget", node: "local" });
        } else if ("ask" in doing) {
          const run = runs[doing.ask] ?? root;
          const about = { key: String(at), provider: "anthropic", model: "plain", credential: "store:KEY" };
          const { inputTokens, outputTokens } = doing;
          const result = world.give({ type: "model.request", run, ...about, inputTokens, outputTokens });
          if (!result.ok) refused++;
        } else {
          const open = [...world.state.spending.requests.values()][doing.answer];
          if (open === undefined) continue;
          const used = (most: number): number => Math.floor(most * doing.share);
          const written = used(open.inputTokens);
          const usage = { inputTokens: 0, cacheReadTokens: open.inputTokens - written, cacheWriteTokens: written };
          const came = { model: null, extent: "whole", status: 200, artifact: null } as const;
          const outputTokens = used(open.outputTokens);
          world.ok({ type: "model.answer", request: open.id, ...usage, outputTokens, ...came });
        }
        for (const run of runs) {
          const limit = world.run(run).settings?.maxCostMicros ?? 0;
          expect(limit).toBeGreaterThanOrEqual(limits.get(run) ?? 0);
          limits.set(run, limit);
          for (const budget of budgetsOf(world.state, world.run(run), world.nowMs))
            expect(budget.spentMicros + budget.reservedMicros).toBeLessThanOrEqual(budget.limitMicros);
        }
      }
    }),
    search(40),
  );
  expect(refused).toBeGreaterThan(20);
});
