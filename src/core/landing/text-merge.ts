// Three versions of a text become one (LD27). It knows no paths and no modes, only bytes, and gives back exactly the
// bytes that one of the sides had, line by line.

import { diffNumbered, type LineChange, numberLines, type Reading, splitLines, usualReading } from "./text-diff.ts";
import { decodeText, encodeText } from "./utf8.ts";

/** The bytes of one side; null where there is no file. */
export type Bytes = Uint8Array | null;

export type ThreeSides<T> = { readonly base: T; readonly ours: T; readonly theirs: T };

/** A stretch of all three texts. Put together in order, each pane gives its whole text. */
export type MergeRegion = ThreeSides<string> & {
  /** Who changed it: nobody, one side, both in the same way, or both differently. */
  readonly kind: "same" | "ours" | "theirs" | "both" | "conflict";
};

export type TextMerge =
  | { readonly kind: "clean"; readonly bytes: Bytes }
  | { readonly kind: "conflict"; readonly why: "touching"; readonly regions: readonly MergeRegion[] }
  /** A side is absent or is not text: there are no lines to show. */
  | { readonly kind: "conflict"; readonly why: "not-text" };

/** Whether lines mean anything here: UTF-8 without NUL, of a size that somebody might read. */
export function isText(bytes: Uint8Array): boolean {
  return decodeText(bytes) !== undefined;
}

/**
 * Equal sides win, an unchanged side yields to the changed one, changes that do not touch combine. Changes touch when
 * they share a line of the base or when no line of the base lies between them.
 */
export function mergeText({ base, ours, theirs }: ThreeSides<Bytes>): TextMerge {
  if (isSame(ours, theirs) || isSame(theirs, base)) return { kind: "clean", bytes: ours };
  if (isSame(ours, base)) return { kind: "clean", bytes: theirs };
  const texts = { base: decode(base), ours: decode(ours), theirs: decode(theirs) };
  if (texts.base === undefined || texts.ours === undefined || texts.theirs === undefined) {
    return { kind: "conflict", why: "not-text" };
  }
  const lines = { base: splitLines(texts.base), ours: splitLines(texts.ours), theirs: splitLines(texts.theirs) };
  const [baseIds, oursIds, theirsIds] = numberLines([lines.base, lines.ours, lines.theirs]);
  const ids = { base: baseIds, ours: oursIds, theirs: theirsIds };
  const regions = toRegions({ lines, ids }, usualReading);
  const merged = mergedText(regions);
  if (merged === undefined) return { kind: "conflict", why: "touching", regions };
  return isPlain({ lines, ids }, merged)
    ? { kind: "clean", bytes: encodeText(merged) }
    : { kind: "conflict", why: "touching", regions: joinChanged(regions) };
}

/**
 * Whether every way of reading the changes gives this text. Where lines repeat, a change has no one place, and if another
 * reading gives another text nobody can say which was meant. Only that a change might be pushed up against another one by
 * equal lines is no reason to doubt: whoever adds a function and its closing brace could as well have added the brace above.
 */
function isPlain(texts: Texts, merged: string): boolean {
  const back = mergedText(toRegions(texts, { sought: "back", place: "last" }));
  const first = mergedText(toRegions(texts, { sought: "ahead", place: "first" }));
  return back === merged && (first === undefined || first === merged);
}

function isSame(a: Bytes, b: Bytes): boolean {
  if (a === null || b === null) return a === b;
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

function decode(bytes: Bytes): string | undefined {
  return bytes === null ? undefined : decodeText(bytes);
}

/** The text that the regions agree on; undefined when one of them is a conflict. */
function mergedText(regions: readonly MergeRegion[]): string | undefined {
  if (regions.some(({ kind }) => kind === "conflict")) return undefined;
  return regions.map(({ kind, ours, theirs }) => (kind === "theirs" ? theirs : ours)).join("");
}

/** The three texts as lines, and as the numbers of those. */
type Texts = { readonly lines: ThreeSides<readonly string[]>; readonly ids: ThreeSides<Int32Array> };

function toRegions({ lines, ids }: Texts, reading: Reading): MergeRegion[] {
  const ours = diffNumbered({ base: ids.base, work: ids.ours }, reading);
  const theirs = diffNumbered({ base: ids.base, work: ids.theirs }, reading);
  const regions: MergeRegion[] = [];
  let inOurs = 0;
  let inTheirs = 0;
  // How far each pane has been given out.
  let at: ThreeSides<number> = { base: 0, ours: 0, theirs: 0 };
  const push = (to: ThreeSides<number>, changedBy: "none" | "ours" | "theirs" | "both"): void => {
    const region = {
      base: lines.base.slice(at.base, to.base).join(""),
      ours: lines.ours.slice(at.ours, to.ours).join(""),
      theirs: lines.theirs.slice(at.theirs, to.theirs).join(""),
    };
    const bothKind = region.ours === region.theirs ? "both" : "conflict";
    const kind = changedBy === "none" ? "same" : changedBy === "both" ? bothKind : changedBy;
    if (kind !== "same" || region.base !== "") regions.push({ kind, ...region });
    at = to;
  };
  while (inOurs < ours.length || inTheirs < theirs.length) {
    const start = Math.min(startOf(ours[inOurs]), startOf(theirs[inTheirs]));
    push({ base: start, ours: at.ours + start - at.base, theirs: at.theirs + start - at.base }, "none");
    const before = { ours: inOurs, theirs: inTheirs };
    let end = start;
    for (let grew = true; grew;) {
      const next = startOf(ours[inOurs]) <= startOf(theirs[inTheirs]) ? ours[inOurs] : theirs[inTheirs];
      grew = startOf(next) <= end;
      if (!grew) continue;
      end = Math.max(end, next?.baseTo ?? 0);
      if (next === ours[inOurs]) inOurs++;
      else inTheirs++;
    }
    const to = {
      base: end,
      ours: end + shiftBehind(ours[inOurs - 1]),
      theirs: end + shiftBehind(theirs[inTheirs - 1]),
    };
    const isOurs = inOurs > before.ours;
    push(to, isOurs && inTheirs > before.theirs ? "both" : isOurs ? "ours" : "theirs");
  }
  const end = { base: lines.base.length, ours: lines.ours.length, theirs: lines.theirs.length };
  push(end, "none");
  return regions;
}

function startOf(change: LineChange | undefined): number {
  return change?.baseFrom ?? Number.POSITIVE_INFINITY;
}

/** How many lines further on a side is than its base, behind this change. */
function shiftBehind(change: LineChange | undefined): number {
  return change === undefined ? 0 : change.workTo - change.baseTo;
}

/** Everything from the first change to the last as one conflict. */
function joinChanged(regions: readonly MergeRegion[]): MergeRegion[] {
  const first = regions.findIndex(({ kind }) => kind !== "same");
  const last = regions.findLastIndex(({ kind }) => kind !== "same");
  const changed = regions.slice(first, last + 1);
  const joined: MergeRegion = {
    kind: "conflict",
    base: changed.map(({ base }) => base).join(""),
    ours: changed.map(({ ours }) => ours).join(""),
    theirs: changed.map(({ theirs }) => theirs).join(""),
  };
  return [...regions.slice(0, first), joined, ...regions.slice(last + 1)];
}
