// Keys of a review: J and K go from hunk to hunk through all files, letters decide.

import { partsOf, toggleFile, togglePart } from "../../model/review-choice.ts";
import { commentKey } from "../../model/review-comments.ts";
import type { Change } from "../../../protocol/wire/change.ts";
import { type Bindings, useKeys } from "../../shell/keys.ts";
import type { Review } from "./use-review.ts";

/** For the sheet of keys. */
export const reviewKeys = [
  { key: "J K", label: "Next and previous hunk, through all files" },
  { key: "] [", label: "Next and previous file" },
  { key: "A", label: "Choose the hunk, or take it back" },
  { key: "F", label: "Choose the whole file" },
  { key: "C", label: "Say what is wrong with the hunk" },
  { key: "L", label: "Approve what is chosen, and land it; all if nothing is" },
  { key: "B", label: "Send it back with a message" },
  { key: "X", label: "Reject it" },
  { key: ", .", label: "Previous and next step" },
  { key: "V", label: "Unified or side by side" },
  { key: "R", label: "Look again after it moved" },
];

export function useReviewKeys(review: Review): void {
  const { change, choice, isDecidable } = review;
  const changes = review.diff?.changes ?? [];
  useKeys(() => {
    const bindings: Record<string, Bindings[string]> = {
      J: () => step(review, changes, 1),
      K: () => step(review, changes, -1),
      "]": () => stepFile(review, changes, 1),
      "[": () => stepFile(review, changes, -1),
    };
    if (review.look.shown !== null && review.newest !== null && review.look.shown.seen !== review.newest.seen)
      bindings["R"] = review.lookAgain;
    if (!isDecidable || change === null) return bindings;
    const part = review.part ?? partsOf(change)[0] ?? "";
    bindings["A"] = () => review.choose(togglePart(choice, change, part));
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

function step(review: Review, changes: readonly Change[], by: 1 | -1): void {
  const all = changes.flatMap((change) => placesOf(change).map((part) => ({ path: change.path, part })));
  const own = (review.part === null ? undefined : review.part) ?? null;
  const at = all.findIndex(({ path, part }) => path === review.change?.path && (own === null || part === own));
  const next = own === null ? all[Math.max(0, at)] : all[at + by];
  if (next !== undefined) review.goToPart(next.path, next.part);
}

function stepFile(review: Review, changes: readonly Change[], by: 1 | -1): void {
  const at = changes.findIndex(({ path }) => path === review.change?.path);
  const next = changes[at + by];
  if (next !== undefined) review.goToPart(next.path, placesOf(next)[0] ?? null);
}
