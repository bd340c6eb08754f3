import { type ReactNode, useEffect, useRef } from "react";
import type { Change } from "../../../protocol/wire/change.ts";
import { toMany } from "../../model/format.ts";
import { isChosen, partsOf } from "../../model/review-choice.ts";
import { ChangeLine } from "../../parts/change-line.tsx";
import { toHref, useAddress } from "../../shell/address.ts";
import { isPlainClick } from "../../shell/link.tsx";
import type { Review } from "./use-review.ts";

const squaresMax = 12;

/** The files of a change set, each with a square for every part that can be chosen. */
export function FileList({ review }: { readonly review: Review }): ReactNode {
  const address = useAddress();
  const changes = review.diff?.changes ?? [];
  const added = sum(changes, "added");
  const removed = sum(changes, "removed");
  const list = useRef<HTMLElement>(null);
  const here = review.change?.path ?? "";
  useEffect(() => {
    list.current?.querySelector(`[data-file="${CSS.escape(here)}"]`)?.scrollIntoView({ block: "nearest" });
  }, [here]);
  return (
    <nav ref={list} className="files" aria-label="Changed files">
      <p className="files-head">
        <span>{toMany(changes.length, "file")}</span>
        <span className="num">
          <ins>+{added}</ins> <del>−{removed}</del>
        </span>
      </p>
      {changes.map((change) => (
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
