import { memo, type ReactNode } from "react";
import type { Lease, QueueEntry } from "../../../protocol/wire/claim.ts";
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
    a.lease === b.lease &&
    a.projectName === b.projectName &&
    a.queue.length === b.queue.length &&
    a.queue.every((entry, at) => entry === b.queue[at]),
);

const words = {
  hold: ["hold", "A finished run keeps it for review; it yields to a claim that is granted by it"],
  paused: ["paused", "Its run is paused and keeps it"],
  landing: ["landing", "It cannot end while its change lands"],
  refreshing: ["coming", "Granted; its paths are brought in step first"],
} as const;

/** When a live lease ends unless it is renewed; else why it does not. */
export function LeaseEnd({ lease }: { readonly lease: Lease }): ReactNode {
  if (lease.state === "quarantined") return <ClearButton lease={lease} />;
  if (lease.state !== "live") {
    const [word, title] = words[lease.state];
    return (
      <span className="lock-word" title={title}>
        {word}
      </span>
    );
  }
  return lease.expiresAtMs === null ? <span className="dim">–</span> : <Until atMs={lease.expiresAtMs} />;
}
