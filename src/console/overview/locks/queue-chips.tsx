import type { ReactNode } from "react";
import type { QueueEntry } from "../../../protocol/wire/claim.ts";
import { RunLink } from "../../shell/link.tsx";
import "./queue-chips.css";

const chipsMax = 3;
/** How wide the parts of a chip are: its number with the room around it, a letter of its id, and what is between two. */
const chipPx = 26;
const charPx = 6.7;
const gapPx = 4;
const morePx = 24;
/** The style sheet knows what to do in these steps, up to the widest; beyond that they are counted, however much room there is. */
const stepPx = 10;
const widestPx = 300;

/** Those who wait for one unit, in the order in which they get it. An id is whole or not there: where there is no room for them, they are counted. */
export function QueueChips({ entries }: { readonly entries: readonly QueueEntry[] }): ReactNode {
  if (entries.length === 0) return <span className="dim">–</span>;
  const shown = entries.slice(0, chipsMax);
  const all = entries.map(({ holder }, at) => `${at + 1} ${holder}`).join(", ");
  return (
    <span className="chips-room">
      <span className="chips" data-needs={toNeed(shown, entries.length > chipsMax)}>
        <span className="chips-count" title={`In this order: ${all}`}>
          {entries.length === 1 ? "1 waits" : `${entries.length} wait`}
        </span>
        {shown.map((entry, at) => (
          <span key={entry.claim} className="chip" title={`${entry.holder} is number ${at + 1} for this unit`}>
            <em>{at + 1}</em>
            <RunLink id={entry.holder} />
          </span>
        ))}
        {entries.length > chipsMax ? <span className="dim chips-more">+{entries.length - chipsMax}</span> : null}
      </span>
    </span>
  );
}

/** The room that they need, in the steps that the style sheet knows. */
function toNeed(entries: readonly QueueEntry[], hasMore: boolean): string {
  const ids = entries.reduce((sum, { holder }) => sum + chipPx + holder.length * charPx, 0);
  const px = ids + gapPx * (entries.length - 1) + (hasMore ? morePx : 0);
  return px > widestPx ? "more" : String(Math.ceil(px / stepPx) * stepPx);
}
