// The facts of model requests and prices.

import type { Price } from "./budget-state.ts";

/** A request may be sent to a model: at most this much is reserved for it. */
export type ModelRequested = {
  readonly type: "model.requested";
  readonly v: 1;
  readonly request: string;
  readonly run: string;
  readonly key: string;
  readonly provider: string;
  readonly model: string;
  /** Where the credential came from, and its name: never its value. */
  readonly credential: string;
  /** It is a step of the work, and counts as one where its answer comes (PF14). */
  readonly turn?: true;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly reservedMicros: number | null;
};

/** How much of an answer there was. */
export type AnswerExtent = "whole" | "partial" | "none" | "lost";

/** What became of a request, what it used and what that costs. */
export type ModelAnswered = {
  readonly type: "model.answered";
  readonly v: 1;
  readonly request: string;
  readonly run: string;
  readonly model: string;
  readonly extent: AnswerExtent;
  /** HTTP status of the answer; null where there was none. */
  readonly status: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Null where the model has no price. */
  readonly costMicros: number | null;
  /** Where its node keeps the request and the answer. */
  readonly artifact: string | null;
};

/** A budget kept a run from its model. Said once, until a request is let through again. */
export type ModelRefused = {
  readonly type: "model.refused";
  readonly v: 1;
  readonly run: string;
  readonly model: string;
  readonly code: string;
  readonly what: string;
  readonly policy: string;
};

export type PriceSet = { readonly type: "price.set"; readonly v: 1; readonly price: Price };
export type PriceRemoved = { readonly type: "price.removed"; readonly v: 1; readonly model: string };

export type BudgetEvent = ModelRequested | ModelAnswered | ModelRefused | PriceSet | PriceRemoved;
