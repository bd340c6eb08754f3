// How views get at the live store, the clock and the client.

import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import type { Client } from "../../client/client.ts";
import type { EngineClock } from "./engine-clock.ts";
import type { LiveState } from "./live-state.ts";
import type { LiveStore } from "./live-store.ts";

/** What views see of a store: the live one, or one of the past. */
export type Store = Pick<LiveStore, "clock" | "read" | "subscribe" | "hear" | "start" | "showProject" | "watchRun">;
export type Box = { readonly store: Store; readonly client: Client };

const BoxContext = createContext<Box | null>(null);

export function LiveProvider({ box, children }: { readonly box: Box; readonly children: ReactNode }): ReactNode {
  return <BoxContext value={box}>{children}</BoxContext>;
}

export function useBox(): Box {
  const box = useContext(BoxContext);
  if (box === null) throw new Error("a view outside of the LiveProvider");
  return box;
}

/** A part of the state. It has to be one that keeps its identity while nothing changes; derive from it with useMemo. */
export function useLive<T>(select: (state: LiveState) => T): T {
  const { store } = useBox();
  return useSyncExternalStore(store.subscribe, () => select(store.read()));
}

/** Whether what is shown is what is. Nobody acts on a page that is not live. */
export function useIsLive(): boolean {
  return useLive((state) => state.link.is === "live");
}

/** Something that depends on the time, drawn again only when it comes out differently. */
export function useClock<T extends string | number | boolean>(derive: (clock: EngineClock) => T): T {
  const { clock } = useBox().store;
  return useSyncExternalStore(clock.subscribe, () => derive(clock));
}
