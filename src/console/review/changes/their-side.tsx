import { type ReactNode, useMemo } from "react";
import type { Change } from "../../../protocol/wire/change.ts";
import { toBlocks } from "../../model/diff-blocks.ts";
import { Icon } from "../../parts/icon.tsx";
import { type DiffMode, DiffTable } from "./diff-table.tsx";
import "./diff.css";

/** What somebody else made of the same base: above, so that it is read before what the run made of it. */
export function TheirSide({ change, mode }: { readonly change: Change; readonly mode: DiffMode }): ReactNode {
  const patch = change.theirs?.patch ?? "";
  const blocks = useMemo(() => toBlocks({ patch, hunks: [] }), [patch]);
  return (
    <section className="theirs" aria-label="The side of mainline">
      <p className="theirs-head">
        <span className="a-stop">
          <Icon name="failed" />
        </span>
        <span>
          <b>Mainline has changed the same place.</b> First what mainline has made of the base, then what this run has.
        </span>
      </p>
      {blocks.length === 0 ? (
        <p className="instead">
          {change.theirs?.entry === null ? "Mainline has no such file any more." : "Their side cannot be shown here."}
        </p>
      ) : (
        blocks.map((block, at) => <DiffTable key={at} rows={block.rows} mode={mode} />)
      )}
      <p className="theirs-own">This run&apos;s side</p>
    </section>
  );
}
