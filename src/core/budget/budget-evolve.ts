// Turns what was requested, answered and refused into what is spent and what is reserved.

import { mustGet, unreachable } from "../../base/assert.ts";
import { watchNeeds } from "../run/escalation.ts";
import { noteActive } from "../run/stuck.ts";
import { rootOf, runOf, subjectOf, type State } from "../state.ts";
import type { BudgetEvent, ModelAnswered } from "./budget-events.ts";
import { addSpend, earlier, keyOfRow, noSpend, type Spend, type SpendRow } from "./budget-state.ts";
import { dayAt } from "./budgets.ts";

/** How many days are told apart; what is older stands together. */
export const daysMax = 400;

export function evolveBudgets(state: State, event: BudgetEvent, atMs: number): void {
  const { spending } = state;
  switch (event.type) {
    case "price.set":
      spending.prices.set(event.price.model, event.price);
      return;
    case "price.removed":
      spending.prices.delete(event.model);
      return;
    case "model.requested": {
      const run = runOf(state, event.run);
      const { request: id, key, provider, model, turn = false, inputTokens, outputTokens, reservedMicros } = event;
      const about = { id, key, provider, model, turn, inputTokens, outputTokens, reservedMicros };
      const { agent } = rootOf(state, run);
      const whose = { run: run.id, tree: run.tree, agent, user: run.user };
      spending.requests.set(id, { ...about, ...subjectOf(run), ...whose });
      spending.credentials.set(event.credential, atMs);
      run.modelRefused = null;
      noteActive(state, run, atMs);
      return;
    }
    case "model.answered":
      return answer(state, event, atMs);
    case "model.refused": {
      const run = runOf(state, event.run);
      run.modelRefused = { code: event.code, what: event.what, policy: event.policy, atMs };
      return watchNeeds(state, run);
    }
    default:
      return unreachable(event);
  }
}

function answer(state: State, event: ModelAnswered, atMs: number): void {
  const { spending } = state;
  const request = mustGet(spending.requests, event.request, "request");
  const { tree, project, profile, runner, node, agent, user, turn } = request;
  spending.requests.delete(event.request);
  const spend = spendOf(event);
  const run = runOf(state, event.run);
  run.spend = addSpend(run.spend, spend);
  // What its model's maker turned down was no step.
  if (event.status !== null && event.status < 400) {
    if (turn) run.turns++;
    run.asides = turn ? 0 : run.asides + 1;
  }
  noteActive(state, run, atMs);
  spending.trees.set(tree, addSpend(spending.trees.get(tree) ?? noSpend, spend));
  const whose = { project, profile, runner, node, agent, user };
  addRow(state, { day: dayAt(state, atMs), ...whose, model: event.model, spend });
  const apart = spending.days.size - (spending.days.has(earlier) ? 1 : 0);
  if (apart > daysMax) joinOldest(state);
}

function spendOf(event: ModelAnswered): Spend {
  const { extent, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costMicros } = event;
  return {
    requests: 1,
    partial: extent === "partial" || extent === "lost" ? 1 : 0,
    unpriced: costMicros === null ? 1 : 0,
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    costMicros: costMicros ?? 0,
  };
}

function addRow(state: State, row: SpendRow): void {
  const { days } = state.spending;
  const rows = days.get(row.day) ?? new Map<string, SpendRow>();
  days.set(row.day, rows);
  const key = keyOfRow(row);
  rows.set(key, { ...row, spend: addSpend(rows.get(key)?.spend ?? noSpend, row.spend) });
}

/** The oldest day that is told apart joins what was earlier: sums stay exact, and the state stays small. */
function joinOldest(state: State): void {
  const { days } = state.spending;
  const oldest = Math.min(...[...days.keys()].filter((day) => day !== earlier));
  for (const row of days.get(oldest)?.values() ?? []) addRow(state, { ...row, day: earlier });
  days.delete(oldest);
}
