import type { ReactNode } from "react";
import type { Run } from "../../protocol/wire/run.ts";
import { useLive } from "../live/live-context.tsx";
import { toOrdinal } from "../model/format.ts";
import { toLimit } from "../model/limits.ts";
import { entryOf, queueOf } from "../model/queues.ts";
import { QueueChips } from "../overview/locks/queue-chips.tsx";
import { Icon } from "../parts/icon.tsx";
import { Since } from "../parts/times.tsx";
import { UnitName } from "../parts/unit-name.tsx";
import { RunLink } from "../shell/link.tsx";

/** What it waits for and behind whom, then what it holds and who waits for that. */
export function RunUnits({ run }: { readonly run: Run }): ReactNode {
  const locks = useLive((state) => state.locks);
  const entry = entryOf(locks, run);
  return (
    <>
      {entry === undefined && run.behind.length === 0 && run.waitsFor === null && run.waitsForAgent === null ? null : (
        <div className="sheet-part">
          <h3 className="a-wait">
            <Icon name="clock" /> Waits{" "}
            {entry === undefined ? null : (
              <>
                {toOrdinal(entry.position)} in the queue, for <Since atMs={entry.queuedAtMs} />
              </>
            )}
          </h3>
          <ul className="unit-list">
            {entry?.units.map((unit) => (
              <li key={unit}>
                <UnitName unit={unit} wanted />
                <Obstacles holders={entry.behind.filter((each) => each.unit === unit).map(({ holder }) => holder)} />
              </li>
            ))}
          </ul>
          {run.waitsFor === null ? null : <p>for room under {toLimit(run.waitsFor)}</p>}
          {run.waitsForAgent === null ? null : <p>for agent {run.waitsForAgent.agent}</p>}
          {entry === undefined && run.behind.length > 0 ? (
            <p>
              behind <Obstacles holders={run.behind} />
            </p>
          ) : null}
        </div>
      )}
      <div className="sheet-part">
        <h3>
          <Icon name="held" /> Holds {run.holds.length === 0 ? "nothing" : run.holds.length}
        </h3>
        <ul className="unit-list">
          {run.holds.map((unit) => {
            const queue = queueOf(locks, { unit, project: run.project });
            return (
              <li key={unit}>
                <UnitName unit={unit} />
                {queue.length === 0 ? null : <QueueChips entries={queue} />}
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
}

function Obstacles({ holders }: { readonly holders: readonly string[] }): ReactNode {
  const unique = [...new Set(holders)];
  if (unique.length === 0) return <span className="dim">free</span>;
  return (
    <span className="obstacles">
      {unique.map((holder) => (
        <RunLink key={holder} id={holder} />
      ))}
    </span>
  );
}
