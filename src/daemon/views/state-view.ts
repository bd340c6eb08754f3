// Everything at once, short enough to be read whole: one durable state, and the machine as it is now.

import { dayAt, poolsOf } from "../../core/budget/budgets.ts";
import { isOver } from "../../core/run/run-states.ts";
import type { State } from "../../core/state.ts";
import { compareIds } from "../../core/step.ts";
import type { AgentView } from "../../protocol/wire/agent.ts";
import { type NodeState, type StateDocument, stateLimits } from "../../protocol/wire/state.ts";
import { toAgentViews } from "./agent-view.ts";
import { toLocks } from "./claim-view.ts";
import { type Besides, toInbox } from "./inbox-view.ts";
import { toRun } from "./run-view.ts";
import { type Noted, openTerminals, terminalsIn, useIn } from "./state-use.ts";

const { itemsMax, servicesMax, portsMax, facesMax, unitsMax, inboxMax, textCharsMax } = stateLimits;

export type StateFacts = {
  readonly nowMs: number;
  readonly version: string;
  readonly nodes: readonly NodeState[];
  readonly faces: Parameters<typeof toAgentViews>[2];
  /** What is foreseen; nothing of the past. */
  readonly besides?: Besides;
  /** What was noted of agents and their terminals; nothing of the past. */
  readonly noted?: Noted;
};

export function toStateDocument(state: State, facts: StateFacts): StateDocument {
  const { nowMs, version, nodes, faces, besides, noted } = facts;
  const open = openTerminals(state);
  const locks = toLocks(state, { limit: itemsMax }, nowMs);
  const { leases, waiting } = countLocks(state);
  return {
    ...{ v: 1, seq: state.seq, nowMs, wallOffsetMs: state.wallOffsetMs, version, nodes: [...nodes] },
    projects: projectsOf(state),
    runs: runsOf(state),
    agents: some(toAgentViews(state, { project: undefined, archived: false }, faces).toReversed(), itemsMax, (view) => {
      const agent = state.agents.get(view.id);
      const use = agent === undefined || noted === undefined ? null : useIn(state, agent, noted);
      return { ...toAgent(view), use, terminals: terminalsIn(open.get(view.id) ?? [], noted) };
    }),
    archived: archivedOf(state),
    leases: {
      total: leases,
      items: locks.leases.map(({ unit, project, holder, state: is, expiresAtMs }) => {
        return { unit, project, holder, state: is, expiresAtMs };
      }),
    },
    waiting: {
      total: waiting,
      items: locks.queue.map(({ claim, project, holder, position, units, behind }) => ({
        ...{ claim, project, holder, position, units: some(units, unitsMax, (unit) => unit) },
        behind: [...new Set(behind.map((each) => each.holder))].slice(0, unitsMax),
      })),
    },
    inbox: inboxOf(state, nowMs, besides),
    budgets: budgetsOf(state, nowMs),
  };
}

function some<Item, Shown>(
  all: readonly Item[],
  max: number,
  show: (item: Item) => Shown,
): { total: number; items: Shown[] } {
  return { total: all.length, items: all.slice(0, max).map(show) };
}

function projectsOf(state: State): StateDocument["projects"] {
  const count = (owners: Iterable<{ readonly project: string }>, id: string): number =>
    [...owners].filter(({ project }) => project === id).length;
  const living = [...state.runs.values()].filter((run) => !isOver(run.state));
  const projects = [...state.projects.values()].filter((project) => !project.removed);
  return some(projects, itemsMax, ({ id, name, root, source, notPublished }) => ({
    ...{ id, name, root, branch: source.branch, published: notPublished === null },
    ...{ runs: count(living, id), agents: count(state.agents.values(), id) },
  }));
}

