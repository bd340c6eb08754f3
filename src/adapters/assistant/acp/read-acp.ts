// How a prompt of the Agent Client Protocol ended and what it took, in the words that all programs share.

import type { Heard, TurnEnd } from "../../../core/run/heard.ts";
import { countOf, type Json, recordOf, textOf } from "../json-line.ts";
import type { RpcError } from "../json-rpc.ts";

type Usage = Extract<Heard, { is: "turn" }>["usage"];

const authRequired = -32_000;

const ends: Readonly<Record<string, TurnEnd>> = {
  end_turn: "ended",
  cancelled: "interrupted",
  max_tokens: "context",
  max_turn_requests: "max-turns",
  refusal: "refused",
};

export function endOfPrompt(result: Json): TurnEnd {
  return ends[textOf(result["stopReason"], "")] ?? "error";
}

/** Agents pass the provider's status on as the error's code, or in its words. */
export function endOfPromptError({ code, message }: RpcError): TurnEnd {
  if (code === authRequired || code === 401 || code === 403) return "auth";
  if (code === 429) return "rate-limit";
  if (code >= 500 && code < 600) return "outage";
  if (/\b(401|403)\b|unauthori[sz]ed|api key/i.test(message)) return "auth";
  if (/\b429\b|rate.?limit|quota/i.test(message)) return "rate-limit";
  return "error";
}

/** As the protocol has it, or as Gemini does. */
export function usageOfPrompt(result: Json): Usage {
  const usage = recordOf(result["usage"]);
  const own = recordOf(recordOf(recordOf(result["_meta"])["quota"])["token_count"]);
  return {
    inputTokens: countOf(usage["inputTokens"] ?? own["input_tokens"]),
    outputTokens: countOf(usage["outputTokens"] ?? own["output_tokens"]),
    cacheReadTokens: countOf(usage["cachedReadTokens"]),
    cacheWriteTokens: countOf(usage["cachedWriteTokens"]),
    costMicros: null,
  };
}

export function addUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    costMicros: null,
  };
}
