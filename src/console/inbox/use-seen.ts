import type { InboxItem } from "../../protocol/wire/inbox.ts";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { useBox } from "../live/live-context.tsx";

/** Takes what nobody has to act on off the inbox: somebody has seen it. */
export function useSeen(): (item: InboxItem) => void {
  const { client } = useBox();
  const { toasts } = useActs();
  return ({ id, title }) => {
    const undo = (): void => {
      client
        .call("inbox.see", { item: id, undo: true })
        .catch((error: unknown) => showRefusal(toasts, `putting ${title} back into the inbox`, error));
    };
    client
      .call("inbox.see", { item: id })
      .then(() =>
        toasts.did({
          tone: "rest",
          title: `${title} is off the inbox`,
          command: `signalbox inbox --seen ${id}`,
          undo,
        }),
      )
      .catch((error: unknown) => showRefusal(toasts, `taking ${title} off the inbox`, error));
  };
}
