import { describe, expect, test, vi } from "vitest";
import { decide, type Decision } from "../decide.ts";
import type { State } from "../state.ts";
import { makeState } from "../state.ts";
import { toClaim, toProject } from "../../../test/support/core-world.ts";
import type { QueuedClaim } from "./lease-state.ts";
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
  decide(state, { actor: "t", input: toProject("p") }, 0);
  for (let at = 0; at < count; at++) {
    const path = `file:d${Math.floor(at / 100)}/f${at}`;
    decide(state, { actor: "t", input: toClaim(state, `holder-${at}`, path, { ttlMs: 1e9 }) }, at);
  }
  return state;
}

/** How often a piece of work looks at a queued claim: at its place, or at whose it is. */
function looks(state: State, work: () => void): number {
  let count = 0;
  const claims = [...state.table.projects.values()].flatMap((project) => project.queue);
  const watch = (claim: QueuedClaim, field: "rank" | "family"): void => {
    let value: unknown = claim[field];
    Object.defineProperty(claim, field, {
      get: () => {
        count++;
        return value;
      },
      set: (next: unknown) => {
        value = next;
      },
    });
  };
  for (const claim of claims) for (const field of ["rank", "family"] as const) watch(claim, field);
  work();
  return count;
}

/** What each of several sizes costs. */
function costsOf(
  sizes: readonly number[],
  fill: (state: State, at: number) => void,
  work: (state: State) => void,
): number[] {
  return sizes.map((size) => {
    const state = held(200);
    for (let at = 0; at < size; at++) fill(state, at);
    return looks(state, () => work(state));
  });
}

function claim(state: State, as: string, units: string, priority = 0): Decision {
  const input = toClaim(state, as, units, { priority, ttlMs: 1e9 });
  return decide(state, { actor: "t", input }, 1_000);
}

/** The claim by which somebody holds what was claimed first. */
function holding(state: State, as: string): string {
  const family = [...state.table.families.values()].find(({ holder }) => holder === as);
  return family?.leases.values().next().value?.claim ?? "";
}

/** What a search in a sorted list may cost more among thousands than among a hundred. */
const halvings = 40;

describe("cost of a long queue", () => {
  const waitForOne = (state: State, at: number): void => void claim(state, `w${at}`, "file:d0/f0");

  test("[LS45] an arrival at its end looks at as few claims behind 2,000 as behind 100", () => {
    for (const units of ["file:d0/f0", "file:d0/f0 file:d0/f1 file:new", "file:d0/f0/beneath"]) {
      const [few, many] = costsOf([100, 2_000], waitForOne, (state) => void claim(state, "late", units));
      expect(many).toBeLessThan((few ?? 0) + halvings);
    }
  });

  test("[LS45] so does a release, and an end without a grant", () => {
    const [few, many] = costsOf([100, 2_000], waitForOne, (state) => {
      const { events } = decide(
        state,
        { actor: "t", input: { type: "lease.release", claim: holding(state, "holder-0"), units: null } },
        1_000,
      );
      expect(events.map(({ type }) => type)).toEqual(["lease.released", "lease.granted"]);
    });
    expect(many).toBeLessThan((few ?? 0) + halvings);
    const cancels = costsOf([100, 2_000], waitForOne, (state) => {
      const [project] = state.table.projects.values();
      const id = project?.queue[50]?.id ?? "";
      decide(state, { actor: "t", input: { type: "claim.cancel", claim: id } }, 1_000);
    });
    expect(cancels[1]).toBeLessThan((cancels[0] ?? 0) + halvings);
  });

  test("[LS45] who was passed as often as may be is not looked at again by all who come", () => {
    const rising = (state: State, at: number): void => void claim(state, `w${at}`, "file:d0/f0", at);
    const [few, many] = costsOf([100, 1_000], rising, (state) => void claim(state, "late", "file:d0/f0", 5_000));
    expect(many).toBeLessThan((few ?? 0) + halvings);
  });

  test("[LS45] whoever waits for something else costs nothing, however urgent the arrival", () => {
    const spread = (state: State, at: number): void => {
      const file = at % 20 === 0 ? 0 : 1 + (at % 199);
      if (file > 0 || at < 200) claim(state, `w${at}`, `file:d${Math.floor(file / 100)}/f${file}`);
    };
    const [few, many] = costsOf([200, 2_000], spread, (state) => void claim(state, "late", "file:d0/f0", 5));
    expect(many).toBeLessThan((few ?? 0) + halvings);
  });

  test("[LS45] to look for those who wait for a holder costs as much as there are, not their square", () => {
    const sizes = [200, 2_000];
    const around = (state: State, at: number): void => {
      if (at === 100) claim(state, "elsewhere", "file:d0/f2");
      waitForOne(state, at);
    };
    const moving = costsOf(sizes, around, (state) => {
      const { events } = claim(state, "holder-0", "file:d0/f1");
      expect(events.flatMap((event) => (event.type === "claim.queued" ? [event.moved >= 200] : []))).toEqual([true]);
    });
    expect(moving[1]).toBeLessThan(12 * (moving[0] ?? 0));
    const refusing = costsOf(
      sizes,
      (state, at) => {
        waitForOne(state, at);
        if (at === 0) claim(state, "holder-1", "file:d0/f0");
      },
      (state) => {
        const { events } = claim(state, "holder-0", "file:d0/f1");
        expect(events).toMatchObject([{ type: "claim.ended", how: "refused" }]);
      },
    );
    expect(refusing[1]).toBeLessThan(12 * (refusing[0] ?? 0));
    const passing = costsOf(sizes, waitForOne, (state) => void claim(state, "late", "file:d0/f0", 5));
    expect(passing[1]).toBeLessThan(12 * (passing[0] ?? 0));
  });

  test("[LS45] no event grows with the queue", () => {
    const sizes = [100, 1_000].map((size) => {
      const state = held(200);
      for (let at = 0; at < size; at++) claim(state, `w${at}`, "file:d0/f0");
      claim(state, "elsewhere", "file:d0/f2");
      const arrivals = [
        claim(state, "urgent", "file:d0/f0", 5),
        claim(state, "holder-0", "file:d0/f1"),
        claim(state, "late", "file:d0/f0"),
      ].flatMap(({ events }) => events.filter((event) => event.type === "claim.queued"));
      expect(arrivals).toMatchObject([
        { moved: 0, passed: size },
        { moved: size + 1, passed: 0 },
        { moved: 0, passed: 0 },
      ]);
      return arrivals.map((event) => JSON.stringify(event).length);
    });
    for (const at of [0, 1, 2]) expect(sizes[1]?.[at]).toBeLessThan((sizes[0]?.[at] ?? 0) + 100);
  });
});

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

  test("[LS45] a claim without conflict, a release and a renewal cost the same among 200 and 10,000 leases", () => {
    // Two folders at least: one that is alone in its folder is found without a map, which costs less.
    const costs = [200, 10_000].map((count) => {
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
