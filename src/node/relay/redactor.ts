// Finds secrets where they must not be: in plain, and however else they are spelled on the way (base/spellings).

import { setImmediate as others } from "node:timers/promises";
import { patternsOf } from "../../base/spellings/patterns.ts";
import { type Span, SpelledFinder } from "../../base/spellings/spelled-finder.ts";

/** What a secret is replaced by in what is kept. */
export const redacted = "[redacted]";

/** Shorter ones would be found where they do not stand. */
const valueCharsMin = 8;
/** What is looked at in one breath: some milliseconds, whatever it is. */
const pieceBytes = 65_536;

export function isHideable(value: string): boolean {
  return value.length >= valueCharsMin;
}

export function finderOf(values: readonly string[]): SpelledFinder {
  const known = new Set(values.filter(isHideable));
  return new SpelledFinder([...known].map((value) => Buffer.from(value)));
}

/** Replaces the values in a text, in every spelling. */
export function redact(text: string, values: readonly string[]): string {
  const bytes = Buffer.from(text);
  return withoutSpans(text, bytes, finderOf(values).find(bytes, true).spans);
}

/** The same for what somebody else wrote and may be large: between pieces of it, others have their turn. */
export async function redactInTurns(text: string, values: readonly string[]): Promise<string> {
  const bytes = Buffer.from(text);
  return withoutSpans(text, bytes, await findInTurns(bytes, values));
}

/** Where the values stand, in every spelling. Between pieces, others have their turn. */
export async function findInTurns(bytes: Buffer, values: readonly string[]): Promise<Span[]> {
  const finder = finderOf(values);
  const spans: Span[] = [];
  for (let from = 0, size = pieceBytes; from < bytes.length; await others()) {
    const piece = bytes.subarray(from, from + size);
    const isEnd = from + piece.length === bytes.length;
    const found = finder.find(piece, isEnd);
    for (const span of found.spans)
      if (span.from < found.open || isEnd) spans.push({ from: from + span.from, to: from + span.to });
    // What may go on beyond the piece is looked at again, with more behind it.
    size = found.open === 0 ? size * 2 : pieceBytes;
    from += found.open;
  }
  return spans;
}

function withoutSpans(text: string, bytes: Buffer, spans: readonly Span[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of spans) {
    // Of values that overlap, one is said to stand there.
    if (from >= done) parts.push(bytes.toString("utf8", done, from), redacted);
    done = Math.max(done, to);
  }
  return done === 0 ? text : [...parts, bytes.toString("utf8", done)].join("");
}

/** Exact forms of the values, for keepers of earlier releases, which know no other: the longest first. */
export function formsOf(values: readonly string[]): string[] {
  const forms = new Set(values.flatMap(formsOfOne));
  return [...forms].toSorted((a, b) => b.length - a.length);
}

function formsOfOne(value: string): string[] {
  const whole = patternsOf(Buffer.from(value)).map(({ bytes }) => Buffer.from(bytes).toString());
  const inUrls = whole.map((form) => form.replaceAll("+", "-").replaceAll("/", "_")).slice(1);
  const inText = [JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
  return [...whole, ...inUrls, ...inText, Buffer.from(value).toString("hex").toUpperCase()];
}
