import { useEffect } from "react";
import { useInbox } from "../inbox/inbox-context.tsx";
import { useLive } from "../live/live-context.tsx";

/** A tab in the background still says how many need a person, and whether it is live at all. */
export function Title(): null {
  const link = useLive((state) => state.link.is);
  const needs = useInbox().items.length;
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
  return null;
}
