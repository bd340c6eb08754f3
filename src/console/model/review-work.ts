// What a reviewer was at in one change set: what they look at, what they have chosen of it and said of it, and where they stand.

import { firstLook, type Look } from "./look.ts";
import { type Choice, nothingChosen } from "./review-choice.ts";
import { type Comments, noComments } from "./review-comments.ts";

export type ReviewWork = {
  readonly look: Look;
  /** What was chosen, of which change set, and what can only land together with it. */
  readonly chosen: { readonly seen: string; readonly choice: Choice; readonly needed: readonly string[] };
  readonly commented: { readonly seen: string; readonly comments: Comments };
  readonly part: string | null;
};

export const noWork: ReviewWork = {
  look: firstLook,
  chosen: { seen: "", choice: nothingChosen, needed: [] },
  commented: { seen: "", comments: noComments },
  part: null,
};

/** Whether anything would be lost with it that is about the change set that is shown. Who has only looked may be shown what there is now. */
export function isBegun({ look, chosen, commented }: ReviewWork): boolean {
  const seen = look.shown?.seen;
  return (chosen.seen === seen && chosen.choice.size > 0) || (commented.seen === seen && commented.comments.size > 0);
}
