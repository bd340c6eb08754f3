import { type ReactNode, useCallback, useDeferredValue, useMemo } from "react";
import type { Locks } from "../../protocol/wire/claim.ts";
import { useLive } from "../live/live-context.tsx";
import { bestRow, toUnitRow, toUnitRows, type UnitRow, withAnswer } from "../model/unit-tree.ts";
import { keyOfUnit } from "../model/unit-past.ts";
import { toUnitAddress } from "../model/units.ts";
import { WaitsPanel } from "../overview/locks/waits-panel.tsx";
import { useProjectId } from "../overview/use-shown-runs.ts";
import { goTo, readAddress, useAddress } from "../shell/address.ts";
import { type Bindings, useKeys } from "../shell/keys.ts";
import { toRunPage } from "../shell/link.tsx";
import { ContentionPanel } from "./contention-panel.tsx";
import { LostPanel } from "./lost-panel.tsx";
import { UnitPanel } from "./unit-panel.tsx";
import { UnitsPanel } from "./units-panel.tsx";
import { useUnitActs } from "./use-unit-acts.tsx";
import { useFoundLocks, useUnitLocks } from "./use-locks.ts";
import { useUnitPast } from "./use-unit-past.ts";
import { WaitGraph } from "./wait-graph.tsx";
import "./locks-page.css";

/** Who holds what, who waits for whom, and who had it before. */
export function LocksPage(): ReactNode {
  const { find: typed, unit, units, folded } = useAddress();
  // Whoever types is not held up by a thousand rows.
  const find = useDeferredValue(typed);
  const project = useProjectId();
  const { locks, isWhole } = useFoundLocks(find);
  const names = useProjectNames();
  const { past, isRead } = useUnitPast();
  const only = units ?? "all";
  // No path has a new line in it. The text stays the same while something else of the address changes.
  const foldedText = folded.join("\n");
  const closed = useMemo(
    () =>
      new Set(
        foldedText
          .split("\n")
          .flatMap((address) => toUnit(address, names) ?? [])
          .map(keyOfUnit),
      ),
    [foldedText, names],
  );
  const read = useMemo(
    () => toUnitRows(locks, past, names, { project, find, only, closed }),
    [locks, past, names, project, find, only, closed],
  );
  const nameOf = (id: string): string => names.get(id) ?? id;
  const chosen = read.find((each) => toAddress(each.project, each.unit, names) === unit);
  const meant = chosen ?? rowOf(unit, names, locks) ?? bestRow(read, find);
  const { value: around, trouble } = useUnitLocks(meant);
  const row = meant === undefined || around === null ? meant : withAnswer(meant, around);
  const rows = useMemo(
    () => (row === undefined ? read : read.map((each) => (each.id === row.id ? row : each))),
    [read, row],
  );
  const select = useCallback(
    (id: string): void => {
      const at = id.indexOf(" ");
      goTo({ unit: toAddress(id.slice(0, at), id.slice(at + 1), names) }, "replace");
    },
    [names],
  );
  const toggle = useCallback(
    (id: string): void => {
      const at = id.indexOf(" ");
      const address = toAddress(id.slice(0, at), id.slice(at + 1), names);
      const { folded: old } = readAddress();
      goTo({ folded: old.includes(address) ? old.filter((each) => each !== address) : [...old, address] }, "replace");
    },
    [names],
  );
  const { actsOf, dialog } = useUnitActs(nameOf);
  // Also for a unit that is in no row, as one that is free: its buttons have the same keys.
  useKeys(() => {
    const bindings: Record<string, Bindings[string]> = {
      Escape: () => goTo(find === "" ? { run: null, unit: null } : { find: "" }, "replace"),
    };
    if (row === undefined) return bindings;
    const holder = row.lease?.holder ?? row.by?.holder ?? "";
    if (holder.startsWith("r_")) {
      bindings["Enter"] = () => goTo({ run: holder });
      bindings["O"] = () => goTo(toRunPage(holder));
    } else if (row.isOpen !== null) bindings["Enter"] = () => toggle(row.id);
    if (row.isOpen === true) bindings["ArrowLeft"] = () => toggle(row.id);
    if (row.isOpen === false) bindings["ArrowRight"] = () => toggle(row.id);
    for (const act of actsOf(row)) bindings[act.key] = act.go;
    return bindings;
  });
  return (
    <div className="board locks-place">
      <div className="locks-left">
        <UnitsPanel
          rows={rows}
          past={past}
          isWhole={isWhole}
          only={only}
          onOnly={(next) => goTo({ units: next === "all" ? null : next }, "replace")}
          selected={row?.id ?? null}
          onSelect={select}
          onToggle={toggle}
          isSought={find !== ""}
        />
        <ContentionPanel past={past} isRead={isRead} project={project} onSelect={select} />
      </div>
      <div className="locks-right">
        <WaitsPanel name="graph" project={project} drawing={<WaitGraph project={project} />} />
        <UnitPanel
          row={row}
          trouble={trouble}
          past={past}
          isRead={isRead}
          acts={row === undefined ? [] : actsOf(row)}
          onClose={() => goTo(unit === null ? { find: "" } : { unit: null }, "replace")}
        />
        <LostPanel lost={past.lost} isRead={isRead} />
      </div>
      {dialog}
    </div>
  );
}

function useProjectNames(): ReadonlyMap<string, string> {
  const projects = useLive((state) => state.projects);
  return useMemo(() => new Map(projects.map(({ id, name }) => [id, name])), [projects]);
}

/** The unit that the address names, though nobody has it, waits for it, or had it lately. */
function rowOf(address: string | null, names: ReadonlyMap<string, string>, locks: Locks): UnitRow | undefined {
  const meant = address === null ? undefined : toUnit(address, names);
  return meant === undefined || !/^(?:file|dir|process):./.test(meant.unit) ? undefined : toUnitRow(locks, meant);
}

function toUnit(
  address: string,
  names: ReadonlyMap<string, string>,
): { readonly project: string; readonly unit: string } | undefined {
  for (const [project, name] of names)
    if (address.startsWith(`${name}:`)) return { project, unit: address.slice(name.length + 1) };
  return undefined;
}

function toAddress(project: string, unit: string, names: ReadonlyMap<string, string>): string {
  return toUnitAddress(names.get(project) ?? project, unit);
}
