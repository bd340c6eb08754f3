// What needs a person, asked for once for all who show or count it, and again whenever something has happened, or
// after a while: some of it is made by time alone. What events tell meanwhile is in it at once.

import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { InboxItem } from "../../protocol/wire/inbox.ts";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";
import { useTicks } from "../live/use-ticks.ts";
import { mayNeedSomebody } from "../model/inbox-events.ts";
import { toCurrent } from "../model/needs.ts";

type Inbox = {
  /** The overdue, then the oldest. */
  readonly items: readonly InboxItem[];
  /** Whether they were read at all: before, only what runs themselves say is known. */
  readonly isRead: boolean;
  /** Whether they are on their way: what is known of them is not all, and no count of it is right. */
  readonly isComing: boolean;
  readonly trouble: string | null;
  readonly again: () => void;
};

const InboxContext = createContext<Inbox>({
  items: [],
  isRead: false,
  isComing: true,
  trouble: null,
  again: () => undefined,
});
/** No event tells that a service has not been well for long enough, or that a warning is over. */
const againMs = 15_000;

export function InboxProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const newest = useNewest(mayNeedSomebody);
  const ticks = useTicks(againMs);
  const runs = useLive((state) => state.runs);
  const isPast = useLive((state) => state.link.is === "past");
  const { value, trouble, again } = useAsked({
    subject: "inbox",
    // What was needed at a moment that was is so for ever.
    stamp: isPast ? 0 : `${newest} ${ticks}`,
    ask: (client, signal) => client.call("inbox", {}, { signal }),
  });
  const asked = value?.items ?? null;
  const items = useMemo(() => toCurrent(asked, runs), [asked, runs]);
  const isRead = asked !== null;
  const isComing = !isRead && trouble === null;
  return <InboxContext value={{ items, isRead, isComing, trouble, again }}>{children}</InboxContext>;
}

export function useInbox(): Inbox {
  return useContext(InboxContext);
}

/** Of one project, or of all. */
export function useInboxOf(project: string | null): readonly InboxItem[] {
  const { items } = useInbox();
  return useMemo(() => items.filter((item) => project === null || item.project === project), [items, project]);
}
