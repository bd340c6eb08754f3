import fc from "fast-check";
import { test } from "vitest";
import { playStep, playSteps, setUp } from "../../test/support/core-player.ts";
import { CoreWorld } from "../../test/support/core-world.ts";
import { search } from "../../test/support/search.ts";

test("whatever comes in, in whatever order, everything that must hold does", { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(playSteps(120), (steps) => {
      const world = new CoreWorld({ restoreEvery: 3 });
      setUp(world);
      for (const step of steps) playStep(world, step);
      world.check();
    }),
    search(150),
  );
});
