// What a view makes of the events that come. It hears each of them when it comes, not when the page is drawn: a page that nobody
// looks at is not drawn, and in one that is busy more events come between two frames than the page keeps.

import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { type Fold, Heard } from "./heard.ts";
import { useBox } from "./live-context.tsx";

/** Begins with those that the page still has. */
export function useHeard<T>(first: T, fold: Fold<T>): T {
  const { store } = useBox();
  const [own] = useState(() => {
    const heard = new Heard(first);
    heard.take(store.read().events.toReversed(), fold);
    heard.show();
    return heard;
  });
  const take = useEffectEvent((events: readonly LogEvent[]) => own.take(events, fold));
  useEffect(() => {
    // What was read anew after a break came by no stream.
    const look = (): void => {
      take(store.read().events.toReversed());
      own.show();
    };
    const ends = [store.hear((events) => take(events)), store.subscribe(look)];
    look();
    return () => ends.forEach((end) => end());
  }, [store, own]);
  return useSyncExternalStore(own.subscribe, own.read);
}
