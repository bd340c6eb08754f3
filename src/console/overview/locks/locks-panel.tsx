import { type ReactNode, useMemo } from "react";
import { useLive } from "../../live/live-context.tsx";
import { toCount, toMany } from "../../model/format.ts";
import { toLeaseRows } from "../../model/lease-rows.ts";
import { Button } from "../../parts/button.tsx";
import { Awaited } from "../../parts/awaited.tsx";
import { Panel, Quiet } from "../../parts/panel.tsx";
import { Segmented } from "../../parts/segmented.tsx";
import { useShown } from "../../parts/use-shown.ts";
import { goTo, useAddress } from "../../shell/address.ts";
import { useFoundLocks } from "../../locks/use-locks.ts";
import { useProjectId } from "../use-shown-runs.ts";
import { LeaseRow } from "./lease-row.tsx";
import "./locks.css";

const stepRows = 100;

/** Who holds what: a row for each lease, by unit, with those who wait for it in order. */
export function LocksPanel(): ReactNode {
  const project = useProjectId();
  const { find, units } = useAddress();
  const { locks, isWhole } = useFoundLocks(find);
  const projects = useLive((state) => state.projects);
  const only = units === "contended" ? "contended" : "all";
  const [rowsMax, showMore] = useShown("locks", stepRows);
  const rows = useMemo(() => toLeaseRows(locks, { project, find, only }), [locks, project, find, only]);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const several = new Set(rows.map(({ lease }) => lease.project)).size > 1;
  return (
    <Panel
      name="locks"
      title="Locks"
      meta={`${toMany(rows.length, "unit")}${isWhole ? "" : " and more"}`}
      end={
        <Segmented
          label="Which locks"
          value={only}
          options={[
            ["all", "All"],
            ["contended", "Contended"],
          ]}
          onChange={(next) => goTo({ units: next === "all" ? null : next }, "replace")}
        />
      }
    >
      {rows.length === 0 && !isWhole ? (
        <Awaited what="Reading what is held" />
      ) : rows.length === 0 ? (
        <Quiet title={only === "all" ? "Nothing is held" : "Nobody waits for a unit"}>
          {only === "all"
            ? "A run or a person holds a unit here while it works on it."
            : "When two want one unit, the queue shows here."}
        </Quiet>
      ) : (
        <div className="locks-scroll" role="table" aria-label="Leases by unit" tabIndex={0}>
          <div className="lock th" role="row">
            <span role="columnheader">Unit</span>
            <span role="columnheader">Held by</span>
            <span role="columnheader">Fence</span>
            <span role="columnheader">Until</span>
            <span role="columnheader">Queue</span>
          </div>
          {rows.slice(0, rowsMax).map(({ lease, queue }, at) => (
            <LeaseRow
              key={`${lease.project} ${lease.unit} ${lease.fence}`}
              lease={lease}
              queue={queue}
              projectName={
                several && rows[at - 1]?.lease.project !== lease.project
                  ? (names.get(lease.project) ?? lease.project)
                  : undefined
              }
            />
          ))}
          {rows.length > rowsMax ? (
            <div className="more-row" role="row">
              <span role="cell">
                <Button size="small" onClick={showMore}>
                  {`Show ${Math.min(stepRows, rows.length - rowsMax)} more of ${toCount(rows.length)}`}
                </Button>
              </span>
            </div>
          ) : null}
        </div>
      )}
    </Panel>
  );
}
