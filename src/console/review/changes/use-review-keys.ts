// Keys of a review: J and K go from hunk to hunk through all files, letters decide.

import { partsOf, toggleFile, togglePart } from "../../model/review-choice.ts";
import { commentKey } from "../../model/review-comments.ts";
import type { Change } from "../../../protocol/wire/change.ts";
import { type Bindings, moveKeys, useKeys } from "../../shell/keys.ts";
import type { Review } from "./use-review.ts";

export function useReviewKeys(review: Review): void {
  const { change, choice, isDecidable } = review;
  const changes = review.diff?.changes ?? [];
  useKeys(() => {
    const bindings: Record<string, Bindings[string]> = {
      ...stepKeys(review, changes),
      "]": () => stepFile(review, changes, 1),
      "[": () => stepFile(review, changes, -1),
    };
    if (review.look.shown !== null && review.newest !== null && review.look.shown.seen !== review.newest.seen)
      bindings["R"] = review.lookAgain;
    if (!isDecidable || change === null) return bindings;
    const part = review.part ?? partsOf(change)[0] ?? "";
    bindings["A"] = () => {
      // Whoever has gone nowhere yet means the first hunk: that is where they are from then on.
      if (review.part === null && part !== "") review.goToPart(change.path, part);
      review.choose(togglePart(choice, change, part));
    };
    bindings["F"] = () => review.choose(toggleFile(choice, change));
    bindings["C"] = () => review.comment(commentKey(change.path, part));
    bindings["L"] = review.approve;
    bindings["B"] = () => review.decide("return");
    bindings["X"] = () => review.decide("reject");
    return bindings;
  });
}

/** Hunks can be gone to whether or not they can be chosen. */
function placesOf({ hunks }: Change): readonly string[] {
  return hunks.length === 0 ? [""] : hunks.map(({ id }) => id);
}

function stepKeys(review: Review, changes: readonly Change[]): Bindings {
  const all = changes.flatMap((change) => placesOf(change).map((part) => ({ path: change.path, part })));
  const { part: own } = review;
  const at = all.findIndex(({ path, part }) => path === review.change?.path && (own === null || part === own));
  const go = (to: number): void => {
    const next = all[to];
    if (next !== undefined) review.goToPart(next.path, next.part);
  };
  // Where no hunk is marked yet, it begins with the first of the file that is open.
  const begin = (): void => go(Math.max(0, at));
  return { ...moveKeys(all.length, at, go), ...(own === null && all.length > 0 ? { J: begin, K: begin } : {}) };
}

function stepFile(review: Review, changes: readonly Change[], by: 1 | -1): void {
  const at = changes.findIndex(({ path }) => path === review.change?.path);
  const next = changes[at + by];
  if (next !== undefined) review.goToPart(next.path, placesOf(next)[0] ?? null);
}
