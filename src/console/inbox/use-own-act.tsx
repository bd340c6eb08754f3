// What is done about something that needs a person and is no act on a run: more room for what is spent, a closed unit opened.

import type { InboxItem } from "../../protocol/wire/inbox.ts";
import { useActs } from "../acts/act-context.tsx";
import { ClearDialog } from "../acts/clear-dialog.tsx";
import { RaiseDialog } from "../acts/raise-dialog.tsx";
import { useBox } from "../live/live-context.tsx";
import { ownAct } from "../model/inbox-kinds.ts";

type OwnAct = { readonly key: string; readonly label: string; readonly go: () => void };

/** Answers a function, so that what is asked first is about what there is then. */
export function useOwnAct(): (item: InboxItem) => OwnAct | null {
  const { store } = useBox();
  const { open } = useActs();
  return (item) => {
    const run = store.read().runs.get(item.run ?? "");
    if (item.kind === "budget" && run !== undefined)
      return {
        ...(run.modelRefused?.code === "price-unknown" ? ownAct.price : ownAct.budget),
        go: () => open((onClose) => <RaiseDialog run={run} onClose={onClose} />),
      };
    if (item.kind !== "closed") return null;
    // What it says of the unit is a whole sentence but for its end.
    const { title: unit, projectName: project, what } = item;
    return {
      ...ownAct.closed,
      go: () => open((onClose) => <ClearDialog unit={unit} project={project} why={`${what}.`} onClose={onClose} />),
    };
  };
}
