import { toEngineMs } from "../../protocol/wall-time.ts";
import { usePast } from "./past-provider.tsx";

type EventAt = {
  /** The newest event of so long ago. */
  readonly ago: (agoMs: number) => Promise<number>;
  /** The newest event at a time of the clock on the wall. */
  readonly at: (wallMs: number) => Promise<number>;
};

/** Finds the event of a time. Both go by the watch on the wall, which went on while the daemon was down. */
export function useEventAt(): EventAt {
  const { live } = usePast();
  const at = async (wallMs: number): Promise<number> => {
    const engineMs = toEngineMs(live.store.read().status?.openings ?? [], wallMs);
    const { seq } = await live.client.call("events.at", { atMs: Math.max(0, Math.floor(engineMs)) });
    return Math.max(1, seq);
  };
  const { clock } = live.store;
  return { at, ago: (agoMs) => at(clock.toWallMs(clock.now()) - agoMs) };
}
