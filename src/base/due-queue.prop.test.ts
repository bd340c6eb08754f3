import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../test/support/search.ts";
import { DueQueue } from "./due-queue.ts";

const step = fc.oneof(
  fc.record({ add: fc.constantFrom("a", "b", "c", "d", "e"), atMs: fc.nat(20) }),
  fc.record({ takeAt: fc.nat(20) }),
);

test("it tells of the earliest wish for each name, earliest first, names in order", { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
      const queue = new DueQueue();
      const slow = new Map<string, number>();
      for (const each of steps) {
        if ("add" in each) {
          queue.add(each.add, each.atMs);
          slow.set(each.add, Math.min(slow.get(each.add) ?? Number.POSITIVE_INFINITY, each.atMs));
          continue;
        }
        const [first] = [...slow].toSorted((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1));
        const due = first !== undefined && first[1] <= each.takeAt ? first[0] : undefined;
        expect(queue.take(each.takeAt)).toBe(due);
        if (due !== undefined) slow.delete(due);
        // It may be early, never late.
        expect(queue.peekMs() ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(Math.min(...slow.values()));
      }
    }),
    search(500),
  );
});
