import { useRef } from "react";
import { useBox, useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { nothingPast, type UnitPast, UnitPastFold, unitPastTypes } from "../model/unit-past.ts";

/** How far back the log is read, in events of all kinds. */
const eventsMax = 50_000;
const pageMax = 1000;

/** What was read, as seen from now or from a moment of the past, and how far. */
type Reader = { readonly fold: UnitPastFold; readonly moment: number | null; after: number };

const types: ReadonlySet<string> = new Set(unitPastTypes);

/** Who held what and who waited, from the newest part of the log; what is new is read as it comes. */
export function useUnitPast(): { readonly past: UnitPast; readonly isRead: boolean; readonly trouble: string | null } {
  const { store } = useBox();
  const newest = useNewest(({ type }) => types.has(type));
  const reader = useRef<Reader | null>(null);
  const moment = useLive(({ link }) => (link.is === "past" ? link.seq : null));
  const { value, trouble } = useAsked({
    subject: `the past of units, seen from ${moment ?? "now"}`,
    stamp: newest,
    ask: async (client, signal) => {
      const after = Math.max(0, (moment ?? store.read().seq) - eventsMax);
      // Whoever has not looked for so long begins anew.
      if (reader.current?.moment !== moment || (reader.current?.after ?? 0) < after) reader.current = null;
      const own = (reader.current ??= { fold: new UnitPastFold(), moment, after });
      let past = own.fold.takeAll([]);
      // Up to the newest: whoever stopped before would say that somebody holds what was given back since.
      for (;;) {
        const page = await client.call(
          "events.read",
          { after: own.after, types: unitPastTypes, limit: pageMax },
          { signal },
        );
        past = own.fold.takeAll(page.events);
        own.after = page.next;
        if (!page.more) break;
      }
      return past;
    },
  });
  return { past: value ?? nothingPast, isRead: value !== null, trouble };
}
