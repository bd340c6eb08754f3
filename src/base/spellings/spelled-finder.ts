// Finds values in a text however they are spelled there: each of their characters as it is or escaped in any way, all of it as base64,
// base32 or hex, wrapped or not, also in mixtures. One walk over the bytes looks for all of them: a table of pairs of bytes says where one may
// begin, which is nowhere in most texts, and only from there it is tried.

import { ampersand, backslash, type Escape, escapesAt, mayEscape, percent } from "./escapes.ts";
import { isGap, meaningOf, type Pattern, patternsOf } from "./patterns.ts";

export type Span = { readonly from: number; readonly to: number };
/** Where values are, and from where on the end of the text may be the beginning of one. */
export type Found = { readonly spans: readonly Span[]; readonly open: number };

/** Of all gaps in one value: a line's end and the next one's indentation, and what sets single bytes apart (`0x61, 0x62`). */
const gapBytesMax = 64;
const gapBytesPerDigit = 4;
const plus = 0x2b;
const space = 0x20;
const zero = 0x30;
const letterX = 0x78;

/** Where a value ends, -1 where there is none, and whether more of the text could make it one, or a longer one. */
type Match = { end: number; isOpen: boolean };
/** A place in a pattern that was come to at a place in the text. */
type Place = { readonly index: number; readonly at: number; readonly gapBytes: number };

export class SpelledFinder {
  readonly #patterns: readonly Pattern[];
  /** By the byte that one can begin with. */
  readonly #byFirst: readonly Pattern[][];
  /** For each pair of bytes, whether a value may begin with it, in any spelling. */
  readonly #pairs = new Uint8Array(65_536);

