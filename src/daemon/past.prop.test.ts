import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryStore } from "../adapters/store/memory-store.ts";
import { canonical } from "../base/canonical.ts";
import type { Logged } from "../core/events.ts";
import { toPlain } from "../core/snapshot.ts";
import { makeState, type State } from "../core/state.ts";
import { Past } from "../engine/past.ts";
import { playStep, playSteps, setUp } from "../../test/support/core-player.ts";
import { CoreWorld } from "../../test/support/core-world.ts";
import { expectFault } from "../../test/support/expect-fault.ts";
import { search } from "../../test/support/search.ts";
import { toLocks } from "./views/claim-view.ts";
import { toInbox } from "./views/inbox-view.ts";
import { toRun } from "./views/run-view.ts";

const limits = { statesMax: 3, marksMax: 2, markEvery: 8, waitingMax: 100, portion: 3 };
const breathe = (): Promise<void> => Promise.resolve();

/** What somebody who looked then was shown. Whom one waits for has no order. */
function look(state: State): string {
  const { atMs } = state;
  const runs = [...state.runs.values()].map((run) => toRun(state, run));
  const locks = toLocks(state, { limit: 1000 }, atMs);
  return canonical({
    locks: { ...locks, waits: locks.waits.map(canonical).toSorted() },
    runs: runs.map((run) => ({ ...run, behind: run.behind.toSorted() })),
    inbox: toInbox(state, atMs),
  });
}

async function storeOf(log: readonly Logged[]): Promise<MemoryStore> {
  const store = new MemoryStore();
  await new Promise((resolve) => store.append(log, resolve));
  return store;
}

test("[LG19] the past is what was seen then, whatever was asked before", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(playSteps(60), fc.array(fc.nat(1_000_000), { maxLength: 30 }), async (steps, asked) => {
      const world = new CoreWorld({ restoreEvery: 0, checkEvery: 1000 });
      setUp(world);
      const seen = new Map<number, string>();
      const store = new MemoryStore();
      for (const [at, step] of steps.entries()) {
        playStep(world, step);
        seen.set(world.state.seq, look(world.state));
        const fresh = world.log.slice(store.lastSeq);
        if (fresh.length > 0) await new Promise((resolve) => store.append(fresh, resolve));
        if (at === 20) await store.saveSnapshot(structuredClone(toPlain(world.state)));
      }
      const past = new Past(store, breathe, limits);
      const moments = [...seen.keys()];
      for (const each of asked) {
        const seq = moments[each % moments.length] ?? 0;
        expect(look(await past.at(seq))).toBe(seen.get(seq) ?? look(makeState()));
      }
    }),
    search(40),
  );
});

test("[LG20] looking back is done in portions, one after the other, and what is kept is bounded", async () => {
  const world = new CoreWorld({ restoreEvery: 0, checkEvery: 1000 });
  setUp(world);
  for (let at = 0; at < 40; at++) world.claim(`h${at}`, `file:f${at}`);
  const store = await storeOf(world.log);
  const reads: [number, number][] = [];
  const read: MemoryStore["read"] = (after, limit) => {
    reads.push([after, limit]);
    return store.read(after, limit);
  };
  let breaths = 0;
  const past = new Past(
    { read, lastSeq: store.lastSeq, loadSnapshot: () => store.loadSnapshot() },
    () => Promise.resolve(void breaths++),
    { ...limits, waitingMax: 2 },
  );
  const [first, again] = [past.at(30), past.at(30)];
  const second = past.at(20);
  await expectFault(past.at(10), "overloaded");
  expect(await again).toBe(await first);
  await second;
  expect(breaths).toBeGreaterThanOrEqual(10);
  expect(reads.every(([, limit]) => limit <= limits.portion)).toBe(true);
  // From the nearest point that is known: nothing is folded twice that need not be.
  reads.length = 0;
  await past.at(32);
  expect(reads).toEqual([[30, 2]]);
  // The state that was kept has not moved.
  expect((await first).seq).toBe(30);
  await expectFault(past.at(world.state.seq + 5), "log-damaged");
});
