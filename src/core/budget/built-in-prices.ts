// What well-known models cost when nobody has said otherwise: list prices of their makers in dollars for a million tokens.
// Prices change; `signalbox price set` goes before them. Rates for very long prompts, batches and priority are not here.

import type { Price } from "./budget-state.ts";

type Line = readonly [model: string, input: number, output: number, cacheRead: number, cacheWrite: number];

const lines: readonly Line[] = [
  ["claude-fable-5-1", 10, 50, 0.25, 12.5],
  ["claude-fable-5", 10, 50, 1, 12.5],
  ["claude-opus-5-5", 4, 20, 0.2, 5],
  ["claude-opus-5", 5, 25, 0.5, 6.25],
  ["claude-opus-4-8", 5, 25, 0.5, 6.25],
  ["claude-opus-4-7", 5, 25, 0.5, 6.25],
  ["claude-opus-4-6", 5, 25, 0.5, 6.25],
  ["claude-opus-4-5", 5, 25, 0.5, 6.25],
  ["claude-opus-4-1", 15, 75, 1.5, 18.75],
  ["claude-opus-4", 15, 75, 1.5, 18.75],
  ["claude-sonnet-5-5", 2, 10, 0.2, 2.5],
  ["claude-sonnet-5", 2, 10, 0.2, 2.5],
  ["claude-sonnet-4-6", 3, 15, 0.3, 3.75],
  ["claude-sonnet-4-5", 3, 15, 0.3, 3.75],
  ["claude-sonnet-4", 3, 15, 0.3, 3.75],
  ["claude-3-7-sonnet", 3, 15, 0.3, 3.75],
  ["claude-3-5-sonnet", 3, 15, 0.3, 3.75],
  ["claude-haiku-4-5", 1, 5, 0.1, 1.25],
  ["claude-3-5-haiku", 0.8, 4, 0.08, 1],
  ["gpt-6.1-sol", 2, 10, 0.1, 2.5],
  ["gpt-6-sol", 2, 10, 0.2, 2.5],
  ["gpt-5.1-codex-mini", 0.25, 2, 0.025, 0.25],
  ["gpt-5.1-codex", 1.25, 10, 0.125, 1.25],
  ["gpt-5.1", 1.25, 10, 0.125, 1.25],
  ["gpt-5-codex", 1.25, 10, 0.125, 1.25],
  ["gpt-5-mini", 0.25, 2, 0.025, 0.25],
  ["gpt-5-nano", 0.05, 0.4, 0.005, 0.05],
  ["gpt-5", 1.25, 10, 0.125, 1.25],
  ["gpt-4.1-mini", 0.4, 1.6, 0.1, 0.4],
  ["gpt-4.1-nano", 0.1, 0.4, 0.025, 0.1],
  ["gpt-4.1", 2, 8, 0.5, 2],
  ["gpt-4o-mini", 0.15, 0.6, 0.075, 0.15],
  ["gpt-4o", 2.5, 10, 1.25, 2.5],
  ["o4-mini", 1.1, 4.4, 0.275, 1.1],
  ["o3", 2, 8, 0.5, 2],
  ["gemini-2.5-pro", 1.25, 10, 0.31, 1.25],
  ["gemini-2.5-flash-lite", 0.1, 0.4, 0.025, 0.1],
  ["gemini-2.5-flash", 0.3, 2.5, 0.075, 0.3],
  ["gemini-2.0-flash", 0.1, 0.4, 0.025, 0.1],
];

const microsPerDollar = 1_000_000;

export const builtInPrices: readonly Price[] = lines.map(([model, input, output, cacheRead, cacheWrite]) => ({
  model,
  inputMicros: toMicros(input),
  outputMicros: toMicros(output),
  cacheReadMicros: toMicros(cacheRead),
  cacheWriteMicros: toMicros(cacheWrite),
}));

function toMicros(dollars: number): number {
  return Math.round(dollars * microsPerDollar);
}
