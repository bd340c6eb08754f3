import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { goTo, hasPast, readAddress } from "../shell/address.ts";
import { toWorldAt } from "../shell/link.tsx";
import { useEventAt } from "./use-event-at.ts";

/** Shows the world of so long ago; a place that has no past leads to the overview of then. */
export function useLookBack(): (agoMs: number) => Promise<void> {
  const { ago } = useEventAt();
  const { toasts } = useActs();
  return async (agoMs) => {
    try {
      const at = await ago(agoMs);
      goTo(hasPast(readAddress().place) ? { at } : toWorldAt(at));
    } catch (error) {
      showRefusal(toasts, "look back", error);
    }
  };
}
