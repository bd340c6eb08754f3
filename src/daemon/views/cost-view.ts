// What was spent, told apart by what somebody asks for.

import {
  addSpend,
  earlier,
  noSpend,
  type Spend,
  type SpendRow,
  subtractSpend,
} from "../../core/budget/budget-state.ts";
import { budgetsOf, dayAt } from "../../core/budget/budgets.ts";
import { builtInPrices } from "../../core/budget/built-in-prices.ts";
import { ownCostOf } from "../../core/run/own-cost.ts";
import type { State } from "../../core/state.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { ParsedInputOf } from "../../protocol/operations.ts";
import type { Cost, Price } from "../../protocol/wire/model.ts";
import { findProject } from "./project-view.ts";
import { findRun } from "./run-view.ts";

const dayMs = 86_400_000;

/** Runs that were removed: what they have spent stays in every sum. */
const removedRuns = "removed runs";

export function toCost(state: State, { run, project, by, days }: ParsedInputOf<"cost">, nowMs: number): Cost {
  if (days !== undefined && (by === "run" || by === "task"))
    throw protocolError("bad-input", {
      where: "days",
      why: "runs and tasks are told apart over all days; leave it out",
    });
  const only = project === undefined ? undefined : findProject(state, project).id;
  const since = days === undefined ? Number.NEGATIVE_INFINITY : dayAt(state, nowMs) - days + 1;
  const sums = new Map<string, Spend>();
  let total = noSpend;
  for (const rows of state.spending.days.values()) {
    for (const row of rows.values()) {
      if (row.day < since || (only !== undefined && row.project !== only)) continue;
      total = addSpend(total, row.spend);
      if (by === "run" || by === "task") continue;
      const name = nameOf(state, row, by);
      sums.set(name, addSpend(sums.get(name) ?? noSpend, row.spend));
    }
  }
  if (by === "run" || by === "task") addRuns(state, by, only, sums, total);
  const rows = [...sums].map(([name, spend]) => ({ name, title: titleOf(state, by, name), spend: { ...spend } }));
  rows.sort((a, b) => (by === "day" ? compare(b.name, a.name) : b.spend.costMicros - a.spend.costMicros));
  return { by, rows, total: { ...total }, run: run === undefined ? null : toRunCost(state, run, nowMs) };
}

/** What people set first, and what is built in where nobody set another one. */
export function toPrices(state: State): Price[] {
  const { prices } = state.spending;
  const own = [...prices.values()].map((price) => ({ ...price, from: "person" as const }));
  const others = builtInPrices.filter((price) => !prices.has(price.model));
  return [
    ...own.toSorted((a, b) => compare(a.model, b.model)),
    ...others.map((price) => ({ ...price, from: "built-in" as const })),
  ];
}

function toRunCost(state: State, id: string, nowMs: number): Cost["run"] {
  const run = findRun(state, id);
  const treeSpend = state.spending.trees.get(run.tree) ?? noSpend;
  const budgets = budgetsOf(state, run, nowMs).map((budget) => ({ ...budget }));
  return {
    run: id,
    spend: { ...run.spend },
    ownCostMicros: ownCostOf(run.ownCost),
    tree: run.tree,
    treeSpend: { ...treeSpend },
    budgets,
  };
}

/** Each run has its own sum; what none of them has spent was spent by such as were removed since. */
function addRuns(
  state: State,
  by: "run" | "task",
  only: string | undefined,
  sums: Map<string, Spend>,
  total: Spend,
): void {
  let rest = total;
  for (const run of state.runs.values()) {
    if (run.spend.requests === 0 || (only !== undefined && run.project !== only)) continue;
    const name = by === "run" ? run.id : run.task;
    sums.set(name, addSpend(sums.get(name) ?? noSpend, run.spend));
    rest = subtractSpend(rest, run.spend);
  }
  if (rest.requests > 0) sums.set(removedRuns, rest);
}

function titleOf(state: State, by: Cost["by"], name: string): string | null {
  if (by === "run") return state.runs.get(name)?.title ?? null;
  return by === "task" ? (state.tasks.get(name)?.title ?? null) : null;
}

function nameOf(state: State, row: SpendRow, by: Exclude<Cost["by"], "run" | "task">): string {
  switch (by) {
    case "agent":
      return row.agent === null ? "none" : (state.agents.get(row.agent)?.name ?? row.agent);
    case "project":
      return state.projects.get(row.project)?.name ?? row.project;
    case "profile":
      return row.profile ?? "none";
    case "day":
      return row.day === earlier ? "earlier" : new Date(row.day * dayMs).toISOString().slice(0, 10);
    default:
      return row[by];
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
