// Who may act on what, as far as this node has heard: grants reach it before their holders do, so an act under an old fence
// is refused right where it would happen (LS29).

import type { Logged } from "../core/events.ts";
import { FenceGuard } from "../core/lease/fence-guard.ts";
import { parseUnit, type UnitRule } from "../core/lease/unit.ts";
import type { State } from "../core/state.ts";
import type { FencedAct } from "./tool-host/call-ground.ts";

/** For a project that the table does not know. */
const plainRule: UnitRule = { foldCase: false, ownProcesses: new Set() };

export class NodeGuards {
  readonly #guards = new Map<string, FenceGuard>();

  prime(state: State): void {
    const held = new Set<number>();
    for (const family of state.table.families.values()) {
      const guard = this.#guardOf(family.project);
      if (family.life === "over") guard.ended(family.id);
      for (const lease of family.leases.values()) {
        const seen = { unit: lease.unit, family: family.id, fence: lease.fence };
        guard.granted(seen, { mayAct: family.kind === "run" });
        held.add(lease.fence);
      }
    }
    for (const guard of this.#guards.values()) guard.primed(state.table.nextFence, held);
  }

  hear(event: Logged, state: State): void {
    if (event.type === "lease.granted") this.#hearGrant(event, state);
    else if (event.type === "lease.released" || event.type === "lease.yielded")
      this.#hearGivenBack(event.family, event.units, state);
    else if (event.type === "lease.shrunk") this.#hearGivenBack(event.family, event.gone, state);
    else if (event.type === "family.ended") this.#guardOfFamily(event.family, state)?.ended(event.family);
  }

  check(project: string, act: FencedAct, state: State): ReturnType<FenceGuard["check"]> {
    const unit = parseUnit(act.unit, ruleIn(state, project), act.family);
    if (!unit.ok) return "stale-fence";
    return this.#guardOf(project).check({ family: act.family, fence: act.fence, unit: unit.value });
  }

  #hearGrant(event: Extract<Logged, { type: "lease.granted" }>, state: State): void {
    const { project, family } = event;
    const guard = this.#guardOf(project);
    const rule = ruleIn(state, project);
    const mayAct = this.#guardOfFamily(family, state) !== undefined;
    event.units.forEach((text, at) => {
      const unit = parseUnit(text, rule, family);
      if (unit.ok) guard.granted({ unit: unit.value, family, fence: event.fences[at] ?? 0 }, { mayAct });
    });
  }

  #hearGivenBack(id: string, units: readonly string[], state: State): void {
    const family = state.table.families.get(id);
    const guard = this.#guardOfFamily(id, state);
    if (family === undefined || guard === undefined) return;
    for (const text of units) {
      const unit = parseUnit(text, ruleIn(state, family.project), id);
      if (unit.ok) guard.givenBack({ family: id, unit: unit.value });
    }
  }

  /** The guard that has to know what becomes of a run's leases. People outside never act here, so they are not noted. */
  #guardOfFamily(id: string, state: State): FenceGuard | undefined {
    const family = state.table.families.get(id);
    return family?.kind === "run" ? this.#guardOf(family.project) : undefined;
  }

  #guardOf(project: string): FenceGuard {
    let guard = this.#guards.get(project);
    if (guard === undefined) this.#guards.set(project, (guard = new FenceGuard()));
    return guard;
  }
}

/** The very rule that the table has: what was read under it is remembered. */
export function ruleIn(state: State, project: string): UnitRule {
  return state.table.projects.get(project)?.rule ?? plainRule;
}
