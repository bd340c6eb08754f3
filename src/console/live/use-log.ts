// The events that match a filter, the newest first: read back from the newest as far as they are wanted, and read on when the page
// hears of another. All of them are read from the log, so none is missing however many come at once or how long nobody looked.

import { useEffect, useState, useSyncExternalStore } from "react";
import type { InputOf } from "../../protocol/operations.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { FoundRows, type ReadEvents } from "../events/event-rows.ts";
import { useBox, useLive } from "./live-context.tsx";
import { useNewest } from "./use-newest.ts";
import { useRetry } from "./use-retry.ts";

export type LogTail = {
  /** Null before the first of them were read. */
  readonly events: readonly LogEvent[] | null;
  /** Whether there may be older ones. */
  readonly more: boolean;
  /** Whether no more are on their way. */
  readonly isSettled: boolean;
  readonly trouble: string | null;
  readonly again: () => void;
  /** Looks further back, where as many as were wanted did not lie near enough. */
  readonly lookFurther: () => void;
};

type Wanted = {
  readonly filter: Pick<InputOf<"events.read">, "types" | "except" | "run" | "agent" | "project">;
  /** None of them is older. */
  readonly first?: number;
  readonly count: number;
  /** Whether an event is one of them, that was read or that the page hears of: the filter may be wider. */
  readonly isMeant: (event: LogEvent) => boolean;
};

type Made = { readonly key: string; readonly rows: FoundRows };

/** Of those that match, the page keeps so many unless more were asked for. */
const keptMax = 4000;
/** How far back is looked by itself, in events of all kinds. */
const farMax = 300_000;

export function useLog({ filter, first = 1, count, isMeant }: Wanted): LogTail {
  const { client, store } = useBox();
  const newest = useNewest(isMeant);
  const isLive = useLive(({ link }) => link.is === "live");
  const moment = useLive(({ link }) => (link.is === "past" ? link.seq : null));
  const key = `${JSON.stringify(filter)}, seen from ${moment ?? "now"}`;
  const make = (): Made => {
    const ask: ReadEvents = async (range, signal) => {
      const page = await client.call("events.read", { ...filter, after: first - 1, ...range }, { signal });
      return { ...page, events: page.events.filter(isMeant) };
    };
    const options = { pageRows: Math.min(1000, count), keptMax, farMax };
    return { key, rows: new FoundRows(ask, moment ?? store.read().seq, options) };
  };
  const [made, setMade] = useState(make);
  if (made.key !== key) setMade(make());
  const { rows } = made;
  useSyncExternalStore(rows.subscribe, rows.read);
  useRetry(rows.failure, () => rows.retry());
  useEffect(() => () => rows.close(), [rows]);
  useEffect(() => rows.see(0, count), [rows, count]);
  useEffect(() => {
    if (newest > rows.top) rows.moveTo(newest);
  }, [rows, newest]);
  useEffect(() => {
    // After a break there is what came meanwhile, and what could not be read is tried again.
    if (!isLive) return;
    if (rows.trouble !== null) rows.retry();
    rows.moveTo(store.read().seq);
  }, [rows, store, isLive]);
  return {
    events: rows.count > 0 || (rows.isSettled && rows.trouble === null) ? rows.events : null,
    more: rows.more,
    isSettled: rows.isSettled,
    trouble: rows.trouble,
    again: () => rows.retry(),
    lookFurther: () => rows.lookFurther(),
  };
}
