// How many services may be started again at once, over all agents: whatever brings many of them down would otherwise bring the
// machine down, too, when all of them come up in the same moment.

import { builtIn, defaultRules } from "../policy/policy.ts";
import type { State } from "../state.ts";
import type { Agent } from "./agent-state.ts";

export const stormWindowMs = 10_000;
/** For so long after the last one that had to wait, people are told. */
export const stormTellMs = 600_000;

export type RestartBudget = { readonly max: number; readonly policy: string };

/** Restarts that had to wait, since it began and until nobody had to for a while. */
export type Held = {
  readonly sinceMs: number;
  readonly lastMs: number;
  readonly count: number;
  readonly max: number;
  readonly policy: string;
};

/** The least that a policy allows that speaks of the agent; what is built in counts unless a person has stated another. */
export function budgetOf({ policies }: State, { project, node }: Pick<Agent, "project" | "node">): RestartBudget {
  const stating = [...policies.values()].flatMap(({ enabled, name, priority, scope, rules }) => {
    const isFor = (scope.project ?? project) === project && (scope.node ?? node) === node;
    const isOfRuns = scope.profile !== undefined || scope.runner !== undefined;
    if (!enabled || rules.maxRestarts === undefined || !isFor || isOfRuns) return [];
    return [{ max: rules.maxRestarts, policy: name, priority }];
  });
  // What models set stands below 0, and beside nothing that a person has said.
  const people = stating.filter(({ priority }) => priority >= 0);
  const all = people.length > 0 ? people : [...stating, { max: defaultRules.maxRestarts, policy: builtIn }];
  const { max, policy } = all.reduce((least, each) => (each.max < least.max ? each : least));
  return { max, policy };
}

/** A service that was started again, and whose it is. */
export type Restart = { readonly agent: string; readonly atMs: number };

/** Of all, one agent has at most three quarters: whoever else fails finds room. */
function shareOf(max: number): number {
  return max - Math.floor(max / 4);
}

/** How many services of an agent were started again within the window. */
export function restartsOf({ restarts }: State, agent: string, nowMs: number): number {
  return restarts.filter((each) => each.agent === agent && each.atMs > nowMs - stormWindowMs).length;
}

export function mayRestart(state: State, agent: Agent, nowMs: number): boolean {
  const { max } = budgetOf(state, agent);
  const within = state.restarts.filter(({ atMs }) => atMs > nowMs - stormWindowMs).length;
  return within < max && restartsOf(state, agent.id, nowMs) < shareOf(max);
}

/**
 * When one that may not be started again now is looked at again: when there is room for it and for those whose turn comes
 * before its own. Agents take turns, and who was started again least has the next.
 */
export function turnAtMs(state: State, agent: Agent, nowMs: number): number {
  const { max } = budgetOf(state, agent);
  const own = heldOf(agent, nowMs);
  const turn = restartsOf(state, agent.id, nowMs) + own.length;
  const before = [...state.agents.values()].flatMap((other) => {
    if (other.id === agent.id) return own;
    return heldOf(other, nowMs).slice(0, Math.max(0, turn - restartsOf(state, other.id, nowMs)));
  });
  const made = (of: readonly Restart[]): number[] => of.map(({ atMs }) => atMs);
  const ofAgent = state.restarts.filter((each) => each.agent === agent.id);
  return Math.max(
    afterStorm([...made(state.restarts), ...before], max, nowMs),
    afterStorm([...made(ofAgent), ...own], shareOf(max), nowMs),
  );
}

/** When those of an agent are looked at that have to wait, the first one first. */
function heldOf({ services }: Agent, nowMs: number): number[] {
  return [...services.values()]
    .flatMap(({ isHeld, dueAtMs }) => (isHeld && dueAtMs !== null && dueAtMs > nowMs ? [dueAtMs] : []))
    .toSorted((a, b) => a - b);
}

/** The first instant, from this one on, at which one more has room beside these. */
function afterStorm(times: readonly number[], max: number, atMs: number): number {
  const within = times.filter((each) => each > atMs - stormWindowMs).toSorted((a, b) => a - b);
  return within.length < max ? atMs : (within.at(-max) ?? atMs) + stormWindowMs;
}
