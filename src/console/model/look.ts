// What a reviewer looks at. It is replaced by itself while the run works, and never once it has been shown for a
// decision: whoever reads one change set must not approve another.

import type { OutputOf } from "../../protocol/operations.ts";
import type { Run } from "../../protocol/wire/run.ts";

export type Diff = OutputOf<"run.diff">;

export type Look = {
  readonly shown: Diff | null;
  /** Shown while the run was in review: only the reviewer lets it go. */
  readonly kept: boolean;
  /** The review that was decided here; it is not looked at again. */
  readonly decided: number | null;
};

/** The change set as it was read last, and whether it was read since the run last moved. */
export type Newest = { readonly value: Diff | null; readonly isFresh: boolean };

type Reviewed = Pick<Run, "state" | "sinceMs">;

export const firstLook: Look = { shown: null, kept: false, decided: null };

/** Takes in the newest change set, or keeps the one that is being looked at. */
export function evolveLook(look: Look, { value: newest, isFresh }: Newest, run: Reviewed | undefined): Look {
  if (newest === null) return look;
  const shown = look.kept ? look.shown : newest;
  // One that was read before the run came to this review is not what the review is about.
  const isForDecision =
    isFresh && run?.state === "review" && run.sinceMs !== look.decided && shown?.seen === newest.seen;
  const kept = look.kept || isForDecision;
  return shown === look.shown && kept === look.kept ? look : { ...look, shown, kept };
}

/** The reviewer asks for what there is now. */
export function lookAgain(look: Look): Look {
  return { ...look, kept: false };
}

/** The reviewer has decided: what comes of it may be shown by itself. */
export function afterDecision(look: Look, run: Pick<Run, "sinceMs">): Look {
  return { ...look, kept: false, decided: run.sinceMs };
}

/** Whether the change set is another one than the one that is shown. */
export function hasMoved(look: Look, newest: Diff | null): boolean {
  return look.shown !== null && newest !== null && look.shown.seen !== newest.seen;
}
