import { memo, type ReactNode, useEffect, useRef } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { useActs } from "../acts/act-context.tsx";
import { useBox } from "../live/live-context.tsx";
import { actsOf } from "../model/run-acts.ts";
import { RunWords } from "../overview/tracks/run-words.tsx";
import { StateWord } from "../parts/state-word.tsx";
import { Since } from "../parts/times.tsx";
import { useIsNarrow } from "../parts/use-is-narrow.ts";
import { useVirtualRows } from "../parts/use-virtual-rows.ts";
import { goTo } from "../shell/address.ts";
import { type Bindings, useKeys } from "../shell/keys.ts";
import { Link, toRunPage } from "../shell/link.tsx";
import { useSelection } from "../shell/selection.tsx";

const rowPx = { wide: 32, narrow: 56 } as const;
const pageRows = 15;

/** A table of any length: only the rows in sight are there, and J and K go through all of them. */
export function RunTable(props: {
  readonly rows: readonly Run[];
  readonly total: number;
  readonly onEnd: () => void;
}): ReactNode {
  const { rows, total, onEnd } = props;
  const box = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow();
  const height = isNarrow ? rowPx.narrow : rowPx.wide;
  const { from, to, scrollTo } = useVirtualRows(box, rows.length, height);
  const { selected } = useSelection();
  useEffect(() => {
    if (to >= rows.length - 50) onEnd();
  }, [to, rows.length, onEnd]);
  useTableKeys(rows, scrollTo);
  return (
    <div
      ref={box}
      className="runs-scroll"
      tabIndex={0}
      role="table"
      aria-label="Runs, the newest first"
      aria-rowcount={total + 1}
    >
      <div className="run-row th" role="row" aria-rowindex={1}>
        {["State", "Run", "Project", "Runner", "Holds or waits for", "Since", "Id"].map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <div className="run-space" role="rowgroup" style={{ height: `${rows.length * height}px` }}>
        {rows.slice(from, to).map((run, at) => (
          <RunRow
            key={run.id}
            run={run}
            index={from + at}
            topPx={(from + at) * height}
            isSelected={selected === run.id}
          />
        ))}
      </div>
    </div>
  );
}

const RunRow = memo(function RunRow(props: {
  readonly run: Run;
  readonly index: number;
  readonly topPx: number;
  readonly isSelected: boolean;
}): ReactNode {
  const { run, index, topPx, isSelected } = props;
  const { select } = useSelection();
  return (
    <div
      className="run-row"
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-row={run.id}
      data-run={run.id}
      data-state={run.state}
      style={{ top: `${topPx}px` }}
      onClick={() => select(run.id)}
    >
      <span role="cell" className="c-state">
        <StateWord state={run.state} />
      </span>
      <span role="cell" className="c-title">
        <Link to={toRunPage(run.id)} aside={!isSelected}>
          {run.title}
        </Link>
        {run.tags.slice(0, 2).map((tag) => (
          <span key={tag} className="tag">
            {tag}
          </span>
        ))}
      </span>
      <span role="cell" className="c-project">
        {run.projectName}
      </span>
      <span role="cell" className="c-runner">
        {run.runner}
      </span>
      <span role="cell" className="c-words">
        <RunWords run={run} />
      </span>
      <span role="cell" className="c-since">
        <Since atMs={run.sinceMs} />
      </span>
      <span role="cell" className="c-id rid">
        {run.id}
      </span>
    </div>
  );
});

function useTableKeys(rows: readonly Run[], scrollTo: (row: number) => void): void {
  const { store } = useBox();
  const { request, toasts } = useActs();
  const { selected, select } = useSelection();
  const go = (to: number): void => {
    const run = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (run === undefined) return;
    select(run.id);
    scrollTo(rows.indexOf(run));
  };
  useKeys(() => {
    const at = rows.findIndex((run) => run.id === selected);
    const bindings: Record<string, Bindings[string]> = {
      J: () => go(at + 1),
      K: () => go(at < 0 ? rows.length - 1 : at - 1),
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at < 0 ? rows.length - 1 : at - 1),
      PageDown: () => go(at + pageRows),
      PageUp: () => go(at - pageRows),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      U: () => toasts.undoLast(),
      Escape: () => goTo({ run: null }),
    };
    const { runs, link } = store.read();
    const run = runs.get(selected ?? "") ?? rows[at];
    if (run === undefined) return bindings;
    bindings["Enter"] = () => goTo(toRunPage(run.id));
    bindings["O"] = bindings["Enter"];
    bindings["Q"] = () => goTo({ run: run.id });
    if (link.is !== "live") return bindings;
    for (const act of actsOf(run)) bindings[act.key] = () => request(act, run);
    return bindings;
  });
}
