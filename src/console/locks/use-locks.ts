// Who holds what, beyond the first of very many leases: the daemon is asked for what somebody looks for by its name.

import { useMemo } from "react";
import type { Lease, Locks } from "../../protocol/wire/claim.ts";
import { useLive } from "../live/live-context.tsx";
import { type Asked, useAsked } from "../live/use-asked.ts";
import { joinLocks } from "../model/join-locks.ts";
import type { UnitRow } from "../model/unit-tree.ts";

/** What is held, with all that has a word in its name; and whether that is everything that could be shown for the word. */
export function useFoundLocks(find: string): { readonly locks: Locks; readonly isWhole: boolean } {
  const locks = useLive((state) => state.locks);
  const sought = locks.truncated ? find.trim() : "";
  const { value } = useLocksOf(sought === "" ? null : { find: sought });
  const joined = useMemo(() => joinLocks(locks, value), [locks, value]);
  return { locks: joined, isWhole: !locks.truncated || value?.truncated === false };
}

/** What stands around one unit, where the page cannot know it by itself: whoever is said to hold nothing has to be asked about. */
export function useUnitLocks(row: UnitRow | undefined): Asked<Locks | null> {
  const isTruncated = useLive((state) => state.locks.truncated);
  const mustAsk = row !== undefined && row.unit !== "" && (isTruncated || row.lease === null);
  return useLocksOf(mustAsk ? { project: row.project, unit: row.unit } : null);
}

type Wanted = { readonly find: string } | Pick<Lease, "project" | "unit">;

function useLocksOf(wanted: Wanted | null): Asked<Locks | null> {
  const stamp = useLive((state) => state.locks.seq);
  return useAsked({
    subject: `locks ${JSON.stringify(wanted)}`,
    stamp: wanted === null ? 0 : stamp,
    ask: async (client, signal) => (wanted === null ? null : client.call("locks", wanted, { signal })),
  });
}
