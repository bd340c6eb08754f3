// What needs a person, asked for once for all who show or count it, and again whenever something has happened.

import { createContext, type ReactNode, useContext } from "react";
import type { InboxItem } from "../../protocol/wire/inbox.ts";
import { useAsked } from "../live/use-asked.ts";
import { useNewest } from "../live/use-newest.ts";

type Inbox = {
  /** The overdue, then the oldest; null before they were read. */
  readonly items: readonly InboxItem[] | null;
  readonly trouble: string | null;
  readonly again: () => void;
};

const InboxContext = createContext<Inbox>({ items: null, trouble: null, again: () => undefined });
/** What happens all the time, and never makes or answers anything in the inbox. */
const noise = /^(?:lease|claim|family\.(?!ended)|call|service|terminal)\b/;

export function InboxProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const newest = useNewest(({ type }) => !noise.test(type));
  const { value, trouble, again } = useAsked({
    subject: "inbox",
    stamp: newest,
    ask: (client, signal) => client.call("inbox", {}, { signal }),
  });
  return <InboxContext value={{ items: value?.items ?? null, trouble, again }}>{children}</InboxContext>;
}

export function useInbox(): Inbox {
  return useContext(InboxContext);
}
