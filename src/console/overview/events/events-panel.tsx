import { type ReactNode, useMemo, useRef, useState } from "react";
import type { LogEvent } from "../../../protocol/wire/log-event.ts";
import { useLive } from "../../live/live-context.tsx";
import { holdersByFamily, isSmall, projectOf, toTickerLines } from "../../model/ticker.ts";
import { Panel, Quiet } from "../../parts/panel.tsx";
import { useIsNarrow } from "../../parts/use-is-narrow.ts";
import { useProjectId } from "../use-shown-runs.ts";
import { Link } from "../../shell/link.tsx";
import { EventRow } from "./event-row.tsx";
import "./events.css";

const rowsMax = { wide: 60, narrow: 15 } as const;

/** The ticker: the newest first. While somebody reads in it, nothing moves; new lines wait behind a button. */
export function EventsPanel(): ReactNode {
  const project = useProjectId();
  const live = useLive((state) => state.events);
  const runs = useLive((state) => state.runs);
  const locks = useLive((state) => state.locks);
  const [held, setHeld] = useState<readonly LogEvent[] | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow();
  const events = held ?? live;
  const holders = useMemo(() => holdersByFamily(runs.values(), locks, events), [runs, locks, events]);
  const lines = useMemo(
    () =>
      toTickerLines(
        events,
        holders,
        (event) => !isSmall(event) && (project === null || projectOf(event, runs, holders) === project),
        isNarrow ? rowsMax.narrow : rowsMax.wide,
      ),
    [events, holders, project, runs, isNarrow],
  );
  const news = held === null ? 0 : countNewer(live, held[0]?.seq ?? 0);
  const release = (): void => {
    setHeld(null);
    list.current?.scrollTo({ top: 0 });
  };
  return (
    <Panel
      name="events"
      title="What happened"
      meta="newest first"
      end={
        news === 0 ? undefined : (
          <button type="button" className="news" onClick={release}>
            {news} new
          </button>
        )
      }
    >
      {lines.length === 0 ? (
        <Quiet title="Nothing has happened yet" />
      ) : (
        <div
          ref={list}
          className="events-scroll"
          tabIndex={0}
          role="group"
          aria-label="Events"
          onPointerEnter={() => setHeld((now) => now ?? live)}
          onPointerLeave={() => {
            if ((list.current?.scrollTop ?? 0) === 0) setHeld(null);
          }}
          onScroll={(event) => {
            const isAtTop = event.currentTarget.scrollTop === 0;
            setHeld((now) => (isAtTop ? (event.currentTarget.matches(":hover") ? now : null) : (now ?? live)));
          }}
        >
          <ol>
            {lines.map((line) => (
              <EventRow key={line.seq} line={line} />
            ))}
          </ol>
          {isNarrow ? (
            <div className="more-row">
              <Link to={{ place: "events", types: [], of: null, unit: null, find: "" }} className="btn plain small">
                All events
              </Link>
            </div>
          ) : null}
        </div>
      )}
    </Panel>
  );
}

function countNewer(events: readonly LogEvent[], seq: number): number {
  const at = events.findIndex((event) => event.seq <= seq);
  return events.slice(0, at < 0 ? events.length : at).filter((event) => !isSmall(event)).length;
}
