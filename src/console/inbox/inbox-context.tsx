// What needs a person, asked for once for all who show or count it, and again whenever something has happened, or
// after a while: some of it is made by time alone.

import { createContext, type ReactNode, useContext } from "react";
import type { InboxItem } from "../../protocol/wire/inbox.ts";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { useTicks } from "../live/use-ticks.ts";
import { mayNeedSomebody } from "../model/inbox-events.ts";

type Inbox = {
  /** The overdue, then the oldest; null before they were read. */
  readonly items: readonly InboxItem[] | null;
  readonly trouble: string | null;
  readonly again: () => void;
};

const InboxContext = createContext<Inbox>({ items: null, trouble: null, again: () => undefined });
/** No event tells that a service has not been well for long enough, or that a warning is over. */
const againMs = 15_000;

export function InboxProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const newest = useNewest(mayNeedSomebody);
  const ticks = useTicks(againMs);
  const { value, trouble, again } = useAsked({
    subject: "inbox",
    stamp: `${newest} ${ticks}`,
    ask: (client, signal) => client.call("inbox", {}, { signal }),
  });
  return <InboxContext value={{ items: value?.items ?? null, trouble, again }}>{children}</InboxContext>;
}

export function useInbox(): Inbox {
  return useContext(InboxContext);
}
