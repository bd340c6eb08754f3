import fc from "fast-check";
import { expect, test } from "vitest";
import { exact, folding } from "../../../test/support/landing-entries.ts";
import { LandingWorld, type WorldStep } from "../../../test/support/landing-world.ts";
import { search } from "../../../test/support/search.ts";

const step: fc.Arbitrary<WorldStep> = fc.record({
  act: fc.oneof(
    { weight: 4, arbitrary: fc.constant("claim" as const) },
    { weight: 2, arbitrary: fc.constant("claim-all" as const) },
    { weight: 8, arbitrary: fc.constant("edit" as const) },
    { weight: 3, arbitrary: fc.constant("command" as const) },
    { weight: 1, arbitrary: fc.constant("lose" as const) },
    { weight: 5, arbitrary: fc.constant("land" as const) },
    { weight: 2, arbitrary: fc.constant("person" as const) },
  ),
  family: fc.nat(2),
  path: fc.nat(5),
  how: fc.nat(1000),
});
const names = ["a", "a/x", "a/y/z", "b", "c", "d"];
const oneName = ["a", "A/x", "a/x", "b", "B", "c"];

test(
  "[LD39] [LD40] landings without a gap or a hand edit replace entries; with them, no update is lost",
  { timeout: 600_000 },
  () => {
    const seen = { landings: 0, merges: 0, conflicts: 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 80, size: "max" }), fc.boolean(), (steps, isFolding) => {
        const world = new LandingWorld(isFolding ? oneName : names, isFolding ? folding : exact, 3);
        for (const each of steps) world.step(each);
        seen.landings += world.landed.length;
        seen.merges += world.merges;
        seen.conflicts += world.conflicts;
      }),
      search(400),
    );
    // The worlds were such that something could have gone wrong.
    expect(seen.landings).toBeGreaterThan(200);
    expect(seen.merges).toBeGreaterThan(10);
    expect(seen.conflicts).toBeGreaterThan(10);
  },
);

test(
  "[LD41] without gaps and hand edits, mainline is what the runs give one after another",
  { timeout: 600_000 },
  () => {
    let landed = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 80, size: "max" }), (steps) => {
        const world = new LandingWorld(names, exact, 3);
        const tree = new Map(world.mainline);
        for (const each of steps.filter(({ act }) => act === "claim" || act === "edit" || act === "land"))
          world.step(each);
        expect([world.merges, world.conflicts, world.trash.length]).toEqual([0, 0, 0]);
        landed += world.landed.length;
        // One run after another, each from the tree that the one before it left.
        for (const { path, base, approved } of world.landed.flat()) {
          expect(tree.get(path) ?? null).toBe(base);
          if (approved === null) tree.delete(path);
          else tree.set(path, approved);
        }
        expect(tree).toEqual(world.mainline);
      }),
      search(200),
    );
    expect(landed).toBeGreaterThan(100);
  },
);
