// How a prompt of the Agent Client Protocol ended and what it took, in the words that all programs share.

import type { TurnEnd } from "../../../core/run/heard.ts";
import { countOf, type Json, recordOf, textOf } from "../json-line.ts";
import type { RpcError } from "../json-rpc.ts";
import type { OwnUsage } from "../own-usage.ts";

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

/** As makers of models, and agents for them, say that a conversation is too long. */
const tooLong = new RegExp(
  [
    "(prompt|input) is too long",
    "prompt too long",
    "too large to compact",
    "request_too_large",
    "context[_ ](length|window)[_ ]exceed",
    "exceed(s|ed)? (the )?(model'?s? )?(available |maximum )?context",
    "maximum context length",
    "input token count.*exceeds the maximum",
    "(longer than|exceeds) the model'?s context",
    "too many tokens",
    "token limit exceeded",
  ].join("|"),
  "i",
);

/** Agents pass the provider's status on as the error's code, or in its words. */
export function endOfPromptError({ code, message }: RpcError): TurnEnd {
  if (code === authRequired || code === 401 || code === 403) return "auth";
  if (tooLong.test(message)) return "context";
  if (code === 429) return "rate-limit";
  if (code >= 500 && code < 600) return "outage";
  if (/\b(401|403)\b|unauthori[sz]ed|api key/i.test(message)) return "auth";
  if (/\b429\b|rate.?limit|quota/i.test(message)) return "rate-limit";
  return "error";
}

/** As the protocol has it, or as Gemini does. */
export function usageOfPrompt(result: Json): OwnUsage {
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
