import { expect, test } from "vitest";
import { heldBy, limitIn, modelWithoutPrice, nextLimit, showLimit, tellRaised, withLimit } from "./held-by.ts";

const thrift = {
  ...{ name: "thrift", priority: 0, enabled: true, scope: {} },
  rules: { maxDayCostMicros: 2_000_000, maxFiles: 3 },
};
const day = { of: "policy", name: "thrift", rule: "maxDayCostMicros" } as const;

test("a limit is told by whose it is, and one of a profile by the name that it has there", () => {
  expect(heldBy({ code: "budget-spent", what: "maxDayCostMicros", policy: "thrift" })).toEqual(day);
  const ofProfile = { of: "profile", name: "careful" } as const;
  const spent = { code: "budget-spent", what: "maxRunCostMicros", policy: "profile careful" };
  expect(heldBy(spent)).toEqual({ ...ofProfile, rule: "maxCostMicros" });
  const turns = { code: "turns-spent", what: "maxTurns", policy: "profile careful" };
  expect(heldBy(turns)).toEqual({ ...ofProfile, rule: "maxTurns" });
});

test("a model without a price is held by no limit", () => {
  const refused = { code: "price-unknown", what: "qwen3 has no price", policy: "thrift" };
  expect(heldBy(refused)).toBeNull();
  expect(modelWithoutPrice(refused)).toBe("qwen3");
  expect(modelWithoutPrice({ ...refused, code: "budget-spent" })).toBeNull();
});

test("the next one is twice as much, also of nothing, and leaves the rest as it was", () => {
  expect(limitIn(day, thrift)).toBe(2_000_000);
  expect(nextLimit(day, 2_000_000)).toBe(4_000_000);
  expect(nextLimit(day, 0)).toBe(1_000_000);
  expect(nextLimit({ rule: "maxTurns" }, 0)).toBe(1);
  expect(withLimit(day, thrift, 4_000_000)).toEqual({
    ...thrift,
    rules: { maxDayCostMicros: 4_000_000, maxFiles: 3 },
  });
  const careful = { name: "careful", settings: { runner: "claude", maxTurns: 5 } };
  const turns = { of: "profile", name: "careful", rule: "maxTurns" } as const;
  expect(withLimit(turns, careful, 10).settings).toEqual({ runner: "claude", maxTurns: 10 });
  expect(limitIn(day, { ...thrift, rules: { maxFiles: 3 } })).toBeNull();
  expect([showLimit(day, 4_000_000), showLimit(turns, 1), showLimit(turns, 10)]).toEqual([
    "$4.00",
    "1 turn",
    "10 turns",
  ]);
});

test("that a run was raised is told in what it may use, also where it is not all there", () => {
  expect(tellRaised({ limit: "maxTurns", was: 1, value: 4 })).toBe("may use 4 turns from now on: raised from 1 turn");
  expect(tellRaised({ limit: "maxCostMicros", was: 500_000, value: 2_000_000 })).toContain("$2.00 from now on");
  expect(tellRaised({})).toBe("may use more from now on: a limit was raised");
});
