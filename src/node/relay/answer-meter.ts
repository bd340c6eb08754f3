// Reads what an answer used while it passes by. It keeps as much of it as it needs and never holds it up.

import { tooMuchIn } from "../../base/json-text.ts";
import type { Usage } from "../../core/budget/prices.ts";
import { tokensOf, type Ask } from "./ask.ts";
import { fieldsOf } from "./fields.ts";
import type { AnswerFormat } from "./providers.ts";
import { type Noted, usageReaders } from "./usage-readers.ts";

export type Metered = {
  readonly usage: Usage;
  readonly extent: "whole" | "partial";
  readonly model: string | null;
  /** Whether it has not come to its end. Of what could not all be read nobody can say so. */
  readonly isUnfinished: boolean;
};

/** A piece that is longer than this is not read: no provider's is. */
const pieceCharsMax = 8_388_608;
/** A piece with more values is not read, either: it would take seconds. How deep it is does not matter here. */
const bounds = { depthMax: Number.POSITIVE_INFINITY, valuesMax: 500_000 };
/** Where models' own words stand, in all formats. */
const wordFields = new Set(["text", "thinking", "partial_json", "arguments", "content", "delta", "signature", "data"]);

export class AnswerMeter {
  readonly #format: AnswerFormat;
  readonly #isStream: boolean;
  readonly #grow: (bytes: number) => boolean;
  #room = 0;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #isTooLong = false;
  #hasMissed = false;
  #wordBytes = 0;
  readonly #noted: Noted = {
    inputTokens: null,
    outputTokens: null,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    model: null,
    complete: false,
  };

  /** `grow` makes room for as many bytes more of what is not read yet, or says that there is none. */
  constructor(format: AnswerFormat, contentType: string, grow: (bytes: number) => boolean = () => true) {
    this.#format = format;
    this.#grow = grow;
    this.#isStream = /^\s*text\/event-stream/i.test(contentType);
  }

  push(chunk: Buffer): void {
    this.#rest += this.#decoder.decode(chunk, { stream: true });
    if (this.#isStream) this.#takeLines();
    if (this.#hasRoom()) return;
    this.#rest = "";
    this.#isTooLong = true;
    this.#hasMissed = true;
  }

  #hasRoom(): boolean {
    const more = this.#rest.length - this.#room;
    if (more <= 0) return true;
    if (this.#rest.length > pieceCharsMax || !this.#grow(more)) return false;
    this.#room = this.#rest.length;
    return true;
  }

  /** What was used. Where the answer has not said so itself, nothing is reckoned lower than it can have been. */
  end(ask: Ask, isWhole: boolean): Metered {
    this.#rest += this.#decoder.decode();
    if (this.#isStream) this.#takeLine(this.#rest);
    else if (!this.#isTooLong) this.#takeWhole(this.#rest);
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, model, complete } = this.#noted;
    const cache = { cacheReadTokens, cacheWriteTokens };
    const isUnfinished = !complete && !this.#hasMissed;
    if (complete && isWhole && inputTokens !== null && outputTokens !== null)
      return { usage: { inputTokens, outputTokens, ...cache }, extent: "whole", model, isUnfinished };
    const seen = Math.max(outputTokens ?? 0, Math.min(ask.outputTokens, tokensOf(this.#wordBytes)));
    const usage = { inputTokens: inputTokens ?? ask.inputTokens, outputTokens: seen, ...cache };
    return { usage, extent: "partial", model, isUnfinished };
  }

  #takeLines(): void {
    let from = 0;
    for (let at = this.#rest.indexOf("\n"); at !== -1; at = this.#rest.indexOf("\n", from)) {
      if (!this.#isTooLong) this.#takeLine(this.#rest.slice(from, at));
      this.#isTooLong = false;
      from = at + 1;
    }
    if (from > 0) this.#rest = this.#rest.slice(from);
  }

  #takeLine(line: string): void {
    if (!line.startsWith("data:")) return;
    this.#takePiece(this.#parse(line.slice("data:".length)));
  }

  #takeWhole(text: string): void {
    const value = this.#parse(text);
    for (const piece of Array.isArray(value) ? value : [value]) this.#takePiece(piece);
  }

  #parse(text: string): unknown {
    if (tooMuchIn(text, bounds) === undefined) return parse(text);
    this.#hasMissed = true;
    // All of it may be words.
    this.#wordBytes += Buffer.byteLength(text);
    return undefined;
  }

  #takePiece(piece: unknown): void {
    if (typeof piece !== "object" || piece === null) return;
    this.#wordBytes += bytesOfWords(piece);
    usageReaders[this.#format](fieldsOf(piece), this.#noted);
  }
}

/** Without recursion: nobody has bounded how deeply an answer is nested. */
function bytesOfWords(piece: object): number {
  let bytes = 0;
  const open: unknown[] = [piece];
  while (open.length > 0) {
    for (const [name, each] of Object.entries(fieldsOf(open.pop()))) {
      if (typeof each === "string") bytes += wordFields.has(name) ? Buffer.byteLength(each) : 0;
      else if (typeof each === "object" && each !== null) open.push(each);
    }
  }
  return bytes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
