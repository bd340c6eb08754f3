// What a request asks of its model, as far as it matters before it is sent: which model, and how much it may use at most.

import { fieldsOf, type Fields } from "./fields.ts";
import { isTurn } from "./is-turn.ts";
import type { AnswerFormat, Route } from "./providers.ts";

export type Ask = {
  readonly model: string;
  /** Whether it is a step of the work, and not a title, a summary or the like. */
  readonly turn: boolean;
  /** Estimates from above. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** What is sent. */
  readonly body: Buffer;
};

/** Text has three to four bytes to a token, dense text two; what providers add to a prompt is in the surplus. */
const bytesPerToken = 2;
const surplusTokens = 1000;
/** What is reserved for an answer whose length nobody has bounded. */
const answerTokensDefault = 16_384;
const tokensMax = 10_000_000;

/** Reads a request's body, or says what is wrong with it. `grow` makes room for as many bytes more, or says that there is none. */
export function readAsk(
  route: Route & { readonly format: AnswerFormat },
  body: Buffer,
  grow: (bytes: number) => boolean = () => true,
): Ask | string {
  const parsed = parseObject(body);
  if (parsed === undefined) return "the body is not a JSON object";
  const model = route.model ?? parsed["model"];
  if (typeof model !== "string" || model === "" || model.length > 200) return "model: it has to be the name of a model";
  const inputTokens = Math.min(tokensMax, tokensOf(body.length) + surplusTokens);
  const outputTokens = Math.min(tokensMax, answersOf(parsed) * longestAnswer(parsed));
  const turn = isTurn(route.format, parsed);
  const sent = route.format === "chat" ? askForUsage(parsed, body, grow) : body;
  return { model, turn, inputTokens, outputTokens, body: sent };
}

/** So many tokens at most are in so many bytes. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken);
}

/** A streamed chat says what it used only when it is asked to. Without room for a second body the first goes as it is (BG24). */
function askForUsage(parsed: Fields, body: Buffer, grow: (bytes: number) => boolean): Buffer {
  const options = fieldsOf(parsed["stream_options"]);
  if (parsed["stream"] !== true || options["include_usage"] === true) return body;
  if (!grow(body.length)) return body;
  return Buffer.from(JSON.stringify({ ...parsed, stream_options: { ...options, include_usage: true } }));
}

function longestAnswer(parsed: Fields): number {
  const bounds = [
    parsed["max_tokens"],
    parsed["max_output_tokens"],
    parsed["max_completion_tokens"],
    ...["maxOutputTokens", "max_output_tokens"].map((name) => generationOf(parsed)[name]),
  ];
  const stated = bounds.filter((bound) => typeof bound === "number" && Number.isSafeInteger(bound) && bound > 0);
  return stated.length === 0 ? answerTokensDefault : Math.max(...(stated as number[]));
}

function answersOf(parsed: Fields): number {
  const generation = generationOf(parsed);
  const count = parsed["n"] ?? generation["candidateCount"] ?? generation["candidate_count"];
  return typeof count === "number" && Number.isSafeInteger(count) && count > 1 ? Math.min(count, 128) : 1;
}

/** Gemini takes its fields in either spelling. */
function generationOf(parsed: Fields): Fields {
  return { ...fieldsOf(parsed["generation_config"]), ...fieldsOf(parsed["generationConfig"]) };
}

function parseObject(body: Buffer): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}
