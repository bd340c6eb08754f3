import assert from "node:assert/strict";
import fc from "fast-check";
import { expect, test } from "vitest";
import { playStep, playSteps, setUp } from "../../test/support/core-player.ts";
import { CoreWorld } from "../../test/support/core-world.ts";
import { search } from "../../test/support/search.ts";
import { canonical } from "../base/canonical.ts";
import { Prng } from "../base/prng.ts";
import { actsPending } from "./acts.ts";
import { decide } from "./decide.ts";
import { fromPlain, toPlain, type PlainState } from "./snapshot.ts";
import { makeState } from "./state.ts";

test("[SC17] the same inputs at the same instants give the same bytes", { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(playSteps(120), (steps) => {
      const world = new CoreWorld({ restoreEvery: 0, checkEvery: 1e9 });
      setUp(world);
      for (const step of steps) playStep(world, step);
      const state = makeState();
      const again = world.inputs.flatMap(({ given, nowMs }) => decide(state, given, nowMs).events);
      assert.equal(canonical(again), canonical(world.log));
      assert.equal(JSON.stringify(again), JSON.stringify(world.log));
    }),
    search(60),
  );
});

test("[SC17] nothing depends on the order in which a snapshot lists what has no order", { timeout: 600_000 }, () => {
  let compared = 0;
  fc.assert(
    fc.property(playSteps(100), fc.nat(), (steps, seed) => {
      const world = new CoreWorld({ restoreEvery: 0, checkEvery: 1e9 });
      setUp(world);
      const prng = new Prng(seed);
      for (const [at, step] of steps.entries()) {
        const twin = at % 4 === 0 ? fromPlain(shuffle(toPlain(world.state), prng)) : undefined;
        const before = world.inputs.length;
        playStep(world, step);
        const given = world.inputs[before];
        if (twin === undefined || given === undefined) continue;
        const { events } = decide(twin, given.given, given.nowMs);
        assert.equal(canonical(events), canonical(world.last));
        assert.equal(canonical(actsPending(twin)), canonical(world.pending()));
        compared++;
      }
    }),
    search(60),
  );
  expect(compared).toBeGreaterThan(100);
});

/** Queues, ended claims and what people said have an order. Everything else is a set. */
function shuffle(plain: PlainState, prng: Prng): PlainState {
  const mix = <T>(items: readonly T[]): T[] =>
    items
      .map((item) => ({ item, at: prng.u32() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ item }) => item);
  return {
    ...plain,
    projects: mix(plain.projects),
    policies: mix(plain.policies),
    families: mix(plain.families).map((family) => ({
      ...family,
      leases: mix(family.leases),
      dirty: mix(family.dirty),
      awaits: mix(family.awaits),
    })),
    outside: mix(plain.outside),
    queues: mix(plain.queues),
    claims: mix(plain.claims),
    tasks: mix(plain.tasks),
    runs: mix(plain.runs),
    spending: {
      prices: mix(plain.spending.prices),
      requests: mix(plain.spending.requests),
      trees: mix(plain.spending.trees),
      rows: mix(plain.spending.rows),
      credentials: mix(plain.spending.credentials),
    },
  };
}
