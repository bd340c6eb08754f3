import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { Change } from "../../../protocol/wire/change.ts";
import { type DiffBlock, toBlocks } from "../../model/diff-blocks.ts";
import { toBytes, toCount } from "../../model/format.ts";
import { isChosen, partsOf, toggleFile, togglePart } from "../../model/review-choice.ts";
import { toVisible } from "../../model/visible-text.ts";
import { Button } from "../../parts/button.tsx";
import { ChangeMarks } from "../../parts/change-line.tsx";
import { CopyButton } from "../../parts/command.tsx";
import { Key } from "../../parts/key.tsx";
import { type DiffMode, DiffTable } from "./diff-table.tsx";
import { HunkComment } from "./hunk-comment.tsx";
import { TheirSide } from "./their-side.tsx";
import type { Review } from "./use-review.ts";
import "./diff.css";

/** So many lines are drawn at once; a file of a hundred thousand lines is opened piece by piece. */
const stepRows = 600;

/** One file of the change set, hunk by hunk, each with its own box. */
export function FileDiff({ review, mode }: { readonly review: Review; readonly mode: DiffMode }): ReactNode {
  const { change, part } = review;
  const [rowsMax, setRowsMax] = useState(stepRows);
  const scroll = useRef<HTMLDivElement>(null);
  const blocks = useMemo(() => (change === null ? [] : toBlocks(change)), [change]);
  const shown = cutBlocks(blocks, part, rowsMax);
  useEffect(() => {
    if (part === null) return;
    const block = scroll.current?.querySelector<HTMLElement>(`[data-hunk="${CSS.escape(part)}"]`);
    block?.focus({ preventScroll: true });
    block?.scrollIntoView({ block: "nearest" });
  }, [part]);
  if (change === null) return null;
  const rows = blocks.reduce((total, block) => total + block.rows.length, 0);
  const drawn = shown.reduce((total, block) => total + block.rows.length, 0);
  return (
    <section className="diff" aria-label={`Changes of ${change.path}`}>
      <FileHead review={review} change={change} />
      <div ref={scroll} className="diff-scroll" tabIndex={0} role="group" aria-label={`Lines of ${change.path}`}>
        {change.theirs === null ? null : <TheirSide change={change} mode={mode} />}
        <Instead change={change} blocks={blocks} />
        {shown.map((block, at) => (
          <Hunk key={block.hunk ?? at} review={review} change={change} block={block} mode={mode} />
        ))}
        {rows > drawn ? (
          <div className="more-row">
            <Button size="small" onClick={() => setRowsMax(rowsMax + stepRows)}>
              {`Show ${toCount(Math.min(stepRows, rows - drawn))} more lines`}
            </Button>
            <span>
              {toCount(drawn)} of {toCount(rows)} lines shown
            </span>
          </div>
        ) : null}
      </div>
    </section>
  );
}

function FileHead({ review, change }: { readonly review: Review; readonly change: Change }): ReactNode {
  const parts = partsOf(change);
  const chosen = parts.filter((part) => isChosen(review.choice, change.path, part)).length;
  return (
    <header className="diff-head">
      {review.isDecidable ? (
        <label className="choose">
          <input
            type="checkbox"
            checked={chosen > 0 && chosen === parts.length}
            ref={(box) => {
              if (box !== null) box.indeterminate = chosen > 0 && chosen < parts.length;
            }}
            disabled={parts.length === 0}
            onChange={() => review.choose(toggleFile(review.choice, change))}
          />
          <span className="sr">Choose all of {change.path}</span>
          <Key>F</Key>
        </label>
      ) : null}
      <code className="diff-path" title={change.path}>
        {toVisible(change.path)}
      </code>
      <CopyButton text={change.path} label="Copy the path" />
      <ChangeMarks change={change} words isOpen={review.diff?.of === "workspace"} />
      <span className="diff-kind">{kindOf(change)}</span>
    </header>
  );
}

/** What is said where there are no lines to be shown. */
function Instead({ change, blocks }: { readonly change: Change; readonly blocks: readonly DiffBlock[] }): ReactNode {
  const { bytes, status } = change;
  const sizes = [bytes.base, bytes.work].map((size) => (size === null ? "nothing" : toBytes(size))).join(" → ");
  if (change.binary) return <p className="instead">Not text: {sizes}. It can only be approved whole.</p>;
  if (change.tooLarge)
    return (
      <p className="instead">
        Too large to be shown here: {sizes}. It can only be approved whole; look at it with <code>signalbox diff</code>{" "}
        in pieces, or in its workspace.
      </p>
    );
  if (blocks.length > 0) return null;
  if (status === "added") return <p className="instead">An empty file is new.</p>;
  if (status === "deleted") return <p className="instead">An empty file is gone.</p>;
  return <p className="instead">Only its mode has changed: {kindOf(change)}.</p>;
}

function Hunk(props: {
  readonly review: Review;
  readonly change: Change;
  readonly block: DiffBlock;
  readonly mode: DiffMode;
}): ReactNode {
  const { review, change, block, mode } = props;
  const { hunk } = block;
  const isOn = hunk !== null && isChosen(review.choice, change.path, hunk);
  const isHere = hunk !== null && review.part === hunk;
  return (
    <section
      className={`hunk${isOn ? " on" : ""}`}
      tabIndex={-1}
      data-hunk={hunk ?? undefined}
      aria-current={isHere}
      aria-label={hunk === null ? "A part of it" : `Hunk ${hunk}${isOn ? ", chosen" : ""}`}
    >
      <header className="hunk-head">
        {review.isDecidable && hunk !== null && change.held ? (
          <label className="choose">
            <input
              type="checkbox"
              checked={isOn}
              onChange={() => {
                review.goToPart(change.path, hunk);
                review.choose(togglePart(review.choice, change, hunk));
              }}
            />
            <span>{isOn ? "Chosen" : "Choose"}</span>
            <Key>A</Key>
          </label>
        ) : null}
        <code>@@ {block.place} @@</code>
        {hunk === null ? null : <span className="dim">hunk {hunk}</span>}
        {review.isDecidable && hunk !== null ? <HunkComment review={review} path={change.path} part={hunk} /> : null}
      </header>
      <DiffTable rows={block.rows} mode={mode} />
    </section>
  );
}

/** The blocks up to a number of lines, but always up to the one that the reviewer has gone to. */
function cutBlocks(blocks: readonly DiffBlock[], part: string | null, rowsMax: number): DiffBlock[] {
  const wanted = blocks.findIndex(({ hunk }) => hunk !== null && hunk === part);
  const shown: DiffBlock[] = [];
  let left = rowsMax;
  for (const [at, block] of blocks.entries()) {
    if (left <= 0 && at > wanted) break;
    // A single hunk may be longer than all that is drawn.
    const rows = block.rows.slice(0, Math.max(left, at === wanted ? 50 : 0));
    if (rows.length > 0) shown.push({ ...block, rows });
    left -= rows.length;
  }
  return shown;
}

const modes: Readonly<Record<string, string>> = {
  "100644": "a file",
  "100755": "executable",
  "120000": "a link",
  "160000": "a submodule",
};

/** What kind of thing it was and is, where that is worth saying. */
function kindOf({ base, work, status }: Change): string {
  const name = (entry: string | null): string => modes[entry?.slice(0, 6) ?? ""] ?? "";
  const [before, after] = [name(base), name(work)];
  if (status === "added") return after === "a file" ? "new file" : `new, ${after}`;
  if (status === "deleted") return before === "a file" ? "deleted" : `deleted, was ${before}`;
  return before === after ? (after === "a file" ? "" : after) : `was ${before}, is ${after}`;
}
