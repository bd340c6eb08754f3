// The engine's line to the nodes, for one life of the daemon. It is also the place that knows the fences: it hears of every
// grant before the holder does, and an act has to pass it (LS29).

import type { Act } from "../../src/core/acts.ts";
import type { Logged } from "../../src/core/events.ts";
import { FenceGuard, type GuardAnswer } from "../../src/core/lease/fence-guard.ts";
import { parseUnit } from "../../src/core/lease/unit.ts";
import { ruleOf } from "../../src/core/project/project.ts";
import type { State } from "../../src/core/state.ts";
import type { NodeLink } from "../../src/ports/node-link.ts";
import type { Life } from "./life.ts";
import type { SimBus } from "./sim-bus.ts";
import type { SimNode } from "./sim-node.ts";

export type SimLinkOptions = {
  readonly life: Life;
  readonly bus: SimBus;
  readonly nodes: ReadonlyMap<string, SimNode>;
  /** The place is told of grants and of families that are over, and of nothing else: LS29 asks for no more. */
  readonly isFar: boolean;
  readonly onPrime: (state: State) => void;
  readonly onHear: (events: readonly Logged[]) => void;
  readonly onAct: (act: Act) => void;
};

export class SimLink implements NodeLink {
  readonly #options: SimLinkOptions;
  readonly #guards = new Map<string, FenceGuard>();
  readonly #projects = new Map<string, Parameters<typeof ruleOf>[0]>();
  /** Acts that no node has done yet. A node that starts again is told of them again. */
  readonly #undone = new Map<string, Act>();
  #actsInARow = 0;
  #nextFence = 0;
  #fences: ReadonlySet<number> = new Set();

  constructor(options: SimLinkOptions) {
    this.#options = options;
  }

  prime(state: State): void {
    const { life, onPrime } = this.#options;
    if (life.reach("after-prime")) return;
    onPrime(state);
    for (const project of state.projects.values()) {
      const { foldCase, processes } = project;
      this.#projects.set(project.id, { foldCase, processes });
    }
    const leases = [...state.table.families.values()].flatMap((family) => [...family.leases.values()]);
    this.#nextFence = state.table.nextFence;
    this.#fences = new Set(leases.map((lease) => lease.fence));
    for (const family of state.table.families.values()) {
      const guard = this.#guardOf(family.project);
      for (const lease of family.leases.values()) {
        guard.granted({ unit: lease.unit, family: family.id, fence: lease.fence });
      }
      if (family.life === "over") guard.ended(family.id);
    }
  }

  hear(events: readonly Logged[]): void {
    const { life, onHear, nodes } = this.#options;
    if (!life.alive) return;
    this.#actsInARow = 0;
    onHear(events);
    for (const event of events) {
      this.#learn(event);
      if (!("run" in event) || typeof event.run !== "string") continue;
      const { run } = event;
      if (event.type !== "call.started" && event.type !== "run.moved") continue;
      for (const node of nodes.values()) this.#options.bus.carry(() => node.nudge(run));
    }
  }

  perform(act: Act): void {
    const { life, bus, nodes, onAct } = this.#options;
    if (life.reach("before-acts")) return;
    if (this.#actsInARow++ > 0 && life.reach("between-acts")) return;
    onAct(act);
    const node = nodes.get(act.node);
    if (node === undefined) return;
    this.#undone.set(act.type === "drive" ? `drive:${act.run}` : act.id, act);
    bus.carrySurely(() => node.perform(act));
  }

  /** A node has started again: what it was asked for and has not done, it is asked again. */
  repeat(node: SimNode): void {
    for (const act of this.#undone.values()) {
      if (act.node === node.name) this.#options.bus.carrySurely(() => node.perform(act));
    }
  }

  done(act: Act): void {
    this.#undone.delete(act.id);
  }

  /** Whether an act may happen, as far as this place knows. */
  check(project: string, act: { readonly family: string; readonly fence: number; readonly unit: string }): GuardAnswer {
    const rule = ruleOf(this.#projects.get(project) ?? { foldCase: false, processes: {} });
    const unit = parseUnit(act.unit, rule, act.family);
    if (!unit.ok) return "stale-fence";
    return this.#guardOf(project).check({ family: act.family, fence: act.fence, unit: unit.value });
  }

  #learn(event: Logged): void {
    if (event.type === "project.added" || event.type === "project.changed") {
      this.#projects.set(event.project, { foldCase: event.foldCase, processes: event.processes });
    } else if (event.type === "lease.granted") {
      const rule = ruleOf(this.#projects.get(event.project) ?? { foldCase: false, processes: {} });
      event.units.forEach((text, at) => {
        const unit = parseUnit(text, rule, event.family);
        const fence = event.fences[at];
        if (unit.ok && fence !== undefined)
          this.#guardOf(event.project).granted({ unit: unit.value, family: event.family, fence });
      });
    } else if (!this.#options.isFar && (event.type === "lease.released" || event.type === "lease.yielded")) {
      for (const [id, guard] of this.#guards) {
        const rule = ruleOf(this.#projects.get(id) ?? { foldCase: false, processes: {} });
        for (const text of event.units) {
          const unit = parseUnit(text, rule, event.family);
          if (unit.ok) guard.givenBack({ family: event.family, unit: unit.value });
        }
      }
    } else if (event.type === "family.ended") {
      for (const guard of this.#guards.values()) guard.ended(event.family);
    } else if (event.type === "run.stopped") {
      this.#undone.delete(`drive:${event.run}`);
    }
  }

  #guardOf(project: string): FenceGuard {
    const known = this.#guards.get(project);
    if (known !== undefined) return known;
    const guard = new FenceGuard();
    if (!this.#options.isFar) guard.primed(this.#nextFence, this.#fences);
    this.#guards.set(project, guard);
    return guard;
  }
}
