import { type ReactNode, useMemo } from "react";
import type { Lease } from "../../protocol/wire/claim.ts";
import { useBox, useLive } from "../live/live-context.tsx";
import { howToFree } from "../model/free-unit.ts";
import { toMany, toSpan } from "../model/format.ts";
import type { Stay, UnitPast } from "../model/unit-past.ts";
import type { UnitRow } from "../model/unit-tree.ts";
import { splitUnit } from "../model/units.ts";
import { Awaited } from "../parts/awaited.tsx";
import { Button, IconButton } from "../parts/button.tsx";
import { CopyButton } from "../parts/command.tsx";
import { Panel, Quiet } from "../parts/panel.tsx";
import { Ago, Since } from "../parts/times.tsx";
import { HoldEnd } from "../parts/hold-end.tsx";
import { LeaseEnd } from "../overview/locks/lease-row.tsx";
import { Holder } from "../overview/locks/holder.tsx";
import { Occupancy } from "./occupancy.tsx";
import type { UnitAct } from "./use-unit-acts.tsx";

const spanMs = 3_600_000;
const rowsMax = 12;

/** One unit: who has it now, what can be done, and who had it before. */
export function UnitPanel(props: {
  readonly row: UnitRow | undefined;
  /** Why the daemon did not say who holds it. */
  readonly trouble: string | null;
  readonly past: UnitPast;
  readonly isRead: boolean;
  readonly acts: readonly UnitAct[];
  readonly onClose: () => void;
}): ReactNode {
  const { row, trouble, past, isRead, acts, onClose } = props;
  const stays = useMemo(() => (row === undefined ? [] : withLease(row, past.stays.get(row.id) ?? [])), [row, past]);
  if (row === undefined || row.unit === "") {
    return (
      <Panel name="unit" title="A unit">
        <Quiet title="Choose a unit">
          Its holder, its queue and who had it before show here. A part of its path in the field above finds it.
        </Quiet>
      </Panel>
    );
  }
  const held = stays.filter(({ is }) => is === "held").toReversed();
  return (
    <Panel
      name="unit"
      title={toTitle(row.unit)}
      end={
        <>
          <CopyButton text={row.unit} label="Copy the unit" />
          {acts.map((act) => (
            <Button key={act.name} size="small" look={act.look} hotkey={act.key} onClick={act.go}>
              {act.label}
            </Button>
          ))}
          <IconButton icon="close" label="Close the unit" size="small" hotkey="Escape" onClick={onClose} />
        </>
      }
    >
      <div className="unit-now" data-unit-now={row.unit}>
        <Now row={row} trouble={trouble} />
        <HowToFree holder={row.lease ?? row.by} />
        {stays.length === 0 ? null : <Occupancy stays={stays} spanMs={spanMs} />}
      </div>
      {held.length === 0 && !isRead ? (
        <Awaited what="Reading the log" />
      ) : held.length === 0 ? (
        <Quiet title="Nobody has held it, as far as the log was read" />
      ) : (
        <div className="unit-past" tabIndex={0} role="table" aria-label={`Who has held ${row.unit}`}>
          <div className="past-row th" role="row">
            {["From", "By", "Held", "Waited", "Ended"].map((name) => (
              <span key={name} role="columnheader">
                {name}
              </span>
            ))}
          </div>
          {held.slice(0, rowsMax).map((stay) => (
            <PastRow key={`${stay.claim} ${stay.fromMs}`} stay={stay} waited={waitOf(stays, stay)} />
          ))}
          {held.length > rowsMax ? <p className="more-row">and {held.length - rowsMax} before that</p> : null}
        </div>
      )}
    </Panel>
  );
}

function Now({ row, trouble }: { readonly row: UnitRow; readonly trouble: string | null }): ReactNode {
  const { lease, by, queue } = row;
  const holder = lease ?? by;
  if (holder === null) return <p className="a-rest">{withoutHolder(row, trouble)}</p>;
  return (
    <p>
      <Holder id={holder.holder} />
      <span>
        {lease === null ? `holds it by ${holder.unit}` : "holds it"} for <Since atMs={holder.grantedAtMs} />
      </span>
      {queue.length === 0 ? (
        <span className="dim">
          until <LeaseEnd lease={holder} />
        </span>
      ) : (
        <span className="a-wait">
          {queue.length === 1 ? "1 waits" : `${queue.length} wait`}
          <HoldEnd of={holder.holder} />
        </span>
      )}
    </p>
  );
}

function HowToFree({ holder }: { readonly holder: Lease | null }): ReactNode {
  const run = useLive((state) => state.runs.get(holder?.holder ?? ""));
  return run === undefined || holder?.state === "quarantined" ? null : <p className="dim">{howToFree(run)}</p>;
}

/** What was not read is never said to be free. */
function withoutHolder({ heldBelow, isRead }: UnitRow, trouble: string | null): string {
  if (heldBelow > 0) {
    const held = `${toMany(heldBelow, "unit")} in it ${heldBelow === 1 ? "is" : "are"} held`;
    return isRead ? `${held}.` : `At least ${held}.`;
  }
  if (isRead) return "It is free.";
  return trouble === null ? "Who holds it is being asked for …" : `Who holds it could not be read: ${trouble}`;
}

function PastRow({ stay, waited }: { readonly stay: Stay; readonly waited: number | null }): ReactNode {
  const { clock } = useBox().store;
  return (
    <div className="past-row" role="row" data-past={stay.holder}>
      <span role="cell">
        <Ago atMs={stay.fromMs} />
      </span>
      <span role="cell">
        <Holder id={stay.holder} />
      </span>
      <span role="cell" className="num">
        {stay.toMs === null ? <Since atMs={stay.fromMs} /> : toSpan(stay.toMs - stay.fromMs)}
      </span>
      <span role="cell" className={waited === null ? "dim" : "a-wait num"}>
        {waited === null ? "–" : toSpan(waited)}
      </span>
      <span
        role="cell"
        className="dim"
        title={stay.toMs === null ? undefined : new Date(clock.toWallMs(stay.toMs)).toISOString()}
      >
        {stay.end ?? `holds it${stay.fence === null ? "" : `, #${stay.fence}`}`}
      </span>
    </div>
  );
}

/** Its path as one writes it; what is no path keeps its kind. */
function toTitle(unit: string): string {
  const { kind, folder, name } = splitUnit(unit);
  return kind === "process" ? unit : `${folder}${name}`;
}

/** How long it had been waited for with the claim that was then granted. */
function waitOf(stays: readonly Stay[], { claim }: Stay): number | null {
  const wait = stays.find((stay) => stay.is === "waited" && stay.claim === claim && stay.toMs !== null);
  return wait === undefined || wait.toMs === null ? null : wait.toMs - wait.fromMs;
}

/** A lease that is older than what was read of the log is known all the same. */
function withLease(row: UnitRow, stays: readonly Stay[]): readonly Stay[] {
  const { lease } = row;
  if (lease === null || stays.some((stay) => stay.is === "held" && stay.toMs === null)) return stays;
  const { project, unit, holder, claim, fence, grantedAtMs } = lease;
  return [...stays, { is: "held", project, unit, holder, claim, fence, fromMs: grantedAtMs, toMs: null, end: null }];
}
