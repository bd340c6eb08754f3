// What programs say that they used, added up.

import type { Heard } from "../../core/run/heard.ts";

export type OwnUsage = Extract<Heard, { is: "turn" }>["usage"];

export const noUsage: OwnUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costMicros: null,
};

/** Of programs that count the tokens of a turn. */
export function addUsage(one: OwnUsage, other: OwnUsage): OwnUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    // Programs that say it count it from the beginning of a conversation by themselves.
    costMicros: other.costMicros ?? one.costMicros,
  };
}
