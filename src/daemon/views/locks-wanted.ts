// Which leases and waiting claims somebody asks for: all of them, those of a project, those that conflict with a unit, those in which a
// word stands. A unit is looked up where leases stand; nothing else is walked through for it.

import type { Family, Lease, LeaseTable, ProjectLeases, QueuedClaim } from "../../core/lease/lease-state.ts";
import { conflicts, parseUnit, type Unit } from "../../core/lease/unit.ts";
import { protocolError } from "../../protocol/errors.ts";

/** What is left out means any. */
export type LocksWanted = {
  /** By id. */
  readonly project?: string | undefined;
  readonly unit?: string | undefined;
  readonly find?: string | undefined;
};

export type PlacedClaim = { readonly claim: QueuedClaim; readonly position: number };

export function* leasesWanted(table: LeaseTable, wanted: LocksWanted): Iterable<Lease> {
  const sought = soughtIn(wanted);
  for (const lease of wanted.unit === undefined ? everyLease(table, wanted) : leasesAt(table, wanted, wanted.unit))
    if (isSought(sought, [lease.unit], lease.family)) yield lease;
}

/** In the order of each queue, with the place in it. */
export function* claimsWanted(table: LeaseTable, wanted: LocksWanted): Iterable<PlacedClaim> {
  const sought = soughtIn(wanted);
  for (const project of projectsWanted(table, wanted)) {
    for (const [at, claim] of project.queue.entries()) {
      const unit = wanted.unit === undefined ? undefined : mustParse(wanted.unit, project, claim.family.id);
      if (unit !== undefined && !claim.units.some((each) => conflicts(unit, each))) continue;
      if (isSought(sought, claim.units, claim.family)) yield { claim, position: at + 1 };
    }
  }
}

function* everyLease(table: LeaseTable, { project }: LocksWanted): Iterable<Lease> {
  for (const family of table.families.values())
    if (project === undefined || family.project === project) yield* family.leases.values();
}

/** The unit itself and what it lies in come before what is in it. */
function* leasesAt(table: LeaseTable, wanted: LocksWanted, text: string): Iterable<Lease> {
  for (const project of projectsWanted(table, wanted)) {
    const unit = mustParse(text, project, "");
    if (unit.kind === "process" && isOwn(unit, project)) yield* ownProcesses(table, project, text);
    else {
      const found: Lease[] = [];
      project.leases.someConflict(unit, (lease) => found.push(lease) === 0);
      yield* found;
    }
  }
}

/** A process that each family has for itself has as many leases as families. */
function* ownProcesses(table: LeaseTable, project: ProjectLeases, text: string): Iterable<Lease> {
  for (const family of table.families.values()) {
    if (family.project !== project.id) continue;
    const lease = family.leases.get(mustParse(text, project, family.id).id);
    if (lease !== undefined) yield lease;
  }
}

function isOwn({ text }: Unit, { rule }: ProjectLeases): boolean {
  return rule.ownProcesses.has(text.slice(text.indexOf(":") + 1));
}

function* projectsWanted(table: LeaseTable, { project }: LocksWanted): Iterable<ProjectLeases> {
  for (const each of table.projects.values()) if (project === undefined || each.id === project) yield each;
}

function mustParse(text: string, { rule }: ProjectLeases, family: string): Unit {
  const parsed = parseUnit(text, rule, family);
  if (!parsed.ok) throw protocolError("bad-unit", { unit: parsed.refusal.unit, why: parsed.refusal.why });
  return parsed.value;
}

function soughtIn({ find }: LocksWanted): string {
  return find?.trim().toLowerCase() ?? "";
}

function isSought(sought: string, units: readonly Unit[], { holder }: Family): boolean {
  if (sought === "") return true;
  return holder.toLowerCase().includes(sought) || units.some(({ text }) => text.toLowerCase().includes(sought));
}
