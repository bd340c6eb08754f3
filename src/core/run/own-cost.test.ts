import { describe, expect, test } from "vitest";
import type { Heard } from "./heard.ts";
import { addOwnCost, type OwnCost, ownCostOf } from "./own-cost.ts";

const session = (name: string): Heard => ({ is: "session", session: name, model: null });
const turn = (costMicros: number | null): Heard => {
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicros };
  return { is: "turn", ok: true, text: "", why: "ended", usage };
};

function heard(...items: readonly Heard[]): number | null {
  // As they come: one at a time, so that what is remembered in between is what counts.
  return ownCostOf(items.reduce<OwnCost | null>((known, item) => addOwnCost(known, [item]), null));
}

describe("[BG23] what an assistant reckons", () => {
  test("is nothing where it says nothing", () => {
    expect(heard()).toBe(null);
    expect(heard(session("a"), turn(null))).toBe(null);
  });

  test("counts from the beginning of its conversation, also when that is taken up again", () => {
    expect(heard(session("a"), turn(10), turn(25))).toBe(25);
    expect(heard(session("a"), turn(10), session("a"), turn(25))).toBe(25);
  });

  test("is the sum over its conversations", () => {
    expect(heard(session("a"), turn(10), session("b"), turn(5), turn(7))).toBe(17);
    expect(heard(session("a"), turn(10), session("b"))).toBe(10);
  });

  test("is kept when its conversation gets its name afterwards", () => {
    expect(heard(turn(10), session("a"), turn(12))).toBe(12);
  });
});
