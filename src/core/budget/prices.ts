// What models cost. A price speaks of every model whose name begins with its own, up to a dash or the end; the longest
// name decides, and what people said goes before what is built in.

import type { Price, Spend } from "./budget-state.ts";
import { builtInPrices } from "./built-in-prices.ts";

export type Usage = Pick<Spend, "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens">;

const tokensPerPrice = 1_000_000;

/** The price of a model, or undefined: then its cost is unknown, and nobody guesses. */
export function priceOf(prices: ReadonlyMap<string, Price>, model: string): Price | undefined {
  let found: Price | undefined;
  for (const price of [...prices.values(), ...builtInPrices]) {
    if (speaksOf(price.model, model) && (found === undefined || price.model.length > found.model.length)) found = price;
  }
  return found;
}

/** Rounded up to whole micro-dollars. */
export function costOf(price: Price, usage: Usage): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  return Math.ceil(
    (inputTokens * price.inputMicros +
      outputTokens * price.outputMicros +
      cacheReadTokens * price.cacheReadMicros +
      cacheWriteTokens * price.cacheWriteMicros) /
      tokensPerPrice,
  );
}

/** What a request may cost at most: its prompt may be written to the cache, which can cost more than reading it. */
export function mostOf(price: Price, tokens: Pick<Usage, "inputTokens" | "outputTokens">): number {
  const inputMicros = Math.max(price.inputMicros, price.cacheReadMicros, price.cacheWriteMicros);
  return costOf({ ...price, inputMicros }, { ...tokens, cacheReadTokens: 0, cacheWriteTokens: 0 });
}

/** `gpt-5` speaks of `gpt-5-2025-08-07`, and not of `gpt-5.1`. */
function speaksOf(name: string, model: string): boolean {
  return model.startsWith(name) && (model.length === name.length || "-@:".includes(model[name.length] ?? ""));
}
