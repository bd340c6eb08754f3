// One review: what is looked at, what was chosen of it, where the reviewer stands in it, and the acts that end it.

import { useState } from "react";
import { ProtocolError } from "../../../protocol/errors.ts";
import type { Change } from "../../../protocol/wire/change.ts";
import type { Run } from "../../../protocol/wire/run.ts";
import { useActs } from "../../acts/act-context.tsx";
import { showRefusal } from "../../acts/perform.ts";
import { useBox, useIsLive } from "../../live/live-context.tsx";
import type { Asked } from "../../live/use-asked.ts";
import { afterDecision, type Diff, evolveLook, type Look, lookAgain } from "../../model/look.ts";
import {
  type Choice,
  chooseFiles,
  nothingChosen,
  tally,
  type Tally,
  toApproval,
  toApproveCommand,
  unresolvedOf,
} from "../../model/review-choice.ts";
import { type Comments, noComments, toMessage } from "../../model/review-comments.ts";
import { findAct } from "../../model/run-acts.ts";
import { goTo, useAddress } from "../../shell/address.ts";
import { useReviewWork } from "./use-review-work.ts";

export type Review = {
  readonly id: string;
  readonly run: Run | undefined;
  readonly look: Look;
  /** The change set that is shown; `newest` is the one that there is. */
  readonly diff: Diff | null;
  readonly newest: Diff | null;
  readonly trouble: string | null;
  readonly choice: Choice;
  readonly choose: (choice: Choice) => void;
  readonly tally: Tally;
  /** The file that is shown, and the part of it that the keys act on. */
  readonly change: Change | null;
  readonly part: string | null;
  readonly goToPart: (path: string, part: string | null) => void;
  /** Whether a person can decide here and now. */
  readonly isDecidable: boolean;
  readonly isBusy: boolean;
  readonly approve: () => void;
  readonly decide: (how: "return" | "reject") => void;
  readonly lookAgain: () => void;
  /** Paths that can only land together with what was chosen. */
  readonly needed: readonly string[];
  readonly chooseNeeded: () => void;
  /** Paths of what would land that met somebody else's change: the run has to make one of both first. */
  readonly unresolved: readonly string[];
  /** What is said of single hunks, and the one that is written at. */
  readonly comments: Comments;
  readonly setComments: (comments: Comments) => void;
  readonly commenting: string | null;
  readonly comment: (key: string | null) => void;
  readonly command: string;
};

/** Of one step's doing there is nothing to decide. */
export function useReview(
  { id, run, step = null }: { readonly id: string; readonly run?: Run | undefined; readonly step?: number | null },
  asked: Asked<Diff>,
): Review {
  const { client } = useBox();
  const { toasts, request } = useActs();
  const { file } = useAddress();
  const isLive = useIsLive();
  const [work, setWork] = useReviewWork(step === null ? id : null);
  const { look, chosen, commented, part } = work;
  const setLook = (evolve: (look: Look) => Look): void => setWork((old) => ({ ...old, look: evolve(old.look) }));
  const [isBusy, setBusy] = useState(false);
  const [commenting, setCommenting] = useState<string | null>(null);
  const newest = asked.value;
  const evolved = evolveLook(look, asked, run);
  if (evolved !== look) setLook(() => evolved);
  const diff = evolved.shown;
  const seen = diff?.seen ?? "";
  const changes = diff?.changes ?? [];
  // What was chosen of one change set is not chosen of another.
  const { choice, needed } = chosen.seen === seen ? chosen : { choice: nothingChosen, needed: [] };
  const choose = (next: Choice, missing: readonly string[] = []): void =>
    setWork((old) => ({ ...old, chosen: { seen, choice: next, needed: missing } }));
  // What was said of one change set is not said of another.
  const comments = commented.seen === seen ? commented.comments : noComments;
  const change = changes.find(({ path }) => path === file) ?? changes[0] ?? null;
  const approval = toApproval(choice, changes);
  const unresolved = unresolvedOf(choice, changes);
  const isDecidable = run?.state === "review" && diff?.of === "workspace" && changes.length > 0;

  const approve = async (): Promise<void> => {
    if (!isDecidable || isBusy || !isLive || run === undefined || unresolved.length > 0) return;
    setBusy(true);
    choose(choice);
    try {
      await client.call("run.approve", { run: id, ...approval, seen });
      const isPart = Object.keys(approval).length > 0;
      toasts.did({
        tone: "go",
        about: id,
        title: `${id} is approved${isPart ? " in part" : ""}`,
        detail: isPart ? "The rest stays in review, with its leases." : run.title,
        command: toApproveCommand(id, approval, seen),
      });
      setLook((old) => afterDecision(old, run));
      choose(nothingChosen);
    } catch (error) {
      refused(error);
    } finally {
      setBusy(false);
    }
  };
  const refused = (error: unknown): void => {
    const code = error instanceof ProtocolError ? error.code : "";
    const paths = error instanceof ProtocolError ? error.data["paths"] : null;
    if (code === "incomplete" && Array.isArray(paths))
      choose(
        choice,
        paths.filter((path) => typeof path === "string"),
      );
    else showRefusal(toasts, `approve ${id}`, error);
    // What there is now is asked for: the note says that it moved.
    if (code === "changed") asked.again();
  };
  return {
    id,
    run,
    look: evolved,
    diff,
    newest,
    trouble: asked.trouble,
    choice,
    choose: (next) => choose(next),
    tally: tally(choice, changes),
    change,
    part,
    goToPart: (path, next) => {
      setWork((old) => ({ ...old, part: next }));
      goTo({ file: path }, "replace");
    },
    isDecidable,
    isBusy: isBusy || !isLive,
    approve: () => void approve(),
    decide: (how) => {
      const act = run === undefined ? undefined : findAct(run, how);
      if (act !== undefined && run !== undefined && isLive)
        request(act, run, () => setLook((old) => afterDecision(old, run)), toMessage(comments));
    },
    lookAgain: () => {
      setWork((old) => ({ ...old, look: evolveLook(lookAgain(old.look), asked, run), part: null }));
    },
    needed,
    unresolved,
    comments,
    setComments: (next) => setWork((old) => ({ ...old, commented: { seen, comments: next } })),
    commenting,
    comment: setCommenting,
    chooseNeeded: () => choose(chooseFiles(choice, changes, needed)),
    command: toApproveCommand(id, approval, seen),
  };
}
