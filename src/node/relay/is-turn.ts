// Whether a request is a step of the work (PF14). What is none has a form that is known, and that gives its model nothing to do anything
// with: a title, a summary, a probe. Whatever else a request has may bring tools by a way that is not known here, and so counts.

import { itemsOf, type Fields } from "./fields.ts";
import type { AnswerFormat } from "./providers.ts";

const sampling = ["temperature", "top_p", "top_k", "seed", "stop", "frequency_penalty", "presence_penalty"];
const about = ["model", "stream", "metadata", "user", "service_tier", "store", "prompt_cache_key", "safety_identifier"];
/** Nothing without tools, which are looked at on their own. */
const ofTools = ["tools", "tool_choice", "parallel_tool_calls", "toolConfig"];

const known: Readonly<Record<AnswerFormat, ReadonlySet<string>>> = {
  anthropic: new Set([
    ...[
      "messages",
      "system",
      "max_tokens",
      "stop_sequences",
      "thinking",
      "output_config",
      "output_format",
      "cache_control",
    ],
    ...["context_management", ...sampling, ...about, ...ofTools],
  ]),
  responses: new Set([
    ...["input", "instructions", "max_output_tokens", "text", "reasoning", "include", "truncation", "client_metadata"],
    ...["prompt_cache_retention", ...sampling, ...about, ...ofTools],
  ]),
  chat: new Set([
    ...[
      "messages",
      "stream_options",
      "max_tokens",
      "max_completion_tokens",
      "n",
      "response_format",
      "reasoning_effort",
    ],
    ...["verbosity", "logprobs", ...sampling, ...about, ...ofTools],
  ]),
  gemini: new Set([
    ...[
      "contents",
      "systemInstruction",
      "system_instruction",
      "generationConfig",
      "generation_config",
      "safetySettings",
    ],
    ...["safety_settings", "labels", ...ofTools],
  ]),
};

export function isTurn(format: AnswerFormat, parsed: Fields): boolean {
  if (Object.keys(parsed).some((name) => !known[format].has(name))) return true;
  // Codex names tools among what was said, for models whose one tool runs code.
  return offersTools(parsed) || itemsOf(parsed["input"]).some(offersTools);
}

function offersTools({ tools }: Fields): boolean {
  return tools !== undefined && tools !== null && !(Array.isArray(tools) && tools.length === 0);
}
