import { toEngineMs } from "../../protocol/wall-time.ts";
import { useActs } from "../acts/act-context.tsx";
import { showRefusal } from "../acts/perform.ts";
import { goTo, hasPast, readAddress } from "../shell/address.ts";
import { toWorldAt } from "../shell/link.tsx";
import { usePast } from "./past-provider.tsx";

/** Shows the world of so long ago; a place that has no past leads to the overview of then. */
export function useLookBack(): (agoMs: number) => Promise<void> {
  const { live } = usePast();
  const { toasts } = useActs();
  return async (agoMs) => {
    try {
      const { clock } = live.store;
      // By the watch on the wall, which went on while the daemon was down.
      const wallMs = clock.toWallMs(clock.now()) - agoMs;
      const atMs = Math.max(0, Math.floor(toEngineMs(live.store.read().status?.openings ?? [], wallMs)));
      const { seq } = await live.client.call("events.at", { atMs });
      const at = Math.max(1, seq);
      goTo(hasPast(readAddress().place) ? { at } : toWorldAt(at));
    } catch (error) {
      showRefusal(toasts, "look back", error);
    }
  };
}
