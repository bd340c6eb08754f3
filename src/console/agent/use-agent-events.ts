// The events of one agent: read back from the newest, then followed by those that come.

import { useMemo } from "react";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { textIn } from "../live/event-fields.ts";
import { useAsked } from "../live/use-asked.ts";
import { type LogTail, useLog } from "../live/use-log.ts";
import { firstEventOf } from "../model/agent-story.ts";

const types = ["agent.", "service."];
const eventsMax = 2000;

export type AgentLog = LogTail & {
  /** What made it, the last of the events, where there may be others between it and the one before. */
  readonly madeApart: LogEvent | null;
};

/** The newest first, and at the very end what made it, however much lies between. */
export function useAgentEvents(id: string): AgentLog {
  const first = firstEventOf(id);
  const tail = useLog({
    filter: { types, agent: id },
    first,
    count: eventsMax,
    isMeant: (event) => textIn(event, "agent") === id,
  });
  const made = useAsked({
    subject: `what made ${id}`,
    stamp: 0,
    ask: async (client, signal) =>
      (await client.call("events.read", { after: first - 1, limit: 1 }, { signal })).events,
  });
  const { events, madeApart } = useMemo(() => {
    if (tail.events === null || made.value === null) return { events: null, madeApart: null };
    const last = tail.events.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
    const [apart] = made.value.filter((event) => textIn(event, "agent") === id && event.seq < last);
    if (apart === undefined) return { events: tail.events, madeApart: null };
    return { events: [...tail.events, apart], madeApart: tail.more ? apart : null };
  }, [tail.events, tail.more, made.value, id]);
  const again = (): void => {
    if (tail.trouble !== null) tail.again();
    if (made.trouble !== null) made.again();
  };
  return { ...tail, events, madeApart, trouble: tail.trouble ?? made.trouble, again };
}
