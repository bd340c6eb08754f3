import { expect, test } from "vitest";
import { afterDecision, type Diff, evolveLook, firstLook, hasMoved, lookAgain } from "./look.ts";

const diff = (seen: string): Diff => ({ changes: [], base: null, of: "workspace", stale: [], oversized: [], seen });
const [one, two, three] = [diff("1"), diff("2"), diff("3")];
const fresh = (value: Diff) => ({ value, isFresh: true });
const stale = (value: Diff) => ({ value, isFresh: false });

test("while a run works, its change set is followed", () => {
  const working = { state: "running", sinceMs: 1 } as const;
  const look = evolveLook(evolveLook(firstLook, fresh(one), working), fresh(two), working);
  expect([look.shown, look.kept, hasMoved(look, two)]).toEqual([two, false, false]);
});

test("what was shown for review stays, whatever becomes of the run, until the reviewer asks for the new one", () => {
  const shown = evolveLook(firstLook, fresh(one), { state: "review", sinceMs: 1 });
  const later = evolveLook(evolveLook(shown, fresh(one), { state: "running", sinceMs: 2 }), fresh(two), {
    state: "review",
    sinceMs: 3,
  });
  expect([later.shown, hasMoved(later, two)]).toEqual([one, true]);
  const again = evolveLook(lookAgain(later), fresh(two), { state: "review", sinceMs: 3 });
  expect([again.shown, again.kept, hasMoved(again, two)]).toEqual([two, true, false]);
});

test("after one's own decision the next change set comes by itself, and is kept in its turn", () => {
  const review = { state: "review", sinceMs: 1 } as const;
  const decided = afterDecision(evolveLook(firstLook, fresh(one), review), review);
  // The page may not have heard yet that the run has moved on.
  const still = evolveLook(decided, fresh(one), review);
  // Nor may it have read the change set of the next review.
  const early = evolveLook(still, stale(one), { state: "review", sinceMs: 5 });
  expect([early.shown, early.kept]).toEqual([one, false]);
  const next = evolveLook(early, fresh(two), { state: "review", sinceMs: 5 });
  expect([next.shown, next.kept]).toEqual([two, true]);
  expect(evolveLook(next, fresh(three), { state: "review", sinceMs: 5 }).shown).toBe(two);
});
