// The events of one agent: read once, then followed by those that come.

import { useMemo, useState } from "react";
import type { Client } from "../../client/client.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { textIn } from "../live/event-fields.ts";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { firstEventOf } from "../model/agent-story.ts";

const types = ["agent.", "service."];
const pageMax = 1000;
const pagesMax = 20;
const heardMax = 2000;
/** Of an agent that lives for very long, only what lies this near to the end of the log is read. */
const farMax = 300_000;

export function useAgentEvents(
  id: string,
  project: string,
): { readonly events: readonly LogEvent[] | null; readonly trouble: string | null } {
  const live = useLive((state) => state.events);
  const [heard, setHeard] = useState<readonly LogEvent[]>([]);
  const fresh = useMemo(() => live.filter((event) => textIn(event, "agent") === id), [live, id]);
  if ((fresh[0]?.seq ?? 0) > (heard[0]?.seq ?? 0)) {
    const last = heard[0]?.seq ?? 0;
    setHeard([...fresh.filter((event) => event.seq > last), ...heard].slice(0, heardMax));
  }
  const moment = useLive(({ link }) => (link.is === "past" ? link.seq : null));
  const { value: past, trouble } = useAsked({
    subject: `agent log ${id}, seen from ${moment ?? "now"}`,
    stamp: 0,
    ask: async (client, signal) => {
      const last = moment ?? (await client.call("status", {}, { signal })).seq;
      return readAgentLog(client, { id, project, last }, signal);
    },
  });
  const events = useMemo(() => {
    if (past === null) return null;
    const last = past[0]?.seq ?? 0;
    return [...heard.filter((event) => event.seq > last), ...past];
  }, [past, heard]);
  return { events, trouble };
}

/** The newest first, and at the very end what made it. */
async function readAgentLog(
  client: Client,
  { id, project, last }: { readonly id: string; readonly project: string; readonly last: number },
  signal: AbortSignal,
): Promise<LogEvent[]> {
  const first = firstEventOf(id);
  const made = await client.call("events.read", { after: first - 1, limit: 1 }, { signal });
  let events = made.events.filter((event) => textIn(event, "agent") === id);
  let after = Math.max(first, last - farMax);
  for (let pages = 0; pages < pagesMax; pages++) {
    const page = await client.call("events.read", { after, types, project, limit: pageMax }, { signal });
    events = [...events, ...page.events.filter((event) => textIn(event, "agent") === id)];
    if (!page.more) break;
    after = page.next;
  }
  return events.toReversed();
}
