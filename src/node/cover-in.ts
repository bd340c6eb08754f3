import type { Cover } from "../core/landing/refresh.ts";
import { covers, parseUnit, type Unit } from "../core/lease/unit.ts";
import type { Run } from "../core/run/run-state.ts";
import type { State } from "../core/state.ts";
import { ruleIn } from "./node-guards.ts";

/** How a run holds a path: by the grant that is being made ready, by one from before, or not at all. */
export function coverIn(state: State, run: Run, units: readonly string[]): (path: string) => Cover {
  const family = state.table.families.get(run.family);
  const rule = ruleIn(state, run.project);
  const parse = (text: string): Unit[] => {
    const unit = parseUnit(text, rule, run.family);
    return unit.ok ? [unit.value] : [];
  };
  const fresh = units.flatMap(parse);
  const before = [...(family?.leases.values() ?? [])].filter((lease) => lease.ready).map((lease) => lease.unit);
  return (path) => {
    const [unit] = parse(`file:${path}`);
    if (unit === undefined) return "none";
    if (before.some((each) => covers(each, unit))) return "held";
    return fresh.some((each) => covers(each, unit)) ? "new" : "none";
  };
}

/** Paths that a run has changed and no longer holds (LD33). */
export function carriedIn(state: State, id: string): string[] {
  const run = state.runs.get(id);
  if (run === undefined || run.sub) return [];
  const coverOf = coverIn(state, run, []);
  return [...run.workspace.dirty.keys()].filter((path) => coverOf(path) === "none").toSorted();
}
