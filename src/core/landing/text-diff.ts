// What changed between two texts, line by line. A line ends with its newline and keeps it, so that carriage returns and
// a missing last newline are part of what is compared, and putting lines together again gives the same bytes.

import { findUnpaired } from "./shortest-script.ts";

/** Lines [baseFrom, baseTo) of the base became lines [workFrom, workTo) of the work. */
export type LineChange = {
  readonly baseFrom: number;
  readonly baseTo: number;
  readonly workFrom: number;
  readonly workTo: number;
};

/**
 * Where lines repeat, one change can be read in several ways: of three equal lines any may be the one that is gone. The
 * last place, sought from the front, is what people expect to see; the others are asked for to learn whether it makes a
 * difference.
 */
export type Reading = { readonly sought: "ahead" | "back"; readonly place: "first" | "last" };

export const usualReading: Reading = { sought: "ahead", place: "last" };

/** The lines of a text, each with its newline; only the last may lack it. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let from = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
    lines.push(text.slice(from, at + 1));
    from = at + 1;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}

/** The changes from base to work, in order; between any two there is a line that did not change. */
export function diffLines(base: readonly string[], work: readonly string[]): LineChange[] {
  const [baseIds, workIds] = numberLines([base, work]);
  return diffNumbered({ base: baseIds, work: workIds }, usualReading);
}

/** Both texts, each line as a number. */
export type Numbered = { readonly base: Int32Array; readonly work: Int32Array };

/** The same of lines that were numbered, in one of several readings. */
export function diffNumbered(ahead: Numbered, reading: Reading): LineChange[] {
  const back = { base: ahead.base.toReversed(), work: ahead.work.toReversed() };
  const found = reading.sought === "ahead" ? findChanges(ahead) : mirror(findChanges(back), back);
  const toFirst = (changes: readonly LineChange[]): LineChange[] =>
    mirror(slideToEnd(mirror(changes, ahead), back), back);
  const toLast = (changes: readonly LineChange[]): LineChange[] => slideToEnd(changes, ahead);
  // First all the way to the other end: what meets another change on the way belongs to it.
  return reading.place === "last" ? toLast(toFirst(found)) : toFirst(toLast(found));
}

/** Equal lines of all the texts get equal numbers, so that comparing two costs nothing. */
export function numberLines<const T extends readonly (readonly string[])[]>(texts: T): { [K in keyof T]: Int32Array } {
  const numbers = new Map<string, number>();
  return texts.map((lines) => toNumbers(lines, numbers)) as { [K in keyof T]: Int32Array };
}

/** The same changes, counted from the other end. */
function mirror(changes: readonly LineChange[], { base, work }: Numbered): LineChange[] {
  return changes
    .map(({ baseFrom, baseTo, workFrom, workTo }) => ({
      baseFrom: base.length - baseTo,
      baseTo: base.length - baseFrom,
      workFrom: work.length - workTo,
      workTo: work.length - workFrom,
    }))
    .toReversed();
}

function toNumbers(lines: readonly string[], numbers: Map<string, number>): Int32Array {
  const ids = new Int32Array(lines.length);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    let id = numbers.get(line);
    if (id === undefined) numbers.set(line, (id = numbers.size));
    ids[at] = id;
  }
  return ids;
}

function findChanges({ base, work }: Numbered): LineChange[] {
  // Lines that only one side has are changed whatever happens; without them a rewritten file costs nothing to search.
  const baseAt = placesOf(base, work);
  const workAt = placesOf(work, base);
  const unpaired = findUnpaired(pick(base, baseAt), pick(work, workAt));
  const isBaseKept = toKept(base.length, baseAt, unpaired.base);
  const isWorkKept = toKept(work.length, workAt, unpaired.work);
  const changes: LineChange[] = [];
  let inBase = 0;
  let inWork = 0;
  while (inBase < base.length || inWork < work.length) {
    if (isBaseKept[inBase] === 1 && isWorkKept[inWork] === 1) {
      inBase++;
      inWork++;
      continue;
    }
    const baseFrom = inBase;
    const workFrom = inWork;
    while (inBase < base.length && isBaseKept[inBase] === 0) inBase++;
    while (inWork < work.length && isWorkKept[inWork] === 0) inWork++;
    changes.push({ baseFrom, baseTo: inBase, workFrom, workTo: inWork });
  }
  return changes;
}

/** Where the lines are that the other side has too. */
function placesOf(lines: Int32Array, other: Int32Array): Int32Array {
  let most = 0;
  for (let at = 0; at < other.length; at++) most = Math.max(most, other[at] ?? 0);
  const isThere = new Uint8Array(most + 1);
  for (let at = 0; at < other.length; at++) isThere[other[at] ?? 0] = 1;
  const places = new Int32Array(lines.length);
  let count = 0;
  for (let at = 0; at < lines.length; at++) {
    if (isThere[lines[at] ?? 0] === 1) places[count++] = at;
  }
  return other.length === 0 ? new Int32Array(0) : places.subarray(0, count);
}

function pick(lines: Int32Array, places: Int32Array): Int32Array {
  const picked = new Int32Array(places.length);
  for (let at = 0; at < places.length; at++) picked[at] = lines[places[at] ?? 0] ?? 0;
  return picked;
}

function toKept(length: number, places: Int32Array, unpaired: Uint8Array): Uint8Array {
  const kept = new Uint8Array(length);
  for (let at = 0; at < places.length; at++) kept[places[at] ?? 0] = unpaired[at] === 0 ? 1 : 0;
  return kept;
}

/** Moves each pure insertion and removal as far towards the end as equal lines allow; those that then meet become one. */
function slideToEnd(changes: readonly LineChange[], { base, work }: Numbered): LineChange[] {
  const slid: LineChange[] = [];
  for (let change of changes.toReversed()) {
    for (;;) {
      const next = slid.at(-1);
      const room = (next?.baseFrom ?? base.length) - change.baseTo;
      const by = slideBy(change, room, { base, work });
      change = {
        baseFrom: change.baseFrom + by,
        baseTo: change.baseTo + by,
        workFrom: change.workFrom + by,
        workTo: change.workTo + by,
      };
      if (next === undefined || by < room) break;
      slid.pop();
      change = { ...change, baseTo: next.baseTo, workTo: next.workTo };
    }
    slid.push(change);
  }
  return slid.toReversed();
}

function slideBy(change: LineChange, room: number, { base, work }: Numbered): number {
  const { baseFrom, baseTo, workFrom, workTo } = change;
  if (baseFrom < baseTo && workFrom < workTo) return 0;
  const [lines, from, to] = baseFrom < baseTo ? [base, baseFrom, baseTo] : [work, workFrom, workTo];
  let by = 0;
  while (by < room && lines[from + by] === lines[to + by]) by++;
  return by;
}
