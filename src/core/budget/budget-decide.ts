// Lets model requests through, or not, before anything is sent; and takes in what became of them. Whatever may be spent is
// reserved first, so that requests at the same time cannot pass a budget together.

import { ok, refuse, type Result } from "../../base/result.ts";
import type { AnswerModel, Input, Refusal, RequestModel } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { limitOf } from "../profile/profile.ts";
import type { Run } from "../run/run-state.ts";
import { takesSlot } from "../run/run-states.ts";
import { compareIds, type Step } from "../step.ts";
import type { OpenRequest } from "./budget-state.ts";
import { budgetsOf, type Budget } from "./budgets.ts";
import { builtInPrices } from "./built-in-prices.ts";
import { costOf, mostOf, priceOf } from "./prices.ts";

export type BudgetRefusal =
  | {
      readonly code: "budget-spent";
      readonly run: string;
      readonly policy: string;
      readonly rule: string;
      readonly limitMicros: number;
      readonly spentMicros: number;
      readonly reservedMicros: number;
      readonly neededMicros: number;
    }
  | { readonly code: "price-unknown"; readonly model: string; readonly policy: string }
  | { readonly code: "turns-spent"; readonly run: string; readonly policy: string; readonly limit: number };

/** Answers a request before it is sent (BG1). */
export function requestModel(step: Step, input: RequestModel): Result<Later, Refusal> {
  const { state } = step;
  const run = state.runs.get(input.run);
  if (run === undefined) return refuse({ code: "not-found", kind: "run", id: input.run });
  const again = [...state.spending.requests.values()].find((open) => open.run === run.id && open.key === input.key);
  if (again !== undefined) return ok(() => ({ of: "id", id: again.id }));
  // Whoever waits spends nothing (BG2).
  if (run.lost || run.state === "validating" || !takesSlot(run.state))
    return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "at work" });
  const price = priceOf(state.spending.prices, input.model);
  const reservedMicros = price === undefined ? null : mostOf(price, input);
  const isTurn = input.turn === true || hasAskedAside(step, run);
  const refusal =
    (isTurn ? findNoTurn(step, run) : undefined) ??
    findNoRoom(run, input.model, reservedMicros, budgetsOf(state, run, step.nowMs));
  if (refusal !== undefined) return refuseModel(step, run, input.model, refusal);
  const request = step.nextId("q");
  const { key, provider, model, credential, inputTokens, outputTokens } = input;
  const turn = isTurn ? { turn: true as const } : {};
  const about = { key, provider, model, credential, ...turn, inputTokens, outputTokens, reservedMicros };
  step.emit({ type: "model.requested", v: 1, request, run: run.id, ...about });
  return ok(() => ({ of: "id", id: request }));
}

/** What became of a request. A report that comes twice says nothing new (BG6). */
export function answerModel(step: Step, input: AnswerModel): Result<Later, Refusal> {
  const open = step.state.spending.requests.get(input.request);
  if (open === undefined) return done();
  const { extent, status, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, artifact } = input;
  const { prices } = step.state.spending;
  const named = input.model ?? open.model;
  const price = priceOf(prices, named) ?? priceOf(prices, open.model);
  const usage = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
  const costMicros = price === undefined ? null : costOf(price, usage);
  const base = { type: "model.answered", v: 1, request: open.id, run: open.run, model: named } as const;
  step.emit({ ...base, extent, status, ...usage, costMicros, artifact });
  return done();
}

/** Nobody will hear any more what became of these: they count as what was reserved for them (BG8). */
export function loseRequests(step: Step, isLost: (request: OpenRequest) => boolean): void {
  const open = [...step.state.spending.requests.values()].filter(isLost);
  for (const request of open.toSorted((a, b) => compareIds(a.id, b.id))) step.emit(lostEvent(request));
}

export function setPrice(step: Step, input: Extract<Input, { type: "price.set" }>): Result<Later, Refusal> {
  step.emit({ type: "price.set", v: 1, price: input.price });
  return done();
}

export function removePrice(step: Step, model: string): Result<Later, Refusal> {
  if (!step.state.spending.prices.has(model)) {
    const isBuiltIn = builtInPrices.some((price) => price.model === model);
    if (isBuiltIn) return refuse({ code: "in-use", kind: "price", id: model, by: "the built-in table" });
    return refuse({ code: "not-found", kind: "price", id: model });
  }
  step.emit({ type: "price.removed", v: 1, model });
  return done();
}

function lostEvent(open: OpenRequest): Parameters<Step["emit"]>[0] {
  const { id, run, model, inputTokens, outputTokens, reservedMicros } = open;
  const base = { type: "model.answered", v: 1, request: id, run, model, extent: "lost", status: null } as const;
  const usage = { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return { ...base, ...usage, costMicros: reservedMicros, artifact: null };
}

/** Whether it has asked as often as its profile lets it, with what is under way (PF14). */
function findNoTurn({ state }: Step, run: Run): BudgetRefusal | undefined {
  const limit = run.settings?.maxTurns;
  if (limit === undefined || run.turns + openOf(state, run, true) < limit) return undefined;
  return { code: "turns-spent", run: run.id, policy: limitOf(run.profile), limit };
}

/** Of what is no turn only so many come one after the other: the next one is taken for one, whatever it looks like. */
const asidesMax = 3;

function hasAskedAside({ state }: Step, run: Run): boolean {
  return run.asides + openOf(state, run, false) >= asidesMax;
}

function openOf({ spending }: Step["state"], run: Run, turn: boolean): number {
  return [...spending.requests.values()].filter((each) => each.run === run.id && each.turn === turn).length;
}

/** The first budget without room for it. One that cannot be reckoned with has none (BG5). */
function findNoRoom(
  run: Run,
  model: string,
  neededMicros: number | null,
  budgets: readonly Budget[],
): BudgetRefusal | undefined {
  const [first] = budgets;
  if (neededMicros === null)
    return first === undefined ? undefined : { code: "price-unknown", model, policy: first.policy };
  const full = budgets.find((each) => each.spentMicros + each.reservedMicros + neededMicros > each.limitMicros);
  return full === undefined ? undefined : { code: "budget-spent", run: run.id, ...full, neededMicros };
}

/** Recorded once, until a request is let through: an assistant may ask again and again (BG4). */
function refuseModel(step: Step, run: Run, model: string, refusal: BudgetRefusal): Result<Later, Refusal> {
  const { code, policy } = refusal;
  const what = code === "price-unknown" ? `${model} has no price` : code === "turns-spent" ? "maxTurns" : refusal.rule;
  const { modelRefused: known } = run;
  if (known?.policy !== policy || known.what !== what || known.raised === true)
    step.emit({ type: "model.refused", v: 1, run: run.id, model, code, what, policy });
  return refuse(refusal);
}
