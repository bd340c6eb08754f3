import type { ReactNode } from "react";
import { toMany } from "../../model/format.ts";
import { isChosen, partsOf, toLandWords } from "../../model/review-choice.ts";
import { Button } from "../../parts/button.tsx";
import { CopyButton } from "../../parts/command.tsx";
import { Key } from "../../parts/key.tsx";
import type { Review } from "./use-review.ts";

const squaresMax = 40;

/** What was chosen so far, and the three ways to end a review. */
export function VerdictBar({ review }: { readonly review: Review }): ReactNode {
  const { chosen, all } = review.tally;
  // Nothing of it is held any more: whoever waited has it. Approved, the run claims it again.
  const isLost = all === 0 && (review.diff?.changes.length ?? 0) > 0;
  return (
    <footer className="verdict" aria-label="Verdict">
      <span className="progress" aria-hidden="true">
        {(review.diff?.changes ?? [])
          .flatMap((change) => partsOf(change).map((part) => ({ path: change.path, part })))
          .slice(0, squaresMax)
          .map(({ path, part }) => (
            <i key={`${path} ${part}`} className={isChosen(review.choice, path, part) ? "square on" : "square"} />
          ))}
      </span>
      <span className="verdict-count" role="status">
        {chosen === 0 ? (
          `${toMany(all, "part")}, none chosen`
        ) : (
          <>
            <b>
              {chosen} of {all}
            </b>{" "}
            chosen
          </>
        )}
      </span>
      <span className="verdict-hint">
        <Key>J</Key>
        <Key>K</Key> hunk <Key>]</Key> file
      </span>
      <span className="verdict-acts">
        <CopyButton text={review.command} label="Copy the command that approves the same" />
        <Button look="danger" hotkey="X" disabled={review.isBusy} onClick={() => review.decide("reject")}>
          Reject…
        </Button>
        <Button hotkey="B" disabled={review.isBusy} onClick={() => review.decide("return")}>
          {review.comments.size === 0 ? "Send back…" : `Send back ${toMany(review.comments.size, "comment")}…`}
        </Button>
        <Button
          look="primary"
          hotkey="L"
          disabled={review.isBusy || (all === 0 && !isLost) || review.unresolved.length > 0}
          title={whatItDoes(review, isLost)}
          onClick={review.approve}
        >
          {isLost ? "Claim again and land" : toLandWords(review.tally)}
        </Button>
      </span>
    </footer>
  );
}

function whatItDoes({ unresolved }: Review, isLost: boolean): string | undefined {
  if (unresolved.length > 0) return `${toMany(unresolved.length, "file")} met somebody else's change`;
  if (isLost) return "It lost its leases to somebody who waited. It claims them again before it lands.";
  return "Approves it: it is tested on top of what landed before it, and lands";
}
