import { type ReactNode, useMemo, useRef, useState } from "react";
import { useLive } from "../live/live-context.tsx";
import { type EventFilter, isFiltered, toEventsCommand } from "../model/event-kinds.ts";
import { toCount, toMany } from "../model/format.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { SavedViews } from "../parts/saved-views.tsx";
import { goTo, useAddress } from "../shell/address.ts";
import { useKeys } from "../shell/keys.ts";
import { toWorldAt } from "../shell/link.tsx";
import { EventDetail } from "./event-detail.tsx";
import { EventFilters } from "./event-filters.tsx";
import { EventList } from "./event-list.tsx";
import type { EventRows } from "./event-rows.ts";
import { useEventRows } from "./use-event-rows.ts";
import "../runs/runs.css";
import "./events-place.css";

/** The log, live and historical. What is filtered and looked at is in the address. */
export function EventsPage(): ReactNode {
  const { project, types, of, unit, find, event } = useAddress();
  const seq = useLive((state) => state.seq);
  const [isFollowing, setFollowing] = useState(event === null);
  const filter = useMemo((): EventFilter => ({ project, types, of, unit, find }), [project, types, of, unit, find]);
  const rows = useEventRows({ filter, isFollowing, event });
  const list = useRef<HTMLDivElement>(null);
  const follow = (on: boolean): void => {
    setFollowing(on);
    if (on) list.current?.scrollTo({ top: 0 });
  };
  useKeys({
    F: () => follow(!isFollowing),
    W: event === null ? undefined : () => goTo(toWorldAt(event)),
    Escape: () => goTo({ event: null, run: null }, "replace"),
  });
  const news = seq - rows.top;
  return (
    <div className={event === null ? "board events-place" : "board events-place with-detail"}>
      <Panel
        name="log"
        title="Events"
        meta={toMeta(rows, isFiltered(filter), seq)}
        end={
          <>
            {news > 0 && !isFollowing ? (
              <button type="button" className="news" onClick={() => follow(true)}>
                {toCount(news)} new
              </button>
            ) : null}
            <Button size="small" hotkey="F" pressed={isFollowing} onClick={() => follow(!isFollowing)}>
              Follow
            </Button>
            <SavedViews of="events" />
            <CopyButton text={toEventsCommand(filter, isFollowing)} label="Copy the command that shows the same" />
            {isFiltered({ ...filter, project: null }) ? (
              <Button
                size="small"
                icon="close"
                onClick={() => goTo({ types: [], of: null, unit: null, find: "" }, "replace")}
              >
                Clear
              </Button>
            ) : null}
          </>
        }
      >
        <EventFilters />
        {rows.trouble === null ? null : (
          <p className="review-note" role="alert">
            {rows.trouble}{" "}
            <button type="button" className="text-button" onClick={() => rows.retry()}>
              Try again
            </button>
          </p>
        )}
        {rows.count === 0 && rows.more && rows.trouble === null ? (
          <Awaited what="Reading the log" rows={12} />
        ) : rows.count === 0 && rows.more ? (
          <Quiet title="The log could not be read" />
        ) : rows.count === 0 ? (
          <Quiet title="No event matches">Clear the filter to see all, or wait: new ones show here as they come.</Quiet>
        ) : (
          <EventList
            rows={rows}
            selected={event}
            box={list}
            onScrolled={(topPx) => {
              // Whoever scrolls away reads in peace.
              if (topPx > 0) setFollowing(false);
            }}
          />
        )}
      </Panel>
      {event === null ? null : <EventDetail key={event} seq={event} known={knownOf(rows, event)} />}
    </div>
  );
}

function knownOf(rows: EventRows, seq: number): ReturnType<EventRows["at"]> {
  const row = rows.rowOf(seq);
  const event = row === undefined ? undefined : rows.at(row);
  return event?.seq === seq ? event : undefined;
}

function toMeta(rows: EventRows, isNarrowed: boolean, seq: number): string {
  if (!isNarrowed) return toMany(seq, "event");
  return rows.more
    ? `${toCount(rows.count)} found so far, of ${toCount(seq)}`
    : `${toCount(rows.count)} of ${toCount(seq)} match`;
}
