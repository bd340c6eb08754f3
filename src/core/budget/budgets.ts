// Which budgets bind a run, and what is left of them. A budget for one run or its tree is a rule like any other: the most
// important policy that states it decides. A budget for a day, or for ever, is a pool of its policy's scope, and like a
// limit on how many work at once every one that speaks of the run has to have room.

import { inScope, ruleFor, type Policy, type PolicyRules } from "../policy/policy.ts";
import type { Run } from "../run/run-state.ts";
import { limitOf } from "../profile/profile.ts";
import { policiesOf, subjectOf, type State } from "../state.ts";
import { noSpend, type OpenRequest, type SpendRow } from "./budget-state.ts";

export type BudgetRule = "maxRunCostMicros" | "maxTreeCostMicros" | "maxDayCostMicros" | "maxTotalCostMicros";

export type Budget = {
  readonly rule: BudgetRule;
  readonly policy: string;
  readonly limitMicros: number;
  readonly spentMicros: number;
  /** For requests that are under way. */
  readonly reservedMicros: number;
};

const dayMs = 86_400_000;

/** The day of an instant, in UTC, by the wall clock as it stood when the engine was opened. */
export function dayAt(state: State, atMs: number): number {
  return Math.floor((atMs + state.wallOffsetMs) / dayMs);
}

/** Every budget that binds the run, the narrowest first. */
export function budgetsOf(state: State, run: Run, nowMs: number): Budget[] {
  const policies = policiesOf(state, run);
  const { spending } = state;
  const budgets: Budget[] = [];
  const isOwn = (request: OpenRequest): boolean => request.run === run.id;
  if (run.settings?.maxCostMicros !== undefined) {
    const about = { limitMicros: run.settings.maxCostMicros, spentMicros: run.spend.costMicros };
    const reservedMicros = reservedFor(state, isOwn);
    budgets.push({ rule: "maxRunCostMicros", policy: limitOf(run.profile), ...about, reservedMicros });
  }
  const ownRule = (rule: BudgetRule, spentMicros: number, isCounted: (request: OpenRequest) => boolean): void => {
    const stated = ruleFor(policies, rule);
    if (typeof stated?.value !== "number") return;
    const { value: limitMicros, policy } = stated;
    budgets.push({ rule, policy, limitMicros, spentMicros, reservedMicros: reservedFor(state, isCounted) });
  };
  ownRule("maxRunCostMicros", run.spend.costMicros, isOwn);
  const tree = spending.trees.get(run.tree) ?? noSpend;
  ownRule("maxTreeCostMicros", tree.costMicros, (request) => request.tree === run.tree);
  // A pool belongs to its scope: who is named into it from outside would take from others what nobody counts.
  const own = policies.filter(({ scope }) => inScope(scope, subjectOf(run)));
  return [...budgets, ...poolsOf(state, own, nowMs)];
}

/** The budgets for a day and for ever that these policies state, whoever may spend them. */
export function poolsOf(state: State, policies: readonly Policy[], nowMs: number): Budget[] {
  const budgets: Budget[] = [];
  for (const rule of ["maxDayCostMicros", "maxTotalCostMicros"] as const) {
    const day = rule === "maxDayCostMicros" ? dayAt(state, nowMs) : null;
    for (const policy of policies) {
      const limitMicros = policy.rules[rule satisfies keyof PolicyRules];
      if (limitMicros === undefined) continue;
      const reservedMicros = reservedFor(state, (request) => inScope(policy.scope, request));
      const spentMicros = spentIn(state, policy, day);
      budgets.push({ rule, policy: policy.name, limitMicros, spentMicros, reservedMicros });
    }
  }
  return budgets;
}

function spentIn(state: State, policy: Policy, day: number | null): number {
  const { days } = state.spending;
  let micros = 0;
  for (const rows of day === null ? days.values() : [days.get(day) ?? new Map<string, SpendRow>()]) {
    for (const row of rows.values()) if (inScope(policy.scope, row)) micros += row.spend.costMicros;
  }
  return micros;
}

function reservedFor(state: State, isCounted: (request: OpenRequest) => boolean): number {
  let micros = 0;
  for (const request of state.spending.requests.values()) if (isCounted(request)) micros += request.reservedMicros ?? 0;
  return micros;
}
