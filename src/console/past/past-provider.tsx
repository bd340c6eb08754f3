// Which world the page shows: the live one, or the one after the event that the address names.

import { createContext, type ReactNode, useContext, useMemo } from "react";
import { type Box, LiveProvider, useBox, useLive } from "../live/live-context.tsx";
import { emptyState } from "../live/live-state.ts";
import { readPast, toPastClient, toPastStore } from "../live/past.ts";
import { useAsked } from "../live/use-asked.ts";
import { momentOf, useAddress } from "../shell/address.ts";

type Past = {
  /** The event whose world is wanted, null for now. */
  readonly at: number | null;
  /** Whether what is shown is that world, and not the one that was looked at before. */
  readonly isThere: boolean;
  readonly trouble: string | null;
  readonly again: () => void;
  /** Number of the newest event, now. */
  readonly head: number;
  /** The world of now, whichever is shown. */
  readonly live: Box;
};

const PastContext = createContext<Past | null>(null);

/** What is not read yet looks like what is not read yet. */
const notYet = toPastStore(emptyState);

export function PastProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const live = useBox();
  const at = momentOf(useAddress());
  const head = useLive((state) => state.seq);
  const asked = useAsked({
    subject: at === null ? "now" : "then",
    stamp: at ?? 0,
    ask: async (client): Promise<{ readonly seq: number; readonly box: Box } | null> => {
      const { status } = live.store.read();
      if (at === null || status === null) return null;
      return {
        seq: at,
        box: { store: toPastStore(await readPast(client, at, status)), client: toPastClient(client, at) },
      };
    },
  });
  const then = asked.value;
  const { trouble, again } = asked;
  const isThere = at === null || (then?.seq === at && trouble === null);
  const waiting = useMemo(() => ({ store: notYet, client: toPastClient(live.client, at ?? 0) }), [live.client, at]);
  const past = useMemo(
    (): Past => ({ at, isThere, trouble, again, head, live }),
    [at, isThere, trouble, again, head, live],
  );
  return (
    <PastContext value={past}>
      <LiveProvider box={at === null ? live : (then?.box ?? waiting)}>{children}</LiveProvider>
    </PastContext>
  );
}

export function usePast(): Past {
  const past = useContext(PastContext);
  if (past === null) throw new Error("a view outside of the PastProvider");
  return past;
}
