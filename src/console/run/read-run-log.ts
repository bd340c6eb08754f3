import type { Client } from "../../client/client.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";

const pageMax = 1000;
const pagesMax = 20;

/** The events of a run up to now, the newest first; of a very long run only the last of them. */
export async function readRunLog(client: Client, run: string, signal: AbortSignal): Promise<LogEvent[]> {
  let events: LogEvent[] = [];
  let after = 0;
  for (let pages = 0; pages < pagesMax; pages++) {
    const page = await client.call("run.log", { run, after, limit: pageMax }, { signal });
    // Only the newest are shown, so only the last two pages are kept.
    events = [...events.slice(-pageMax), ...page.events];
    if (!page.more) break;
    after = page.next;
  }
  return events.toReversed();
}
