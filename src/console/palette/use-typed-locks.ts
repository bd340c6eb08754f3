// Who holds what is typed in the palette: of very many leases the page has only the first, and the daemon is asked for the rest.

import { useMemo } from "react";
import type { Locks } from "../../protocol/wire/claim.ts";
import { useLive } from "../live/live-context.tsx";
import { useAsked } from "../live/use-asked.ts";
import { joinLocks } from "../model/join-locks.ts";
import { toUnit } from "./unit-items.ts";

type Found = { readonly named: Locks | null; readonly around: Locks | null };

const nothing: Found = { named: null, around: null };

/** What the page knows, with what has the word in its name and with what stands around the path, where it is one. */
export function useTypedLocks(sought: string): Locks {
  const locks = useLive((state) => state.locks);
  const { value } = useAsked({
    subject: `locks of ${sought}`,
    stamp: locks.truncated ? 1 : 0,
    ask: async (client, signal): Promise<Found> => {
      if (sought === "" || !locks.truncated) return nothing;
      const unit = toUnit(sought);
      const [named, around] = await Promise.all([
        client.call("locks", { find: sought }, { signal }),
        unit === null ? null : client.call("locks", { unit }, { signal }),
      ]);
      return { named, around };
    },
  });
  const { named, around } = value ?? nothing;
  return useMemo(() => {
    const joined = joinLocks(joinLocks(locks, named), around);
    // Around the path that was typed everything was read.
    return around === null ? joined : { ...joined, truncated: around.truncated };
  }, [locks, named, around]);
}