  constructor(values: readonly Uint8Array[]) {
    this.#patterns = values.flatMap(patternsOf);
    this.#byFirst = Array.from({ length: 256 }, (_, byte) =>
      this.#patterns.filter((pattern) => isMeant(pattern, 0, byte)),
    );
    for (let first = 0; first < 256; first++) this.#markPairs(first);
  }

  get isEmpty(): boolean {
    return this.#patterns.length === 0;
  }

  /** All of them in a text. Where it is not its end that has come, what may go on is `open`. */
  find(bytes: Uint8Array, isEnd: boolean): Found {
    const spans: Span[] = [];
    if (this.isEmpty) return { spans, open: bytes.length };
    let openAt = bytes.length;
    const last = bytes.length - 1;
    for (let at = 0, pair = bytes[0] ?? 0; at < last; at++) {
      pair = ((pair & 255) << 8) | (bytes[at + 1] as number);
      if (this.#pairs[pair] === 0) continue;
      const match = this.#matchAt(bytes, at);
      if (match.end > at) spans.push({ from: at, to: match.end });
      if (match.isOpen) openAt = Math.min(openAt, at);
    }
    if (last >= 0 && this.#mayBegin(bytes[last] as number)) openAt = Math.min(openAt, last);
    return { spans, open: isEnd ? bytes.length : openAt };
  }

  #markPairs(first: number): void {
    const patterns = this.#byFirst[first] ?? [];
    if (patterns.length === 0 && !isIntroducer(first)) return;
    const isWanted = (value: number): boolean => (this.#byFirst[value] ?? []).length > 0;
    for (let second = 0; second < 256; second++) {
      const isSecond = (pattern: Pattern): boolean =>
        isIntroducer(second) || isMeant(pattern, 1, second) || isGap(pattern.kind, second) || second === zero;
      if (mayEscape(first, second, isWanted) || patterns.some(isSecond)) this.#pairs[(first << 8) | second] = 1;
    }
  }

  #mayBegin(byte: number): boolean {
    return isIntroducer(byte) || (this.#byFirst[byte] ?? []).length > 0;
  }

  /** The longest value that begins here. */
  #matchAt(bytes: Uint8Array, at: number): Match {
    const match = { end: -1, isOpen: false };
    const first = bytes[at] as number;
    for (const pattern of this.#byFirst[first] ?? []) follow(bytes, pattern, { index: 1, at: at + 1 }, match);
    if (!isIntroducer(first)) return match;
    const { ways, isOpen } = escapesAt(bytes, at);
    match.isOpen ||= isOpen;
    for (const way of ways)
      for (const pattern of this.#byFirst[leadOf(way)] ?? []) {
        const index = matchWay(pattern, 0, way);
        if (index > 0) follow(bytes, pattern, { index, at: way.end }, match);
      }
    return match;
  }
}

/** Goes on with a pattern from a place in the text, and notes what comes of it. */
function follow(bytes: Uint8Array, pattern: Pattern, from: Pick<Place, "index" | "at">, match: Match): void {
  let seen: Set<number> | undefined;
  const places: Place[] = [{ ...from, gapBytes: 0 }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (place.index === pattern.bytes.length) {
      match.end = Math.max(match.end, place.at);
      continue;
    }
    if (place.at >= bytes.length) {
      match.isOpen = true;
      continue;
    }
    // Only what can be read in several ways could come to the same place twice.
    const key = place.at * 65_536 + place.index;
    if (seen?.has(key) === true) continue;
    seen?.add(key);
    if (step(bytes, pattern, place, places)) match.isOpen = true;
    if (places.length > 1) seen ??= new Set();
  }
}

/** Adds the places that one can come to from here; answers whether more of the text could add others. */
function step(bytes: Uint8Array, pattern: Pattern, { index, at, gapBytes }: Place, places: Place[]): boolean {
  const byte = bytes[at] as number;
  const { kind } = pattern;
  if (isMeant(pattern, index, byte)) places.push({ index: index + 1, at: at + 1, gapBytes });
  // Without a bound for all of them together, somebody could write what goes on for ever and is never one.
  const mayGap = gapBytes < gapBytesMax + gapBytesPerDigit * pattern.bytes.length;
  if (mayGap && isGap(kind, byte)) places.push({ index, at: at + 1, gapBytes: gapBytes + 1 });
  if (mayGap && kind === "hex" && byte === zero && index % 2 === 0) {
    if (bytes[at + 1] === undefined) return true;
    if (bytes[at + 1] === letterX) places.push({ index, at: at + 2, gapBytes: gapBytes + 2 });
  }
  if (!isIntroducer(byte)) return false;
  const { ways, isOpen } = escapesAt(bytes, at);
  for (const way of ways) {
    const next = matchWay(pattern, index, way);
    if (next > index) places.push({ index: next, at: way.end, gapBytes });
    if (mayGap && isGap(kind, way.value)) places.push({ index, at: way.end, gapBytes: gapBytes + way.end - at });
  }
  return isOpen;
}

/** The index after what an escape stands for, or none where that is not what comes there. */
function matchWay(pattern: Pattern, index: number, { value, isByte }: Escape): number {
  if (isByte || value < 0x80) return isMeant(pattern, index, value) ? index + 1 : -1;
  const wanted = toUtf8(value);
  return wanted.every((byte, offset) => pattern.bytes[index + offset] === byte) ? index + wanted.length : -1;
}

function isMeant({ kind, bytes }: Pattern, index: number, byte: number): boolean {
  const wanted = bytes[index];
  return meaningOf(kind, byte) === wanted || (kind === "plain" && byte === plus && wanted === space);
}

function isIntroducer(byte: number): boolean {
  return byte === backslash || byte === percent || byte === ampersand;
}

function leadOf({ value, isByte }: Escape): number {
  return isByte || value < 0x80 ? value : (toUtf8(value)[0] ?? 0);
}

function toUtf8(point: number): number[] {
  const rest = (shift: number): number => 0x80 | ((point >> shift) & 63);
  if (point < 0x8_00) return [0xc0 | (point >> 6), rest(0)];
  if (point < 0x1_00_00) return [0xe0 | (point >> 12), rest(6), rest(0)];
  return [0xf0 | (point >> 18), rest(12), rest(6), rest(0)];
}
