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

/** The first instant, from this one on, at which one more service may be started again. Those that are still to come count. */
export function afterStorm({ restarts }: State, { max }: RestartBudget, atMs: number): number {
  const within = restarts.filter((each) => each > atMs - stormWindowMs);
  return within.length < max ? atMs : (within.at(-max) ?? atMs) + stormWindowMs;
}
