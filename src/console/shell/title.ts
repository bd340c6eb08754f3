import { useEffect } from "react";
import { useInbox } from "../inbox/inbox-context.tsx";
import { useLive } from "../live/live-context.tsx";
import { toVisible } from "../model/visible-text.ts";
import { useAddress } from "./address.ts";
import { placeLinks } from "./places.ts";

/** A tab names the place, and in the background still says how many need a person, and whether it is live at all. */
export function Title(): null {
  const link = useLive((state) => state.link.is);
  const needs = useInbox().items.length;
  const past = useLive((state) => (state.link.is === "past" ? state.link.seq : null));
  const where = useWhere();
  const lead =
    past !== null
      ? `Event ${past} · `
      : link === "away" || link === "failed"
        ? "Disconnected · "
        : needs > 0
          ? `(${needs}) `
          : "";
  useEffect(() => {
    document.title = `${lead}${toVisible(where)} · Signalbox`;
  }, [lead, where]);
  return null;
}

/** The run or the agent that the page is about, a section of the settings, or the place. */
function useWhere(): string {
  const { place, id: named } = useAddress();
  const id = named ?? "";
  const run = useLive((state) => (place === "run" ? state.runs.get(id)?.title : undefined));
  const agent = useLive((state) => (place === "agent" ? state.agents.get(id)?.name : undefined));
  if (place === "run") return run === undefined ? id : `${id} ${run}`;
  if (place === "agent") return agent ?? id;
  if (place === "new-run") return "New run";
  if (place === "section") return `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`;
  return placeLinks.find(({ to }) => to === place)?.label ?? "Nowhere";
}
