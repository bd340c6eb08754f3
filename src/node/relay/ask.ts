// What a request asks of its model, as far as it matters before it is sent: which model, and how much it may use at most.

import { createHash } from "node:crypto";
import { compareText } from "../../base/canonical.ts";
import { fieldTexts, tooMuchIn } from "../../base/json-text.ts";
import { fieldsOf, type Fields } from "./fields.ts";
import { isTurn } from "./is-turn.ts";
import type { AnswerFormat, Route } from "./providers.ts";

export type Ask = {
  readonly model: string;
  /** Whether it is a step of the work, and not a title, a summary or the like. */
  readonly turn: boolean;
  /** What tells it from any other request; undefined where it has too many fields to say. */
  readonly same: string | undefined;
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
/** No tool's schema comes near the depth, nor does the longest conversation have so many values. */
const bounds = { depthMax: 256, valuesMax: 200_000 };

/** No program has so many fields in a request. */
const fieldsMax = 256;
/** What a program writes otherwise when it asks the same once more, and what gives its model nothing else to do. */
const besides: ReadonlySet<string> = new Set([
  ...["metadata", "client_metadata", "stream", "stream_options"],
  ...["max_tokens", "max_completion_tokens", "max_output_tokens", "thinking"],
]);

/** Reads a request's body, or says what is wrong with it. `grow` makes room for as many bytes more, or says that there is none. */
export function readAsk(
  route: Route & { readonly format: AnswerFormat },
  body: Buffer,
  grow: (bytes: number) => boolean = () => true,
): Ask | string {
  const text = body.toString("utf8");
  const flaw = tooMuchIn(text, bounds);
  if (flaw !== undefined) return `the body ${flaw}`;
  const parsed = parseObject(text);
  if (parsed === undefined) return "the body is not a JSON object";
  const model = route.model ?? parsed["model"];
  if (typeof model !== "string" || model === "" || model.length > 200) return "model: it has to be the name of a model";
  const inputTokens = Math.min(tokensMax, tokensOf(body.length) + surplusTokens);
  const outputTokens = Math.min(tokensMax, answersOf(parsed) * longestAnswer(parsed));
  const turn = isTurn(route.format, parsed);
  const sent = route.format === "chat" ? askForUsage(parsed, body, grow) : body;
  const same = sameOf(model, text);
  return { model, turn, same, inputTokens, outputTokens, body: sent };
}

/**
 * Equal where everything is that a model is told, in whatever order. It compares what is written, not what we read of it: so nobody who
 * reads it otherwise than we do is told something else (PF14).
 */
function sameOf(model: string, text: string): string | undefined {
  const fields = fieldTexts(text, fieldsMax)?.filter(({ name }) => !besides.has(name));
  if (fields === undefined) return undefined;
  const hash = createHash("sha256").update(JSON.stringify(model));
  for (const { name, text: written } of fields.toSorted((a, b) => compareText(a.name, b.name)))
    hash.update(JSON.stringify(name)).update(written);
  return hash.digest("base64url");
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

function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}
