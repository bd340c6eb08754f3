import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { useLive } from "./live-context.tsx";

/** Number of the newest event of such a type that the page has heard of, by which it knows that something is old. */
export function useNewest(isMeant: (event: LogEvent) => boolean): number {
  return useLive((state) => state.events.find(isMeant)?.seq ?? 0);
}
