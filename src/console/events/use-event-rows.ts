// Which rows the list of events has: the whole log, or what matches a filter, from a number downwards.

import { useEffect, useState, useSyncExternalStore } from "react";
import type { Client } from "../../client/client.ts";
import { useBox, useLive } from "../live/live-context.tsx";
import { useRetry } from "../live/use-retry.ts";
import { type EventFilter, isFiltered, toEventInput } from "../model/event-kinds.ts";
import { type EventRows, FoundRows, LogRows, type ReadEvents, rowsMax } from "./event-rows.ts";

type Options = {
  readonly filter: EventFilter;
  /** Whether new events are taken in as they come. */
  readonly isFollowing: boolean;
  /** The event that has to be among them. */
  readonly event: number | null;
};

type Made = { readonly key: string; readonly rows: EventRows };

const firstRows = 40;

export function useEventRows({ filter, isFollowing, event }: Options): EventRows {
  const { client } = useBox();
  const seq = useLive((state) => state.seq);
  const live = useLive((state) => state.events);
  // Where the list begins; null is the newest.
  const [start, setStart] = useState<number | null>(event);
  if (isFollowing && start !== null) setStart(null);
  const key = `${start ?? "newest"} ${JSON.stringify(filter)}`;
  const make = (): Made => ({ key, rows: makeRows(client, filter, start, seq) });
  const [made, setMade] = useState(make);
  if (made.key !== key) setMade(make());
  const { rows } = made;
  useSyncExternalStore(rows.subscribe, rows.read);
  useRetry(rows.failure, () => rows.retry());
  useEffect(() => {
    rows.see(0, firstRows);
    return () => rows.close();
  }, [rows]);
  useEffect(() => {
    if (rows instanceof LogRows) rows.put(live);
    if (isFollowing) rows.moveTo(seq);
  }, [rows, live, seq, isFollowing]);
  // One that was jumped to and is not among them: the list begins there.
  const isWanted = event !== null && event <= seq && event !== start && !isFollowing && made.key === key;
  if (isWanted && (event > rows.top || (rows.count > 0 && rows.rowOf(event) === undefined))) setStart(event);
  return rows;
}

function makeRows(client: Client, filter: EventFilter, start: number | null, head: number): EventRows {
  const input = toEventInput(filter);
  const ask: ReadEvents = (range, signal) => client.call("events.read", { ...input, ...range }, { signal });
  if (isFiltered(filter)) return new FoundRows(ask, Math.min(start ?? head, head));
  return new LogRows(ask, start === null ? head : Math.min(head, start + rowsMax / 2));
}
