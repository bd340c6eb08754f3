import { expect, test } from "vitest";
import { toClaim, toProject } from "../../../test/support/core-world.ts";
import { decide } from "../decide.ts";
import type { ClaimAnswer, Input, MakeClaim } from "../inputs.ts";
import { fromPlain, toPlain } from "../snapshot.ts";
import { makeState } from "../state.ts";
import { endedMax } from "./lease-state.ts";

/** A table without the checks of a CoreWorld: here it is thousands of claims that matter. */
function makeTable() {
  const state = makeState();
  let nowMs = 0;
  const give = (input: Input) => decide(state, { actor: "t", input }, nowMs).result;
  give(toProject("p"));
  const claim = (as: string, units: string, more: Partial<MakeClaim> = {}): ClaimAnswer => {
    const result = give(toClaim(state, as, units, more));
    if (!result.ok || result.value.of !== "claim") throw new Error(`no claim on ${units}`);
    return result.value.claim;
  };
  /** "ok", or the code of the refusal. */
  const release = (claim: ClaimAnswer, units: readonly string[] | null = null): string => {
    const result = give({ type: "lease.release", claim: claim.claim, units });
    return result.ok ? "ok" : result.refusal.code;
  };
  const comeAndGo = (times: number): void => {
    for (let at = 0; at < times; at++) release(claim("busy", "file:busy"));
  };
  /** Lets everybody expire who does not renew. */
  const pass = (ms: number): void => {
    nowMs += ms;
    give({ type: "tick" });
  };
  return { state, claim, release, comeAndGo, pass };
}

test("[LS8] a claim is remembered while it holds anything, however many come and go meanwhile", () => {
  const { claim, release, comeAndGo } = makeTable();
  const held = claim("patient", "file:a file:b");
  const gone = claim("patient", "file:c");
  release(gone);
  comeAndGo(endedMax.keyless);
  expect(release(gone)).toBe("not-found");

  expect(release(held, ["file:a"])).toBe("ok");
  comeAndGo(endedMax.keyless);
  expect(release(held)).toBe("ok");
  expect(release(held)).toBe("not-held");
  comeAndGo(endedMax.keyless);
  expect(release(held)).toBe("not-found");
});

test("[LS8] a lease that a newer claim took over no longer keeps the older one in memory", () => {
  const { claim, release, comeAndGo } = makeTable();
  const older = claim("patient", "file:a");
  const newer = claim("patient", "file:a");
  comeAndGo(endedMax.keyless);
  expect(release(older)).toBe("not-found");
  expect(release(newer)).toBe("ok");
});

test("[LS8] claims without a key do not push out those that somebody may repeat", () => {
  const { claim, release, comeAndGo } = makeTable();
  const keyed = claim("careful", "file:a", { key: "once" });
  release(keyed);
  comeAndGo(endedMax.keyless + 1);
  expect(claim("careful", "file:a", { key: "once" }).claim).toBe(keyed.claim);
});

test("[LS8] a name is forgotten with the last that can be asked for by it", () => {
  const { state, claim, pass } = makeTable();
  for (let at = 0; at < 100; at++) claim(`passer-by-${at}`, `file:${at}`);
  const kept = claim("careful", "file:a", { key: "once" });
  expect(state.table.outside.size).toBe(101);
  pass(3_600_000);
  // Nobody can ask for anything of those who had no key; their claims still say what they were called.
  expect([...state.table.outside.keys()]).toEqual(["p_1 careful"]);
  expect(state.table.claims.get(kept.claim)).toMatchObject({ holder: "careful", held: 0 });
  expect(claim("careful", "file:a", { key: "once" }).claim).toBe(kept.claim);

  const again = claim("careful", "file:b", { key: "twice" });
  pass(3_600_000);
  expect(fromPlain(toPlain(state)).table.gone).toEqual(new Map([[again.family, { name: "p_1 careful", keyed: 1 }]]));
  for (let at = 0; at < endedMax.keyed + 1; at++) claim("many", "file:z", { key: `k${at}` });
  expect([...state.table.outside.keys()]).toEqual(["p_1 many"]);
  expect(state.table.gone.size).toBe(0);
});

test("[LS8] who has no name but a key is called by it, as nobody else can be", () => {
  const { state, claim } = makeTable();
  const first = claim("x", "file:a", { as: null, key: "nightly 7" });
  expect(state.table.claims.get(first.claim)).toMatchObject({ holder: "nightly 7 (by key)" });
  expect(claim("x", "file:a", { as: null, key: "nightly 7" }).claim).toBe(first.claim);
});
