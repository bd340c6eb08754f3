// How each provider says what an answer used. A reader gets every piece of an answer, the whole of one that is not
// streamed, and notes what it finds. Figures of a stream are running totals: the last one counts.

import { fieldsOf, type Fields } from "./fields.ts";
import type { AnswerFormat } from "./providers.ts";

export type Noted = {
  inputTokens: number | null;
  outputTokens: number | null;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  model: string | null;
  /** The provider has said that this was all. */
  complete: boolean;
};

type Reader = (piece: Fields, noted: Noted) => void;

export const usageReaders: Readonly<Record<AnswerFormat, Reader>> = {
  anthropic: (piece, noted) => {
    const message = piece["type"] === "message" ? piece : fieldsOf(piece["message"]);
    noteModel(noted, message["model"]);
    const usage = fieldsOf(piece["usage"] ?? message["usage"]);
    noted.inputTokens = countIn(usage, "input_tokens") ?? noted.inputTokens;
    noted.outputTokens = countIn(usage, "output_tokens") ?? noted.outputTokens;
    noted.cacheReadTokens = countIn(usage, "cache_read_input_tokens") ?? noted.cacheReadTokens;
    noted.cacheWriteTokens = countIn(usage, "cache_creation_input_tokens") ?? noted.cacheWriteTokens;
    if (piece["type"] === "message_stop" || piece["type"] === "message") noted.complete = true;
  },
  responses: (piece, noted) => {
    const response = piece["object"] === "response" ? piece : fieldsOf(piece["response"]);
    noteModel(noted, response["model"]);
    const usage = fieldsOf(response["usage"]);
    noteWithCached(
      noted,
      countIn(usage, "input_tokens"),
      countIn(fieldsOf(usage["input_tokens_details"]), "cached_tokens"),
    );
    noted.outputTokens = countIn(usage, "output_tokens") ?? noted.outputTokens;
    if (countIn(usage, "output_tokens") !== null) noted.complete = true;
  },
  chat: (piece, noted) => {
    noteModel(noted, piece["model"]);
    const usage = fieldsOf(piece["usage"]);
    const cached = countIn(fieldsOf(usage["prompt_tokens_details"]), "cached_tokens");
    noteWithCached(noted, countIn(usage, "prompt_tokens"), cached);
    noted.outputTokens = countIn(usage, "completion_tokens") ?? noted.outputTokens;
    if (countIn(usage, "completion_tokens") !== null) noted.complete = true;
  },
  gemini: (piece, noted) => {
    noteModel(noted, piece["modelVersion"]);
    const usage = fieldsOf(piece["usageMetadata"]);
    const prompt = countIn(usage, "promptTokenCount");
    const tools = countIn(usage, "toolUsePromptTokenCount") ?? 0;
    noteWithCached(noted, prompt === null ? null : prompt + tools, countIn(usage, "cachedContentTokenCount"));
    const said = countIn(usage, "candidatesTokenCount");
    const thought = countIn(usage, "thoughtsTokenCount");
    if (said !== null || thought !== null) noted.outputTokens = (said ?? 0) + (thought ?? 0);
    const candidates = Array.isArray(piece["candidates"]) ? piece["candidates"] : [];
    const isBlocked = fieldsOf(piece["promptFeedback"])["blockReason"] !== undefined;
    if (isBlocked || candidates.some((each) => fieldsOf(each)["finishReason"] !== undefined)) {
      noted.complete = noted.inputTokens !== null;
      noted.outputTokens ??= 0;
    }
  },
};

/** These providers count what came from the cache among the prompt. */
function noteWithCached(noted: Noted, prompt: number | null, cached: number | null): void {
  if (prompt === null) return;
  noted.cacheReadTokens = Math.min(prompt, cached ?? 0);
  noted.inputTokens = prompt - noted.cacheReadTokens;
}

function noteModel(noted: Noted, model: unknown): void {
  if (typeof model === "string" && model !== "" && model.length <= 200) noted.model = model;
}

const countMax = 100_000_000;

function countIn(usage: Fields, name: string): number | null {
  const count = usage[name];
  return typeof count === "number" && Number.isFinite(count) && count >= 0
    ? Math.min(Math.ceil(count), countMax)
    : null;
}
