// The events of one run: read once, then followed by those that come.

import { useMemo, useState } from "react";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { textIn } from "../live/event-fields.ts";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { type RunStory, toStory } from "../model/run-story.ts";
import { readRunLog } from "../run/read-run-log.ts";

export type RunEvents = {
  /** The newest first; null before they were read. */
  readonly events: readonly LogEvent[] | null;
  readonly story: RunStory;
  readonly trouble: string | null;
};

const heardMax = 4000;

export function useRunStory(id: string): RunEvents {
  const live = useLive((state) => state.events);
  // What the page hears is a window that moves on; what it brought of this run stays.
  const [heard, setHeard] = useState<readonly LogEvent[]>([]);
  const fresh = useMemo(() => live.filter((event) => isOf(event, id)), [live, id]);
  if ((fresh[0]?.seq ?? 0) > (heard[0]?.seq ?? 0)) {
    const last = heard[0]?.seq ?? 0;
    setHeard([...fresh.filter((event) => event.seq > last), ...heard].slice(0, heardMax));
  }
  const moment = useLive(({ link }) => (link.is === "past" ? link.seq : null));
  const { value: past, trouble } = useAsked({
    subject: `log ${id}, seen from ${moment ?? "now"}`,
    stamp: 0,
    ask: (client, signal) => readRunLog(client, id, signal),
  });
  return useMemo(() => {
    if (past === null) return { events: null, story: toStory([]), trouble };
    const last = past[0]?.seq ?? 0;
    const until = moment ?? Number.POSITIVE_INFINITY;
    const events = [...heard.filter((event) => event.seq > last && event.seq <= until), ...past];
    return { events, story: toStory(events.toReversed()), trouble };
  }, [past, heard, trouble, moment]);
}

/** Families of a run carry its id. */
function isOf(event: LogEvent, run: string): boolean {
  return textIn(event, "run") === run || textIn(event, "family")?.startsWith(`${run}.`) === true;
}
