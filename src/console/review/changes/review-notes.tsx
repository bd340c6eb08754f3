import type { ReactNode } from "react";
import { toBytes } from "../../model/format.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Link } from "../../shell/link.tsx";
import type { Review } from "./use-review.ts";

/** The change set moved under the reviewer: nothing of it can be approved before it was looked at. */
export function MovedNote({ review }: { readonly review: Review }): ReactNode {
  const isBack = review.run?.state === "review";
  return (
    <div className="review-note" role="alert" data-note="moved">
      <span className="a-wait">
        <Icon name="clock" />
      </span>
      <p>
        <b>The change set moved: look again.</b>{" "}
        {isBack
          ? "What is shown is what you looked at; the run has changed it since. Nothing of the new one is approved by it."
          : `What is shown is what you looked at; ${review.id} is at work on it again.`}
      </p>
      <Button size="small" look="primary" hotkey="R" onClick={review.lookAgain}>
        Show what there is now
      </Button>
    </div>
  );
}

/** Some names cannot exist beside others: they land together or not at all. */
export function NeedsNote({ review }: { readonly review: Review }): ReactNode {
  return (
    <div className="review-note" role="alert" data-note="needed">
      <span className="a-wait">
        <Icon name="blocked" />
      </span>
      <p>
        <b>These can only land together with what you chose:</b>{" "}
        <span className="rid">{review.needed.slice(0, 8).join(", ")}</span>
        {review.needed.length > 8 ? ` and ${review.needed.length - 8} more` : ""}
      </p>
      <Button size="small" look="primary" onClick={review.chooseNeeded}>
        Choose them too
      </Button>
    </div>
  );
}

/** Two sides met and nobody has made one of them: landing it would only bring it back. */
export function UnresolvedNote({ review }: { readonly review: Review }): ReactNode {
  const { unresolved, diff, run } = review;
  const others = (diff?.changes.length ?? 0) > unresolved.length;
  return (
    <div className="review-note" role="status" data-note="unresolved">
      <span className="a-stop">
        <Icon name="failed" />
      </span>
      <p>
        <b>It cannot land yet: somebody else has changed the same place.</b>{" "}
        <span className="rid">{unresolved.slice(0, 8).join(", ")}</span>
        {unresolved.length > 8 ? ` and ${unresolved.length - 8} more` : ""}. Send it back, and the run makes one of both
        {others ? "; or choose the other files" : ""}.
      </p>
      <Link to={{ place: "landing", of: run?.id ?? null }} className="btn small">
        Show the three sides
      </Link>
    </div>
  );
}

/** What of the run's work will not land because it is too large for that. */
export function OversizedNote({ files }: { readonly files: readonly { path: string; bytes: number }[] }): ReactNode {
  const names = files.slice(0, 8).map(({ path, bytes }) => `${path} (${toBytes(bytes)})`);
  return (
    <div className="review-note" data-note="oversized">
      <span className="a-wait">
        <Icon name="guarded" />
      </span>
      <p>
        <b>Too large to land, so it goes with the run:</b> <span className="rid">{names.join(", ")}</span>
        {files.length > 8 ? ` and ${files.length - 8} more` : ""}
      </p>
    </div>
  );
}

/** What the run stands on, and what mainline has otherwise by now. It may land all the same. */
export function StaleNote({ stale }: { readonly stale: readonly string[] }): ReactNode {
  return (
    <div className="review-note" data-note="stale">
      <span className="a-wait">
        <Icon name="clock" />
      </span>
      <p>
        <b>Read before somebody else changed it:</b> <span className="rid">{stale.slice(0, 8).join(", ")}</span>
        {stale.length > 8 ? ` and ${stale.length - 8} more` : ""}
      </p>
    </div>
  );
}
