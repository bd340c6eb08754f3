// Where two sides have changed one file: each place with what was there, what mainline has made of it and what the run has.

import type { Change } from "../../protocol/wire/change.ts";
import { toBlocks } from "./diff-blocks.ts";

export type MeetingPlace = {
  /** The first line of the base that somebody has changed. */
  readonly from: number;
  /** Which line that is of each side. */
  readonly starts: { readonly base: number; readonly theirs: number; readonly ours: number };
  /** Whether both have changed it, and not to the same. */
  readonly isMet: boolean;
  readonly base: readonly string[];
  readonly theirs: readonly string[];
  readonly ours: readonly string[];
  /** Unchanged lines around it, as far as they are known. */
  readonly before: readonly string[];
  readonly after: readonly string[];
};

type Edit = { readonly from: number; readonly removed: string[]; readonly added: string[] };
type Side = { readonly edits: readonly Edit[]; readonly known: ReadonlyMap<number, string> };

const aroundLines = 2;

export function toMeetingPlaces({ patch, theirs }: Pick<Change, "patch" | "theirs">): MeetingPlace[] {
  const own = readSide(patch);
  const other = readSide(theirs?.patch ?? "");
  const known = new Map([...other.known, ...own.known]);
  const linesAt = (from: number, to: number): string[] => {
    const lines: string[] = [];
    for (let line = from; line < to; line++) lines.push(known.get(line) ?? "");
    return lines;
  };
  return groupEdits([...own.edits, ...other.edits]).map(({ from, to }) => {
    const base = linesAt(from, to);
    const mine = own.edits.filter((edit) => isWithin(edit, from, to));
    const their = other.edits.filter((edit) => isWithin(edit, from, to));
    const sides = { ours: applyEdits(base, from, mine), theirs: applyEdits(base, from, their) };
    const isMet = mine.length > 0 && their.length > 0 && sides.ours.join("\n") !== sides.theirs.join("\n");
    const starts = {
      base: from,
      theirs: from + shiftBefore(other.edits, from),
      ours: from + shiftBefore(own.edits, from),
    };
    return { from, starts, isMet, base, ...sides, before: linesBefore(known, from), after: linesAfter(known, to) };
  });
}

function readSide(patch: string): Side {
  const known = new Map<number, string>();
  const edits: Edit[] = [];
  // The line of the base that comes next; a patch that begins with something new begins at the first one.
  let next = 1;
  let open: Edit | null = null;
  for (const { sign, old, text } of toBlocks({ patch, hunks: [] }).flatMap(({ rows }) => rows)) {
    if (old !== null) {
      // Lines that the patch leaves out lie between two edits.
      if (old !== next) open = null;
      known.set(old, text);
      next = old + 1;
    }
    if (sign === " ") {
      open = null;
      continue;
    }
    if (open === null) {
      open = { from: old ?? next, removed: [], added: [] };
      edits.push(open);
    }
    if (sign === "-") open.removed.push(text);
    else open.added.push(text);
  }
  return { edits, known };
}

/** Edits that touch each other are one place, as for whoever merges them. */
function groupEdits(edits: readonly Edit[]): { readonly from: number; readonly to: number }[] {
  const groups: { from: number; to: number }[] = [];
  for (const { from, removed } of edits.toSorted((a, b) => a.from - b.from)) {
    const last = groups.at(-1);
    const to = from + removed.length;
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else groups.push({ from, to });
  }
  return groups;
}

/** By how many lines a side is longer up to there. */
function shiftBefore(edits: readonly Edit[], from: number): number {
  const earlier = edits.filter((edit) => edit.from < from);
  return earlier.reduce((sum, { added, removed }) => sum + added.length - removed.length, 0);
}

function isWithin({ from, removed }: Edit, start: number, end: number): boolean {
  return from >= start && from + removed.length <= end;
}

function applyEdits(base: readonly string[], from: number, edits: readonly Edit[]): string[] {
  const lines: string[] = [];
  let at = from;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    lines.push(...base.slice(at - from, edit.from - from), ...edit.added);
    at = edit.from + edit.removed.length;
  }
  return [...lines, ...base.slice(at - from)];
}

function linesBefore(known: ReadonlyMap<number, string>, from: number): string[] {
  const lines: string[] = [];
  for (let line = from - 1; line >= from - aroundLines && known.has(line); line--) lines.unshift(known.get(line) ?? "");
  return lines;
}

function linesAfter(known: ReadonlyMap<number, string>, to: number): string[] {
  const lines: string[] = [];
  for (let line = to; line < to + aroundLines && known.has(line); line++) lines.push(known.get(line) ?? "");
  return lines;
}
