import { describe, expect, test } from "vitest";
import { Prng } from "./prng.ts";

const draw = (prng: Prng, count: number): number[] => Array.from({ length: count }, () => prng.u32());

describe("a seeded source of chance", () => {
  test("gives the same numbers on every machine", () => {
    expect(draw(new Prng(1), 3)).toEqual(draw(new Prng(1), 3));
    expect(draw(new Prng(1), 3)).not.toEqual(draw(new Prng(2), 3));
    expect(draw(new Prng(4217), 4)).toMatchInlineSnapshot(`
      [
        1004713193,
        4038925066,
        3964236824,
        1768267386,
      ]
    `);
  });

  test("has streams that do not shift each other", () => {
    const world = new Prng(9);
    const faults = draw(world.stream("faults"), 5);
    const other = new Prng(9);
    other.stream("workload").u32();
    other.u32();
    expect(draw(other.stream("faults"), 5)).toEqual(faults);
    expect(draw(other.stream("workload"), 5)).not.toEqual(faults);
  });

  test("stays in its bounds and is even enough", () => {
    const prng = new Prng(3);
    const counts = Array.from({ length: 6 }, () => 0);
    for (let at = 0; at < 60_000; at++) {
      const face = prng.between(1, 6);
      counts[face - 1] = (counts[face - 1] ?? 0) + 1;
    }
    expect(counts.every((count) => count > 9_500 && count < 10_500)).toBe(true);
    const units = Array.from({ length: 1000 }, () => prng.unit());
    expect(units.every((unit) => unit >= 0 && unit < 1)).toBe(true);
    expect(Array.from({ length: 1000 }, () => prng.chance(0.25)).filter(Boolean).length).toBeGreaterThan(180);
    expect(prng.bytes(16)).toHaveLength(16);
    expect(["a", "b"]).toContain(prng.pick(["a", "b"]));
    expect(() => prng.pick([])).toThrow(RangeError);
  });
});
