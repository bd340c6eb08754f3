import { memo, type ReactNode } from "react";
import type { Lease, QueueEntry } from "../../../protocol/wire/claim.ts";
import { toLeaseEnd } from "../../../protocol/lease-end.ts";
import { Until } from "../../parts/times.tsx";
import { UnitName } from "../../parts/unit-name.tsx";
import { ClearButton } from "./clear-button.tsx";
import { Holder } from "./holder.tsx";
import { QueueChips } from "./queue-chips.tsx";

export const LeaseRow = memo(
  function LeaseRow(props: {
    readonly lease: Lease;
    readonly queue: readonly QueueEntry[];
    /** Set on the first row of a project, where several are shown. */
    readonly projectName: string | undefined;
  }): ReactNode {
    const { lease, queue, projectName } = props;
    return (
      <>
        {projectName === undefined ? null : (
          <div className="lock-project" role="row">
            <span role="cell">{projectName}</span>
          </div>
        )}
        <div className={queue.length > 0 ? "lock hot" : "lock"} role="row" data-lease={lease.unit}>
          <span role="cell" className="lock-unit">
            <UnitName unit={lease.unit} />
          </span>
          <span role="cell" className="lock-holder">
            <Holder id={lease.holder} />
          </span>
          <span role="cell" className="lock-fence" title="Fence: every act on the unit carries it">
            #{lease.fence}
          </span>
          <span role="cell" className="lock-end">
            <LeaseEnd lease={lease} />
          </span>
          <span role="cell" className="lock-queue">
            <QueueChips entries={queue} />
          </span>
        </div>
      </>
    );
  },
  (a, b) =>
    isSameRow(a.lease, b.lease) &&
    a.projectName === b.projectName &&
    a.queue.length === b.queue.length &&
    a.queue.every((entry, at) => entry === b.queue[at]),
);

/** Renewed ones are other leases, of which mostly nothing else is to be seen. */
function isSameRow(a: Lease, b: Lease): boolean {
  if (a === b) return true;
  const [endA, endB] = [toLeaseEnd(a), toLeaseEnd(b)];
  return (
    (["unit", "project", "fence", "holder", "state", "yieldsAtMs"] as const).every((field) => a[field] === b[field]) &&
    (["word", "atMs", "why"] as const).every((field) => endA[field] === endB[field])
  );
}

/** Until when it is held, as far as that can be said. */
export function LeaseEnd({ lease }: { readonly lease: Lease }): ReactNode {
  if (lease.state === "quarantined") return <ClearButton lease={lease} />;
  const { word, atMs, why } = toLeaseEnd(lease);
  return (
    <span className={lease.yieldsAtMs === null ? "lock-word" : "lock-word a-wait"} title={why}>
      {word}
      {atMs === null ? null : (
        <>
          {" "}
          <Until atMs={atMs} />
        </>
      )}
    </span>
  );
}
