import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { useHeard } from "./use-heard.ts";

/** Number of the newest event of such a kind that the page has heard of, by which it knows that something is old. */
export function useNewest(isMeant: (event: LogEvent) => boolean): number {
  return useHeard(0, (before, events) => events.findLast(isMeant)?.seq ?? before);
}
