import type { ReactNode } from "react";
import type { QueueEntry } from "../../../protocol/wire/claim.ts";
import { RunLink } from "../../shell/link.tsx";

const chipsMax = 3;

/** Those who wait for one unit, in the order in which they get it. */
export function QueueChips({ entries }: { readonly entries: readonly QueueEntry[] }): ReactNode {
  if (entries.length === 0) return <span className="dim">–</span>;
  return (
    <span className="chips">
      {entries.slice(0, chipsMax).map((entry, at) => (
        <span key={entry.claim} className="chip" title={`${entry.holder} is number ${at + 1} for this unit`}>
          <em>{at + 1}</em>
          <RunLink id={entry.holder} />
        </span>
      ))}
      {entries.length > chipsMax ? <span className="dim">+{entries.length - chipsMax}</span> : null}
    </span>
  );
}
