import type { ReactNode } from "react";
import type { Run } from "../../../protocol/wire/run.ts";
import { useLive } from "../../live/live-context.tsx";
import { toOrdinal } from "../../model/format.ts";
import { toLimit } from "../../model/limits.ts";
import { toReason } from "../../model/reason.ts";
import { isOver } from "../../model/signals.ts";
import { entryOf, placeFor } from "../../model/queues.ts";
import { Icon } from "../../parts/icon.tsx";
import { UnitName } from "../../parts/unit-name.tsx";

/** What a run waits for, and behind whom; else what it holds; else why it is where it is. */
export function RunWords({ run }: { readonly run: Run }): ReactNode {
  const entry = useLive((state) => entryOf(state.locks, run));
  const unit = entry?.behind[0]?.unit ?? entry?.units[0];
  const place = useLive(({ locks }) =>
    entry === undefined || unit === undefined ? undefined : placeFor(locks, entry, unit),
  );
  if (run.behind.length > 0 || (entry !== undefined && entry.behind.length > 0)) {
    return (
      <>
        <span className="a-wait waits">
          <Icon name="clock" />
          <span className="sr">waits for </span>
        </span>
        {unit === undefined ? null : <UnitName unit={unit} wanted />}
        <span className="words-more">
          {place === undefined ? "" : `${toOrdinal(place)}, `}
          {run.behind.length === 0 ? "" : `after ${listHolders(run.behind)}`}
        </span>
      </>
    );
  }
  const [first, ...rest] = run.holds;
  if (first !== undefined) {
    return (
      <>
        <Icon name="held" />
        <span className="sr">holds </span>
        <UnitName unit={first} />
        {rest.length === 0 ? null : (
          <span className="words-more" title={rest.join("\n")}>
            +{rest.length}
          </span>
        )}
      </>
    );
  }
  const words = toWords(run, entry !== undefined);
  return (
    <span className="words-more" title={words}>
      {words}
    </span>
  );
}

function toWords(run: Run, waits: boolean): string {
  if (run.because !== null && run.because !== "") return toReason(run.because);
  if (run.state === "queued" && run.dependsOn.length > 0) return `after ${listHolders(run.dependsOn)}`;
  if (run.waitsFor !== null) return `waits for room under ${toLimit(run.waitsFor)}`;
  if (run.waitsForAgent !== null) return `waits for agent ${run.waitsForAgent.agent}`;
  if (!isOver(run.state) && (waits || run.state === "queued" || run.state === "parked")) return "waits for a free slot";
  return isOver(run.state) ? "" : "holds nothing";
}

function listHolders(holders: readonly string[]): string {
  const [first = "", ...rest] = holders;
  return rest.length === 0 ? first : `${first} +${rest.length}`;
}
