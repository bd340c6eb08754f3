import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from "react";
import { useActs } from "../acts/act-context.tsx";
import { useLive } from "../live/live-context.tsx";
import { bestRow, toUnitRows, type UnitRow } from "../model/unit-tree.ts";
import { WaitsPanel } from "../overview/locks/waits-panel.tsx";
import { useProjectId } from "../overview/use-shown-runs.ts";
import { goTo, useAddress } from "../shell/address.ts";
import type { Bindings } from "../shell/keys.ts";
import { toRunPage } from "../shell/link.tsx";
import { ContentionPanel } from "./contention-panel.tsx";
import { LostPanel } from "./lost-panel.tsx";
import { UnitPanel } from "./unit-panel.tsx";
import { type Only, UnitsPanel } from "./units-panel.tsx";
import { useUnitActs } from "./use-unit-acts.tsx";
import { useUnitPast } from "./use-unit-past.ts";
import { WaitGraph } from "./wait-graph.tsx";
import "./locks-page.css";

const nothingClosed: ReadonlySet<string> = new Set();

/** Who holds what, who waits for whom, and who had it before. */
export function LocksPage(): ReactNode {
  const { find: typed, unit } = useAddress();
  // Whoever types is not held up by a thousand rows.
  const find = useDeferredValue(typed);
  const project = useProjectId();
  const locks = useLive((state) => state.locks);
  const names = useProjectNames();
  const { past, isRead } = useUnitPast();
  const [only, setOnly] = useState<Only>("all");
  const [closed, setClosed] = useState(nothingClosed);
  const rows = useMemo(
    () => toUnitRows(locks, past, names, { project, find, only, closed }),
    [locks, past, names, project, find, only, closed],
  );
  const nameOf = (id: string): string => names.get(id) ?? id;
  const chosen = rows.find((row) => toAddress(row.project, row.unit, names) === unit);
  const row = chosen ?? bestRow(rows, find);
  const select = useCallback(
    (id: string): void => {
      const at = id.indexOf(" ");
      goTo({ unit: toAddress(id.slice(0, at), id.slice(at + 1), names) }, "replace");
    },
    [names],
  );
  const toggle = useCallback((id: string): void => {
    setClosed((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const { actsOf, dialog } = useUnitActs(nameOf);
  const { toasts } = useActs();
  const keysOf = (selected: UnitRow | undefined): Bindings => {
    const bindings: Record<string, Bindings[string]> = {
      U: () => toasts.undoLast(),
      Escape: () => goTo(find === "" ? { run: null, unit: null } : { find: "" }, "replace"),
    };
    if (selected === undefined) return bindings;
    const holder = selected.lease?.holder ?? selected.by?.holder ?? "";
    if (holder.startsWith("r_")) {
      bindings["Enter"] = () => goTo({ run: holder });
      bindings["O"] = () => goTo(toRunPage(holder));
    } else if (selected.isOpen !== null) bindings["Enter"] = () => toggle(selected.id);
    if (selected.isOpen === true) bindings["ArrowLeft"] = () => toggle(selected.id);
    if (selected.isOpen === false) bindings["ArrowRight"] = () => toggle(selected.id);
    for (const act of actsOf(selected)) bindings[act.key] = act.go;
    return bindings;
  };
  return (
    <div className="board locks-place">
      <div className="locks-left">
        <UnitsPanel
          rows={rows}
          past={past}
          isTruncated={locks.truncated}
          only={only}
          onOnly={setOnly}
          selected={row?.id ?? null}
          onSelect={select}
          onToggle={toggle}
          keysOf={keysOf}
          isSought={find !== ""}
        />
        <ContentionPanel past={past} isRead={isRead} project={project} onSelect={select} />
      </div>
      <div className="locks-right">
        <WaitsPanel name="graph" project={project} drawing={<WaitGraph project={project} />} />
        <UnitPanel row={row} past={past} isRead={isRead} acts={row === undefined ? [] : actsOf(row)} />
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

function toAddress(project: string, unit: string, names: ReadonlyMap<string, string>): string {
  return `${names.get(project) ?? project}:${unit}`;
}