function runsOf(state: State): StateDocument["runs"] {
  const all = [...state.runs.values()];
  const living = all.filter((run) => !isOver(run.state)).toSorted((a, b) => compareIds(b.id, a.id));
  const shown = some(living, itemsMax, (each) => {
    const {
      id,
      project,
      title,
      runner,
      state: is,
      because,
      sinceMs,
      parent,
      holds,
      behind,
      question,
      spend,
    } = toRun(state, each);
    return {
      ...{ id, project, title: cut(title), runner, state: is, because: cutOrNull(because), sinceMs, parent },
      ...{ holds: holds.length, waitsFor: behind.slice(0, unitsMax), question: cutOrNull(question?.text) },
      leave: (question?.leave ?? null) !== null,
      costMicros: spend.costMicros,
    };
  });
  return { ...shown, states: countBy(all, (run) => run.state) };
}

function archivedOf({ agents }: State): StateDocument["archived"] {
  const away = [...agents.values()].filter(({ isArchived }) => isArchived).toSorted((a, b) => compareIds(b.id, a.id));
  return some(away, itemsMax, ({ id, name, project, spec, sinceMs }) => {
    return { id, name, project, template: spec.template, sinceMs };
  });
}

function toAgent(agent: AgentView): Omit<StateDocument["agents"]["items"][number], "use" | "terminals"> {
  const { id, name, project, template, node, state, because, sinceMs, removing, rung, activity, run, faces } = agent;
  const { services } = agent;
  // What is cut is least what somebody has to see.
  const first = services.length <= servicesMax ? services : services.toSorted((a, b) => order(a) - order(b));
  const failures = services.flatMap((service) => service.failures.map(({ count }) => count));
  return {
    ...{ id, name, project, template, node, state, activity, run, because: cutOrNull(because), sinceMs, removing },
    ...{ rung, failures: failures.reduce((sum, count) => sum + count, 0) },
    faces: faces.slice(0, facesMax).map((face) => ({ name: face.name, kind: face.kind, url: face.url })),
    well: state === "running" && services.every(isWell),
    services: {
      ...some(first, servicesMax, (service) => ({
        ...{ name: service.name, state: service.state, wanted: service.wanted, healthy: service.healthy },
        ...{ because: cutOrNull(service.because), sinceMs: service.sinceMs, restarts: service.restarts },
        ports: service.ports.slice(0, portsMax).map((port) => ({ name: port.name, address: port.address })),
      })),
      states: countBy(services, ({ state: is }) => is),
    },
  };
}

function order(service: AgentView["services"][number]): number {
  return isWell(service) ? 1 : 0;
}

function isWell({ wanted, state, healthy }: AgentView["services"][number]): boolean {
  return !wanted || state === "completed" || state === "scheduled" || (state === "up" && healthy !== false);
}

function countLocks({ table }: State): { readonly leases: number; readonly waiting: number } {
  const leases = [...table.families.values()].reduce((sum, family) => sum + family.leases.size, 0);
  return { leases, waiting: [...table.projects.values()].reduce((sum, { queue }) => sum + queue.length, 0) };
}

function inboxOf(state: State, nowMs: number, besides: Besides | undefined): StateDocument["inbox"] {
  const all = toInbox(state, nowMs, besides);
  const shown = some(all, inboxMax, ({ kind, run, title, what, sinceMs, command }) => {
    return { kind, run, title: cut(title), what: cut(what), sinceMs, command };
  });
  return { ...shown, kinds: countBy(all, ({ kind }) => kind) };
}

function budgetsOf(state: State, nowMs: number): StateDocument["budgets"] {
  const today = dayAt(state, nowMs);
  const sums = { todayMicros: 0, totalMicros: 0 };
  for (const rows of state.spending.days.values()) {
    for (const { day, spend } of rows.values()) {
      sums.totalMicros += spend.costMicros;
      if (day === today) sums.todayMicros += spend.costMicros;
    }
  }
  const enabled = [...state.policies.values()].filter((policy) => policy.enabled);
  return { ...sums, pools: some(poolsOf(state, enabled, nowMs), itemsMax, (budget) => ({ ...budget })) };
}

function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1;
  return counts;
}

function cut(text: string): string {
  return text.length > textCharsMax ? `${text.slice(0, textCharsMax - 1)}…` : text;
}

function cutOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : cut(text);
}
