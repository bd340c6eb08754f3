import { memo, type ReactNode, type RefObject, useEffect, useMemo, useRef } from "react";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { textIn } from "../live/event-fields.ts";
import { useLive } from "../live/live-context.tsx";
import { toCount } from "../model/format.ts";
import { holdersByFamily } from "../model/ticker.ts";
import { subjectOf, toSentence } from "../model/event-sentence.ts";
import { Ago } from "../parts/times.tsx";
import { useIsNarrow } from "../parts/use-is-narrow.ts";
import { useVirtualRows, type VirtualRows } from "../parts/use-virtual-rows.ts";
import { goTo } from "../shell/address.ts";
import { tableKeys, useKeys } from "../shell/keys.ts";
import type { EventRows } from "./event-rows.ts";
import { Subject } from "./subject.tsx";
import "../parts/virtual-table.css";

const rowPx = { wide: 30, narrow: 60 } as const;
const pageRows = 20;
const none: readonly LogEvent[] = [];

/** The log as a table of any length, the newest first: only the rows in sight are there, and only they are asked for. */
export function EventList(props: {
  readonly rows: EventRows;
  readonly selected: number | null;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly onScrolled: (topPx: number) => void;
}): ReactNode {
  const { rows, selected, box, onScrolled } = props;
  const height = useIsNarrow() ? rowPx.narrow : rowPx.wide;
  const view = useVirtualRows(box, rows.count, height);
  const { from, to } = view;
  const { count } = rows;
  // After every drawing: rows may have moved under what is in sight.
  useEffect(() => rows.see(from, to));
  useSelectedInSight({ rows, selected, box, height });
  useListKeys(rows, selected, view);
  const runs = useLive((state) => state.runs);
  const locks = useLive((state) => state.locks);
  const holders = useMemo(() => holdersByFamily(runs.values(), locks, none), [runs, locks]);
  return (
    <div
      ref={box}
      className="table-scroll events-list"
      tabIndex={0}
      role="table"
      aria-label="Events, the newest first"
      aria-rowcount={rows.more ? -1 : count + 1}
      onScroll={(event) => onScrolled(event.currentTarget.scrollTop)}
    >
      <div className="table-row log-row th" role="row" aria-rowindex={1}>
        {["Time", "Number", "About", "What happened", "Type", "By"].map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      <div className="table-space" role="rowgroup" style={{ height: `${count * height}px` }}>
        {Array.from({ length: Math.max(0, to - from) }, (_, at) => {
          const event = rows.at(from + at);
          const topPx = (from + at) * height;
          const index = from + at + 2;
          if (event === undefined) return <MissingRow key={`row ${from + at}`} topPx={topPx} index={index} />;
          return (
            <LogRow
              key={event.seq}
              event={event}
              subject={subjectOf(event, holders)}
              topPx={topPx}
              index={index}
              isSelected={event.seq === selected}
            />
          );
        })}
      </div>
    </div>
  );
}

const LogRow = memo(function LogRow(props: {
  readonly event: LogEvent;
  readonly subject: string | undefined;
  readonly topPx: number;
  readonly index: number;
  readonly isSelected: boolean;
}): ReactNode {
  const { event, subject, topPx, index, isSelected } = props;
  const { seq, atMs, type, actor } = event;
  return (
    <div
      className="table-row log-row"
      role="row"
      aria-rowindex={index}
      aria-selected={isSelected}
      data-seq={seq}
      data-event={type}
      style={{ top: `${topPx}px` }}
      onClick={() => goTo({ event: seq }, "replace")}
    >
      <span role="cell" className="e-time">
        <Ago atMs={atMs} seq={seq} />
      </span>
      <span role="cell" className="e-seq num">
        {toCount(seq)}
      </span>
      <span role="cell" className="e-about">
        <Subject subject={subject} agent={textIn(event, "agent")} />
      </span>
      <span role="cell" className="e-says">
        {toSentence(event)}
      </span>
      <span role="cell" className="e-type">
        <code>{type}</code>
      </span>
      <span role="cell" className="e-actor">
        {actor}
      </span>
    </div>
  );
});

/** In the place of an event that is on its way. */
function MissingRow({ topPx, index }: { readonly topPx: number; readonly index: number }): ReactNode {
  return (
    <div className="table-row log-row missing" role="row" aria-rowindex={index} style={{ top: `${topPx}px` }}>
      <span role="cell">…</span>
    </div>
  );
}

/** Somebody who comes by an address, or jumps, finds the event in the middle; whoever goes row by row is not moved about. */
function useSelectedInSight(props: {
  readonly rows: EventRows;
  readonly selected: number | null;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly height: number;
}): void {
  const { rows, selected, box, height } = props;
  const shown = useRef<string | null>(null);
  const row = selected === null ? undefined : rows.rowOf(selected);
  useEffect(() => {
    const element = box.current;
    if (element === null || row === undefined) return;
    const mark = `${selected} ${rows.top}`;
    if (shown.current === mark) return;
    shown.current = mark;
    const topPx = row * height;
    const isIn = topPx >= element.scrollTop && topPx + 2 * height <= element.scrollTop + element.clientHeight;
    if (!isIn) element.scrollTo({ top: Math.max(0, topPx - element.clientHeight / 2) });
  }, [box, row, selected, rows, height]);
}

function useListKeys(rows: EventRows, selected: number | null, { from, scrollTo }: VirtualRows): void {
  const at = selected === null ? undefined : rows.rowOf(selected);
  const go = (to: number): void => {
    const row = Math.max(0, Math.min(rows.count - 1, to));
    const event = rows.at(row);
    scrollTo(row);
    if (event !== undefined) goTo({ event: event.seq }, "replace");
  };
  const next = (by: number): void => go(at === undefined ? from : at + by);
  // Who has chosen none begins with what is in sight.
  useKeys({
    ...tableKeys(rows.count, at ?? from - 1, pageRows, go),
    ...(at === undefined ? { K: () => next(0), ArrowUp: () => next(0) } : {}),
  });
}
