import { useRef } from "react";
import { useBox } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { nothingPast, type UnitPast, UnitPastFold, unitPastTypes } from "../model/unit-past.ts";

/** How far back the log is read, in events of all kinds and in pages of those that matter here. */
const eventsMax = 50_000;
const pageMax = 1000;
const pagesMax = 12;

const types: ReadonlySet<string> = new Set(unitPastTypes);

/** Who held what and who waited, from the newest part of the log; what is new is read as it comes. */
export function useUnitPast(): { readonly past: UnitPast; readonly isRead: boolean; readonly trouble: string | null } {
  const { store } = useBox();
  const newest = useNewest(({ type }) => types.has(type));
  const reader = useRef<{ readonly fold: UnitPastFold; after: number } | null>(null);
  const { value, trouble } = useAsked({
    subject: "the past of units",
    stamp: newest,
    ask: async (client, signal) => {
      const own = (reader.current ??= { fold: new UnitPastFold(), after: Math.max(0, store.read().seq - eventsMax) });
      let past = own.fold.takeAll([]);
      for (let pages = 0; pages < pagesMax; pages++) {
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
