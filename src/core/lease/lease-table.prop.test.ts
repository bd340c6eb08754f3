import assert from "node:assert/strict";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { search } from "../../../test/support/search.ts";
import { clash, SlowLeases } from "../../../test/support/slow-leases.ts";

const units = [
  "file:a",
  "file:b",
  "dir:s",
  "file:s/x",
  "file:s/y",
  "dir:s/t",
  "file:s/t/z",
  "dir:",
  "process:p",
] as const;

const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("claim" as const),
      family: fc.constantFrom("A", "B", "C", "D", "E"),
      units: fc.uniqueArray(fc.constantFrom(...units), { minLength: 1, maxLength: 3 }),
      priority: fc.nat(2),
      mode: fc.constantFrom("wait" as const, "wait" as const, "wait" as const, "try" as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("release" as const), at: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel" as const), at: fc.nat(30) }) },
);

test("[LS14] [LS15] [LS16] [LS25] the lease table agrees with a slow, obvious one", { timeout: 600_000 }, () => {
  const seen = { granted: 0, queued: 0, refused: 0, busy: 0, passed: 0 };
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40, size: "max" }), (commands) => {
      const world = new CoreWorld({ restoreEvery: 0, checkEvery: 1e9 });
      world.project();
      const slow = new SlowLeases();
      for (const each of commands) {
        if (each.do === "claim") {
          const { family, priority, mode } = each;
          const answer = world.claim(family, each.units, { priority, mode, ttlMs: 1e9 });
          const outcome = slow.claim({ id: answer.claim, family, units: each.units, priority }, mode);
          assert.equal(answer.state, outcome);
          seen[outcome]++;
          if (answer.cycle !== null) checkCycle(world, answer.cycle);
        } else if (each.do === "release") {
          const claims = [...new Set(slow.leases.map((lease) => lease.claim))].toSorted();
          const claim = claims[each.at % Math.max(1, claims.length)];
          if (claim === undefined) continue;
          world.release(claim);
          slow.release(claim);
        } else {
          const claim = slow.queue[each.at % Math.max(1, slow.queue.length)]?.id;
          if (claim === undefined) continue;
          world.ok({ type: "claim.cancel", claim });
          slow.cancel(claim);
        }
        checkSame(world, slow);
        seen.passed += slow.queue.filter((claim) => claim.passes > 0).length;
      }
      world.check();
    }),
    search(250),
  );
  // A search that never comes to the interesting places has shown nothing.
  expect(Object.values(seen).every((count) => count > 20)).toBe(true);
});

/** The same leases, the same passes, and the same order of every conflicting pair. */
function checkSame(world: CoreWorld, slow: SlowLeases): void {
  const [project] = world.state.table.projects.values();
  const queue = project?.queue ?? [];
  const held = [...world.state.table.families.values()].flatMap((family) =>
    [...family.leases.values()].map((lease) => `${family.holder} ${lease.unit.text} ${lease.claim}`),
  );
  const expected = slow.leases.map((lease) => `${lease.family} ${lease.unit} ${lease.claim}`);
  assert.deepEqual(held.toSorted(), expected.toSorted());
  const passes = queue.map((claim) => `${claim.id} ${claim.passes}`).toSorted();
  assert.deepEqual(passes, slow.queue.map((claim) => `${claim.id} ${claim.passes}`).toSorted());
  const place = new Map(queue.map((claim, at) => [claim.id, at]));
  for (const [at, one] of slow.queue.entries()) {
    for (const other of slow.queue.slice(at + 1)) {
      if (one.family === other.family || !clash(one.units, other.units)) continue;
      assert((place.get(one.id) ?? 0) < (place.get(other.id) ?? 0), `${one.id} stands ahead of ${other.id}`);
    }
  }
}

/** A refusal's cycle is one: each edge starts where the last one ended, and each is real. */
function checkCycle(
  world: CoreWorld,
  cycle: readonly { from: string; to: string; claim: string | null; unit: string | null }[],
): void {
  assert(cycle.length >= 2);
  for (const [at, edge] of cycle.entries()) {
    assert.equal(edge.to, cycle[(at + 1) % cycle.length]?.from);
    assert.equal(world.state.table.claims.get(edge.claim ?? "")?.family, edge.from);
    assert(world.state.table.claims.get(edge.claim ?? "")?.units.includes(edge.unit ?? ""));
  }
}
