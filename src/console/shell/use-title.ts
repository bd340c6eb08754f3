import { useEffect } from "react";
import { useLive } from "../live/live-context.tsx";
import { signals } from "../model/signals.ts";

/** A tab in the background still says how many need a person, and whether it is live at all. */
export function useTitle(): void {
  const runs = useLive((state) => state.runs);
  const link = useLive((state) => state.link.is);
  let needs = 0;
  for (const run of runs.values()) if (signals[run.state].tone === "you") needs += 1;
  const past = useLive((state) => (state.link.is === "past" ? state.link.seq : null));
  const lead =
    past !== null
      ? `Event ${past} · `
      : link === "away" || link === "failed"
        ? "Disconnected · "
        : needs > 0
          ? `(${needs}) `
          : "";
  useEffect(() => {
    document.title = `${lead}Signalbox`;
  }, [lead]);
}
