// Finds secrets where they must not be: in plain, and however else they are spelled on the way (base/spellings).

import { patternsOf } from "../../base/spellings/patterns.ts";
import { SpelledFinder } from "../../base/spellings/spelled-finder.ts";

/** What a secret is replaced by in what is kept. */
export const redacted = "[redacted]";

/** Shorter ones would be found where they do not stand. */
const valueCharsMin = 8;

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
  const parts: string[] = [];
  let done = 0;
  for (const { from, to } of finderOf(values).find(bytes, true).spans) {
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
