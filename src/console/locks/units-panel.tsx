import { createContext, type CSSProperties, type ReactNode, useContext, useMemo } from "react";
import type { UnitRow } from "../model/unit-tree.ts";
import type { Stay, UnitPast } from "../model/unit-past.ts";
import { LeaseEnd } from "../overview/locks/lease-row.tsx";
import { Holder } from "../overview/locks/holder.tsx";
import { QueueChips } from "../overview/locks/queue-chips.tsx";
import { toCount, toMany } from "../model/format.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Icon } from "../parts/icon.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Segmented } from "../parts/segmented.tsx";
import { Since } from "../parts/times.tsx";
import { VirtualTable } from "../parts/virtual-table.tsx";
import { Occupancy } from "./occupancy.tsx";

const rowPx = { wide: 28, narrow: 60 } as const;
const hourMs = 3_600_000;
const columns = ["Unit", "Held by", "Fence", "For", "Until", "Last hour", "Queue"] as const;

type Only = "all" | "held" | "contended";

type Tools = { readonly past: UnitPast; readonly toggle: (id: string) => void };

/** What all rows need and none of them has. */
const ToolsContext = createContext<Tools | null>(null);

/** Every unit that is held, wanted or was held not long ago, as the tree of its project. */
export function UnitsPanel(props: {
  readonly rows: readonly UnitRow[];
  readonly past: UnitPast;
  /** Whether everything was read that these rows could have. */
  readonly isWhole: boolean;
  readonly only: Only;
  readonly onOnly: (only: Only) => void;
  readonly selected: string | null;
  readonly onSelect: (id: string) => void;
  readonly onToggle: (id: string) => void;
  readonly isSought: boolean;
}): ReactNode {
  const { rows, past, isWhole, only, onOnly, selected, onSelect, onToggle, isSought } = props;
  const tools = useMemo(() => ({ past, toggle: onToggle }), [past, onToggle]);
  const held = rows.filter(({ lease }) => lease !== null).length;
  return (
    <Panel
      name="units"
      title="Units"
      meta={`${toMany(held, "unit")} held${isWhole ? "" : ", and more"}`}
      end={
        <>
          <span className="occ-key" aria-hidden="true">
            <i className="occ-held" /> held <i className="occ-waited" /> waited for
          </span>
          <Segmented
            label="Which units"
            value={only}
            options={[
              ["all", "All"],
              ["held", "Held"],
              ["contended", "Contended"],
            ]}
            onChange={onOnly}
          />
        </>
      }
    >
      {rows.length === 0 ? (
        <NoUnits only={only} isSought={isSought} isWhole={isWhole} />
      ) : (
        <ToolsContext value={tools}>
          <VirtualTable
            label="Units by path"
            look="unit-row"
            columns={columns}
            rows={rows}
            rowPx={rowPx}
            cells={UnitCells}
            idOf={idOf}
            dataOf={dataOf}
            selected={selected}
            onSelect={onSelect}
          />
        </ToolsContext>
      )}
    </Panel>
  );
}

function NoUnits(props: { readonly only: Only; readonly isSought: boolean; readonly isWhole: boolean }): ReactNode {
  const { only, isSought, isWhole } = props;
  if (isSought && !isWhole) return <Awaited what="Reading what is held" />;
  if (isSought)
    return (
      <Quiet title="Nothing like this is held">
        No unit of this name is held, waited for, or was so lately. A folder around it may be: a whole path in Ctrl K
        says that, too.
      </Quiet>
    );
  if (only === "contended")
    return <Quiet title="Nobody waits for a unit">When two want one unit, the queue shows here.</Quiet>;
  return <Quiet title="Nothing is held">A run or a person holds a unit here while it works on it.</Quiet>;
}

function idOf({ id }: UnitRow): string {
  return id;
}

function dataOf({ unit, queue, lease, by, isRead }: UnitRow): Readonly<Record<`data-${string}`, string>> {
  const heat = queue.length > 0 ? "hot" : lease !== null || by !== null ? "held" : isRead ? "free" : "unread";
  return { "data-unit": unit, "data-heat": heat };
}

const kinds = { file: "file", dir: "folder", process: "process", project: "project" } as const;

function UnitCells({ row }: { readonly row: UnitRow }): ReactNode {
  const tools = useContext(ToolsContext);
  const { id, unit, kind, name, depth, lease, by, queue, heldBelow, isOpen } = row;
  const deep = { "--depth": depth } as CSSProperties;
  const stays = tools?.past.stays.get(id) ?? [];
  return (
    <>
      <span role="cell" className="u-name" style={deep} title={unit}>
        {isOpen === null ? (
          <span className="u-twist" />
        ) : (
          <button
            type="button"
            className={isOpen ? "u-twist open" : "u-twist"}
            aria-expanded={isOpen}
            aria-label={`What is in ${name}`}
            tabIndex={-1}
            onClick={() => tools?.toggle(id)}
          >
            <Icon name="next" />
          </button>
        )}
        <Icon name={kind} />
        <span className="sr">{kinds[kind]} </span>
        <b>{name}</b>
        {isOpen === false && heldBelow > 0 ? <span className="dim num">{heldBelow} held</span> : null}
      </span>
      <span role="cell" className="u-holder" style={deep}>
        {lease !== null ? (
          <Holder id={lease.holder} />
        ) : by !== null ? (
          <span className="dim" title={by.unit}>
            by {by.unit}
          </span>
        ) : (
          <WithoutHolder row={row} stays={stays} />
        )}
      </span>
      <span role="cell" className="u-fence" title="Fence: every act on the unit carries it">
        {lease === null ? "" : `#${lease.fence}`}
      </span>
      <span role="cell" className="u-for">
        {lease === null ? null : <Since atMs={lease.grantedAtMs} />}
      </span>
      <span role="cell" className="u-end">
        {lease === null ? null : <LeaseEnd lease={lease} />}
      </span>
      <span role="cell" className="u-hour">
        {stays.length === 0 ? null : <Occupancy stays={stays} spanMs={hourMs} />}
      </span>
      <span role="cell" className="u-queue">
        <QueueChips entries={queue} />
      </span>
    </>
  );
}

/** What was not read is never said to be free: of very many leases only the first are on the page, and the log knows of others. */
function WithoutHolder(props: { readonly row: UnitRow; readonly stays: readonly Stay[] }): ReactNode {
  const { unit, heldBelow, isRead, queue } = props.row;
  const holder = isRead ? undefined : props.stays.findLast(({ is, toMs }) => is === "held" && toMs === null)?.holder;
  if (holder !== undefined) return <Holder id={holder} />;
  if (heldBelow > 0)
    return <span className="dim">{`${toCount(heldBelow)}${isRead ? "" : " or more"} held in it`}</span>;
  if (!isRead || unit === "") return <span className="dim">{isRead ? "nothing is held" : "not read"}</span>;
  const sinceMs = props.stays.findLast(({ is }) => is === "held")?.toMs ?? null;
  return (
    <span className="dim">
      {queue.length > 0 ? "free, wanted" : "free"}
      {sinceMs === null ? null : (
        <>
          {" "}
          for <Since atMs={sinceMs} />
        </>
      )}
    </span>
  );
}
