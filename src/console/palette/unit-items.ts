// Units in the palette: those that somebody holds or waits for, and any path that is typed, for whoever wants to know that it is free.

import type { Locks } from "../../protocol/wire/claim.ts";
import type { LiveState } from "../live/live-state.ts";
import { toShell } from "../model/shell-text.ts";
import { toUnitRow } from "../model/unit-tree.ts";
import { toUnitAddress } from "../model/units.ts";
import type { PaletteItem } from "./palette-item.ts";

/** Of so many projects a path is offered that nobody holds. */
const projectsMax = 5;

/** Each leads to who has it, who waits, and who had it before. */
export function unitItems({ locks, projects }: LiveState): PaletteItem[] {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const items = new Map<string, PaletteItem>();
  const add = (project: string, unit: string, detail: string): void => {
    const name = names.get(project) ?? project;
    items.set(`${name}:${unit}`, toItem(name, unit, detail));
  };
  for (const { project, units } of locks.queue) for (const unit of units) add(project, unit, "waited for");
  for (const { project, unit, holder } of locks.leases) add(project, unit, `held by ${holder}`);
  return [...items.values()];
}

/** What was typed, as a path of each project, where it looks like one and nobody has just that. */
export function freeUnitItems(state: LiveState, typed: string): PaletteItem[] {
  const unit = toUnit(typed);
  if (unit === null) return [];
  const known = new Set(unitItems(state).map(({ id }) => id));
  return state.projects
    .slice(0, projectsMax)
    .map(({ id, name }) => toItem(name, unit, howFree(state.locks, { project: id, unit })))
    .filter(({ id }) => !known.has(id));
}

/** What it lies in, or what is in it, may be held; and of very many leases not all were read. */
function howFree(locks: Locks, which: { readonly project: string; readonly unit: string }): string {
  const { by, heldBelow, isRead } = toUnitRow(locks, which);
  if (by !== null) return `held by ${by.holder}, with ${by.unit}`;
  if (heldBelow > 0) return `${heldBelow}${isRead ? "" : " or more"} held in it`;
  return isRead ? "held by nobody" : "not read yet";
}

/** Null for what is no path: a word may be anything. */
export function toUnit(written: string): string | null {
  const typed = written.trim();
  if (/^(?:file|dir|process):./.test(typed)) return typed;
  if (!/^[^\s:]*[^\s:./][./][^\s:]*$/.test(typed)) return null;
  return typed.endsWith("/") ? `dir:${typed.slice(0, -1)}` : `file:${typed.replace(/^\.\//, "")}`;
}

function toItem(project: string, unit: string, detail: string): PaletteItem {
  return {
    ...{ id: `unit ${project}:${unit}`, kind: "Unit", icon: "held", title: unit, detail: `${detail} · ${project}` },
    command: `signalbox events -n 100 --unit ${toShell(unit)} --project ${toShell(project)}`,
    deed: { is: "go", to: { place: "locks", unit: toUnitAddress(project, unit), find: "" } },
  };
}
