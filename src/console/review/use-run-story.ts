// A run's story as the daemon tells it: whole however long it was, and told anew when something happens to the run.

import { useEffect, useEffectEvent, useState } from "react";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { RunStory } from "../../protocol/wire/story.ts";
import { isOfRun } from "../live/is-of-run.ts";
import { useBox, useLive } from "../live/live-context.tsx";
import { type Asked, useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";

export type StoryAsked = Pick<Asked<RunStory>, "value" | "trouble" | "code" | "again"> & {
  /** So many units more are drawn. */
  readonly showUnits: (count: number) => void;
};

/** Units that are drawn at first. */
export const unitsAtFirst = 4;

export function useRunStory(id: string): StoryAsked {
  const { store } = useBox();
  const newest = useNewest((event) => isOfRun(event, id));
  const moment = useLive(({ link }) => (link.is === "past" ? link.seq : null));
  const [units, showUnits] = useState(unitsAtFirst);
  const { value, trouble, code, again } = useAsked({
    subject: `story of ${id}, seen from ${moment ?? "now"}`,
    stamp: `${newest} ${units}`,
    ask: (client, signal) => client.call("run.story", { run: id, drawn: units }, { signal }),
  });
  // When it is heard, not only when the page is drawn: the answer takes long enough.
  const hear = useEffectEvent((events: readonly LogEvent[]) => {
    if (events.some((event) => isOfRun(event, id))) again();
  });
  useEffect(() => store.hear((events) => hear(events)), [store]);
  // A very long log is told in parts, each of which shows how far it is.
  const readOn = useEffectEvent(again);
  useEffect(() => {
    if (value?.more === true) readOn();
  }, [value]);
  return { value, trouble, code, again, showUnits };
}
