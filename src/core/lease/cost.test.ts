import { describe, expect, test, vi } from "vitest";
import { decide } from "../decide.ts";
import type { State } from "../state.ts";
import { makeState } from "../state.ts";
import { toClaim } from "../../../test/support/core-world.ts";
import { UnitIndex } from "./unit-index.ts";
import { parseUnit, type Unit } from "./unit.ts";

function unit(text: string): Unit {
  const parsed = parseUnit(text, { foldCase: false, ownProcesses: new Set() }, "");
  if (!parsed.ok) throw new Error(parsed.refusal.why);
  return parsed.value;
}

/** How many entries of maps a piece of work looks at: a measure that does not depend on the machine. */
function lookups(work: () => void): number {
  const spy = vi.spyOn(Map.prototype, "get");
  const walk = vi.spyOn(Map.prototype, "values");
  try {
    work();
    return spy.mock.calls.length + walk.mock.calls.length;
  } finally {
    spy.mockRestore();
    walk.mockRestore();
  }
}

/** So many leases of as many holders, each on a file of its own, in folders of a hundred. */
function held(count: number): State {
  const state = makeState();
  decide(
    state,
    { actor: "t", input: { type: "project.add", name: "p", root: "/", foldCase: false, processes: {} } },
    0,
  );
  for (let at = 0; at < count; at++) {
    const path = `file:d${Math.floor(at / 100)}/f${at}`;
    decide(state, { actor: "t", input: toClaim(state, `holder-${at}`, path, { ttlMs: 1e9 }) }, at);
  }
  return state;
}

describe("cost", () => {
  test("[LS44] a question costs the path's depth and the real conflicts, whatever else is held", () => {
    const index = new UnitIndex<{ readonly unit: Unit }>();
    for (let at = 0; at < 20_000; at++) index.add({ unit: unit(`file:d${at % 200}/e/f${at}`) });
    const visited = (text: string): number => {
      let count = 0;
      index.someConflict(unit(text), () => {
        count++;
        return false;
      });
      return count;
    };
    expect(visited("file:d7/e/f7")).toBe(1);
    expect(visited("file:d7/e/nobody")).toBe(0);
    expect(visited("dir:d7")).toBe(100);
    expect(visited("dir:elsewhere")).toBe(0);
    expect(lookups(() => visited("file:d7/e/nobody"))).toBeLessThanOrEqual(4);
    expect(lookups(() => visited("dir:d7/e/f7/x/y/z"))).toBeLessThanOrEqual(6);
  });

  test("[LS45] a claim without conflict, a release and a renewal cost the same among 100 and 10,000 leases", () => {
    const costs = [100, 10_000].map((count) => {
      const state = held(count);
      const give = (input: Parameters<typeof decide>[1]["input"]): number =>
        lookups(() => decide(state, { actor: "t", input }, count));
      const claim = give(toClaim(state, "new", "file:new/a file:d0/new", { ttlMs: 1e9 }));
      const queue = give(toClaim(state, "late", "file:d0/f0", { ttlMs: 1e9 }));
      const renew = give({ type: "lease.renew", claim: "c_3", ttlMs: null });
      const release = give({ type: "lease.release", claim: "c_3", units: null });
      return { claim, queue, renew, release };
    });
    expect(costs[1]).toEqual(costs[0]);
  });

  test("[LS45] a claim without conflict does not look at the queue, however long", () => {
    const costs = [10, 2_000].map((count) => {
      const state = held(1);
      for (let at = 0; at < count; at++) {
        decide(state, { actor: "t", input: toClaim(state, `w${at}`, "file:d0/f0", { ttlMs: 1e9 }) }, 1);
      }
      return lookups(() =>
        decide(state, { actor: "t", input: toClaim(state, "n", "file:x", { priority: 5, ttlMs: 1e9 }) }, 1),
      );
    });
    expect(costs[1]).toBe(costs[0]);
  });
});
