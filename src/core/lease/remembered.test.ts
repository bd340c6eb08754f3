import { expect, test } from "vitest";
import { toClaim } from "../../../test/support/core-world.ts";
import { decide } from "../decide.ts";
import type { ClaimAnswer, Input, MakeClaim } from "../inputs.ts";
import { makeState } from "../state.ts";
import { endedMax } from "./lease-state.ts";

/** A table without the checks of a CoreWorld: here it is thousands of claims that matter. */
function makeTable() {
  const state = makeState();
  const give = (input: Input) => decide(state, { actor: "t", input }, 0).result;
  give({ type: "project.add", name: "p", root: "/", foldCase: false, processes: {} });
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
  return { claim, release, comeAndGo };
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
