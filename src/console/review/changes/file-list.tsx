import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Change } from "../../../protocol/wire/change.ts";
import { toMany } from "../../model/format.ts";
import { isChosen, partsOf } from "../../model/review-choice.ts";
import { Button } from "../../parts/button.tsx";
import { ChangeLine } from "../../parts/change-line.tsx";
import { useIsNarrow } from "../../parts/use-is-narrow.ts";
import { toHref, useAddress } from "../../shell/address.ts";
import { isPlainClick } from "../../shell/link.tsx";
import type { Review } from "./use-review.ts";

const squaresMax = 12;
/** On a phone the list stands above the lines, so a long one is opened on demand. */
const narrowMax = 6;

/** The files of a change set, each with a square for every part that can be chosen. */
export function FileList({ review }: { readonly review: Review }): ReactNode {
  const address = useAddress();
  const changes = review.diff?.changes ?? [];
  const isNarrow = useIsNarrow();
  const [isWhole, setWhole] = useState(false);
  const added = sum(changes, "added");
  const removed = sum(changes, "removed");
  const list = useRef<HTMLElement>(null);
  const here = review.change?.path ?? "";
  const shown =
    isNarrow && !isWhole ? changes.filter((change, at) => at < narrowMax || change === review.change) : changes;
  useEffect(() => {
    // Where the page scrolls, it stays where it is.
    if (isNarrow) return;
    list.current?.querySelector(`[data-file="${CSS.escape(here)}"]`)?.scrollIntoView({ block: "nearest" });
  }, [here, isNarrow]);
  return (
    <nav ref={list} className="files" aria-label="Changed files">
      <p className="files-head">
        <span>{toMany(changes.length, "file")}</span>
        <span className="num">
          <ins>+{added}</ins> <del>−{removed}</del>
        </span>
      </p>
      {shown.map((change) => (
        <a
          key={change.path}
          className="file"
          href={toHref({ ...address, file: change.path })}
          aria-current={change === review.change}
          data-file={change.path}
          onClick={(event) => {
            if (!isPlainClick(event)) return;
            event.preventDefault();
            review.goToPart(change.path, null);
          }}
        >
          <ChangeLine change={change} isOpen={review.diff?.of === "workspace"} />
          {review.isDecidable ? <Squares review={review} change={change} /> : null}
        </a>
      ))}
      {shown.length === changes.length ? null : (
        <p className="files-more">
          <Button size="small" onClick={() => setWhole(true)}>
            {`Show all ${toMany(changes.length, "file")}`}
          </Button>
        </p>
      )}
    </nav>
  );
}

function Squares({ review, change }: { readonly review: Review; readonly change: Change }): ReactNode {
  const parts = partsOf(change);
  const chosen = parts.filter((part) => isChosen(review.choice, change.path, part)).length;
  return (
    <span className="squares">
      {parts.slice(0, squaresMax).map((part) => (
        <i key={part} className={isChosen(review.choice, change.path, part) ? "square on" : "square"} />
      ))}
      <span className="sr">
        {chosen} of {parts.length} chosen
      </span>
    </span>
  );
}

function sum(changes: readonly Change[], side: "added" | "removed"): number {
  return changes.reduce((total, { hunks }) => total + hunks.reduce((lines, hunk) => lines + hunk[side].length, 0), 0);
}
