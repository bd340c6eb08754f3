// What has become of landings lately: read back from the newest event, then followed.

import { useMemo } from "react";
import type { Client } from "../../client/client.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { useBox, useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useHeard } from "../live/use-heard.ts";
import { type LandingRow, landingTypes, toLandingRows } from "../model/landing-history.ts";
import { useProjectId } from "../overview/use-shown-runs.ts";

/** How far back is looked, in events, and how many landings are enough. */
const windowEvents = 20_000;
const windowsMax = 3;
const enough = 50;
const cameMax = 500;
const nothingCame: readonly LogEvent[] = [];

export type LandingHistory = {
  /** The newest first; null before they were read. */
  readonly rows: readonly LandingRow[] | null;
  readonly trouble: string | null;
  readonly again: () => void;
};

export function useLandingHistory(): LandingHistory {
  const { store } = useBox();
  const project = useProjectId();
  const came = useLandingsThatCame();
  // Of the past nothing is told that came later. Now has no end that would have to be looked for at each event.
  const until = useLive(({ link, seq }) => (link.is === "past" ? seq : Number.POSITIVE_INFINITY));
  const runs = useLive((state) => state.runs);
  const {
    value: past,
    trouble,
    again,
  } = useAsked({
    subject: "landings",
    stamp: 0,
    ask: (client, signal) => readBack(client, store.read().seq, signal),
  });
  const rows = useMemo(() => {
    if (past === null) return null;
    const last = past[0]?.seq ?? 0;
    return toLandingRows([...came.filter((event) => event.seq > last && event.seq <= until), ...past]);
  }, [past, came, until]);
  const own = useMemo(
    () =>
      project === null || rows === null
        ? rows
        : rows.filter((row) => (row.project ?? runs.get(row.run ?? "")?.project ?? project) === project),
    [rows, project, runs],
  );
  return { rows: own, trouble, again };
}

/** Those that came while somebody looked: the page itself keeps only the last events of all kinds, and these are few. */
function useLandingsThatCame(): readonly LogEvent[] {
  return useHeard(nothingCame, (came, events) => {
    const fresh = events.filter((event) => toLandingRows([event]).length > 0);
    return fresh.length === 0 ? came : [...fresh.toReversed(), ...came].slice(0, cameMax);
  });
}

/** Events that tell of landings, the newest first. */
async function readBack(client: Client, seq: number, signal: AbortSignal): Promise<LogEvent[]> {
  let found: LogEvent[] = [];
  let to = seq;
  for (let windows = 0; windows < windowsMax && to > 0; windows++) {
    const from = Math.max(0, to - windowEvents);
    const events = await readWindow(client, { from, to }, signal);
    found = [...events.toReversed(), ...found.toReversed()].toSorted((a, b) => b.seq - a.seq);
    if (toLandingRows(found).length >= enough) break;
    to = from;
  }
  return found;
}

async function readWindow(
  client: Client,
  { from, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  for (let after = from; after < to;) {
    const page = await client.call("events.read", { after, types: landingTypes, limit: 1000 }, { signal });
    events.push(...page.events.filter((event) => event.seq <= to));
    if (!page.more) break;
    after = page.next;
  }
  return events;
}
