// What is remembered of money: what was spent, by whom and on which day, what is reserved for requests that are under way,
// and what people said that a model costs. Amounts are micro-dollars, whole numbers.

/** What somebody has spent. */
export type Spend = {
  readonly requests: number;
  /** Requests whose answer broke off, or said nothing of its usage: their figures are estimates from above. */
  readonly partial: number;
  /** Requests to models without a price: their tokens count, their cost is not in `costMicros`. */
  readonly unpriced: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costMicros: number;
};

/** Whom a request is attributed to. It is kept with the request, for its run may be forgotten before the answer. */
export type Spender = {
  readonly run: string;
  readonly tree: string;
  readonly project: string;
  readonly profile: string | null;
  readonly runner: string;
  readonly node: string;
  /** The living agent that its run works in, and for whom it does. */
  readonly agent: string | null;
  readonly user: string;
};

/** A request that is under way. */
export type OpenRequest = Spender & {
  readonly id: string;
  /** The same request again is recognised by it. */
  readonly key: string;
  readonly provider: string;
  readonly model: string;
  /** Whether it is a step of the work. */
  readonly turn: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What it may cost at most; null where its model has no price. */
  readonly reservedMicros: number | null;
};

/** What was spent on one day, by everything that policies and people ask for. */
export type SpendRow = Omit<Spender, "run" | "tree"> & {
  readonly day: number;
  readonly model: string;
  readonly spend: Spend;
};

/** Dollars for a million tokens, as micro-dollars, of every model whose name begins so. */
export type Price = {
  readonly model: string;
  readonly inputMicros: number;
  readonly outputMicros: number;
  readonly cacheReadMicros: number;
  readonly cacheWriteMicros: number;
};

export type Spending = {
  /** What people said; the built-in prices stand beside it. */
  readonly prices: Map<string, Price>;
  readonly requests: Map<string, OpenRequest>;
  /** By the run that a tree stems from. */
  readonly trees: Map<string, Spend>;
  /** By day since 1970, then by everything else. */
  readonly days: Map<number, Map<string, SpendRow>>;
  /** When each credential was last used, in engine time. */
  readonly credentials: Map<string, number>;
};

/** The day under which everything stands that is too old to be told apart. */
export const earlier = -1;

export const noSpend: Spend = {
  requests: 0,
  partial: 0,
  unpriced: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costMicros: 0,
};

export function makeSpending(): Spending {
  return { prices: new Map(), requests: new Map(), trees: new Map(), days: new Map(), credentials: new Map() };
}

export function addSpend(a: Spend, b: Spend): Spend {
  return {
    requests: a.requests + b.requests,
    partial: a.partial + b.partial,
    unpriced: a.unpriced + b.unpriced,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    costMicros: a.costMicros + b.costMicros,
  };
}

export function subtractSpend(a: Spend, b: Spend): Spend {
  return addSpend(a, {
    requests: -b.requests,
    partial: -b.partial,
    unpriced: -b.unpriced,
    inputTokens: -b.inputTokens,
    outputTokens: -b.outputTokens,
    cacheReadTokens: -b.cacheReadTokens,
    cacheWriteTokens: -b.cacheWriteTokens,
    costMicros: -b.costMicros,
  });
}

export function keyOfRow(row: Omit<SpendRow, "day" | "spend">): string {
  const { project, profile, runner, node, model, agent, user } = row;
  return JSON.stringify([project, profile, runner, node, model, agent, user]);
}
