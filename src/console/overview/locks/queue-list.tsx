import type { ReactNode } from "react";
import type { QueueEntry } from "../../../protocol/wire/claim.ts";
import { toCount } from "../../model/format.ts";
import { Button } from "../../parts/button.tsx";
import { useShown } from "../../parts/use-shown.ts";
import { Since, Until } from "../../parts/times.tsx";
import { UnitName } from "../../parts/unit-name.tsx";
import { Priority } from "../../parts/priority.tsx";
import { Holder } from "./holder.tsx";
import { usePlace } from "./place.tsx";

const stepRows = 200;

/** The queue as it stands: place, who, what, and behind whom. */
export function QueueList({ entries }: { readonly entries: readonly QueueEntry[] }): ReactNode {
  const [rowsMax, showMore] = useShown("queue", stepRows);
  return (
    <>
      <ol className="queue">
        {entries.slice(0, rowsMax).map((entry) => (
          <QueueRow key={entry.claim} entry={entry} />
        ))}
      </ol>
      {entries.length > rowsMax ? (
        <div className="more-row">
          <Button size="small" onClick={showMore}>
            {`Show ${Math.min(stepRows, entries.length - rowsMax)} more of ${toCount(entries.length)}`}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function QueueRow({ entry }: { readonly entry: QueueEntry }): ReactNode {
  const [first, ...rest] = entry.units;
  const { place, title } = usePlace({ entry });
  const behind = [...new Set(entry.behind.map(({ holder }) => holder))];
  return (
    <li className="queue-row">
      <span className="chip" title={title}>
        <em>{place}</em>
      </span>
      <div className="queue-who">
        <Holder id={entry.holder} />
        <Priority value={entry.priority} />
        <Since atMs={entry.queuedAtMs} />
      </div>
      <div className="queue-what">
        {first === undefined ? <span className="dim">a slot</span> : <UnitName unit={first} wanted />}
        {rest.length === 0 ? null : (
          <span className="dim" title={rest.join("\n")}>
            +{rest.length}
          </span>
        )}
        <span className="dim">{behind.length === 0 ? "next" : `behind ${behind.slice(0, 3).join(", ")}`}</span>
        {entry.deadlineAtMs === null ? null : (
          <span className="dim">
            gives up in <Until atMs={entry.deadlineAtMs} />
          </span>
        )}
      </div>
    </li>
  );
}
