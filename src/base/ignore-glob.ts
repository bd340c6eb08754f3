// The patterns of ignore files, as git reads them. A slash divides a pattern into the names of a path; within a name `*`, `?` and sets of
// characters stand for others, and `**` alone between slashes stands for any number of folders.

import { fits, type Work } from "./fits.ts";

/** The characters of a name. */
export type Name = readonly string[];

/** What stands for one name of a path, or for any number of them. */
type Part = typeof anyFolders | readonly Piece[];
/** A character stands for itself. */
type Piece = string | typeof anyText | typeof anyChar | CharSet;
type CharSet = { readonly isNegated: boolean; readonly ranges: readonly Range[] };
type Range = readonly [from: number, to: number];

export type IgnoreGlob = readonly Part[];

const anyFolders = { is: "**" } as const;
const anyText = { is: "*" } as const;
const anyChar = { is: "?" } as const;

export function toName(text: string): Name {
  return Array.from(text);
}

/** Whether a pattern names this path, `from` one of its names on. Where the work does not suffice, it does not. */
export function namesPath(glob: IgnoreGlob, path: readonly Name[], from: number, work: Work): boolean {
  const standsFor = (piece: Piece, char: string): boolean => {
    if (typeof piece === "string") return piece === char;
    return piece === anyChar || ("ranges" in piece && isInSet(piece, char, work));
  };
  return fits<Part, Name>(glob, path, {
    star: anyFolders,
    matches: (part, name) => !("is" in part) && fits(part, name, { star: anyText, matches: standsFor, work }),
    work,
    from,
  });
}

function isInSet({ isNegated, ranges }: CharSet, char: string, work: Work): boolean {
  work.stepsLeft -= ranges.length;
  const code = codeOf(char);
  return ranges.some(([from, to]) => from <= code && code <= to) !== isNegated;
}

/** Undefined for a pattern that is broken: such a one matches nothing. */
export function parseIgnoreGlob(text: string): IgnoreGlob | undefined {
  const chars = toName(text);
  const parts: Part[] = [];
  let pieces: Piece[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? "";
    // A slash behind a backslash is one, too.
    const escaped = char === "\\" ? chars[++at] : undefined;
    if (char === "\\" && escaped === undefined) return undefined;
    if (char === "/" || escaped === "/") {
      parts.push(pieces);
      pieces = [];
    } else if (escaped !== undefined) {
      pieces.push(escaped);
    } else if (char === "*") {
      const end = endOfStars(chars, at);
      const next = chars[end] === "\\" ? `\\${chars[end + 1]}` : chars[end];
      const isWhole = end > at + 1 && pieces.length === 0 && (next === "/" || next === "\\/" || next === undefined);
      if (isWhole) parts.push(anyFolders);
      // Only with a plain slash behind may there be no folder at all: elsewhere it takes one name at least.
      if (!isWhole || next !== "/") pieces.push(anyText);
      at = isWhole && next === "/" ? end : end - 1;
    } else if (char === "?") {
      pieces.push(anyChar);
    } else if (char === "[") {
      const set = readSet(chars, at);
      if (set === undefined) return undefined;
      pieces.push(set.set);
      at = set.end;
    } else {
      pieces.push(char);
    }
  }
  return [...parts, pieces];
}

function endOfStars(chars: readonly string[], start: number): number {
  let end = start;
  while (chars[end] === "*") end++;
  return end;
}

/** A set of characters such as `[a-c]` or `[!x]`; undefined where it has no end, or names a kind that there is not. */
function readSet(chars: readonly string[], start: number): { readonly set: CharSet; readonly end: number } | undefined {
  let at = start + 1;
  const isNegated = chars[at] === "!" || chars[at] === "^";
  if (isNegated) at++;
  const ranges: Range[] = [];
  /** What a range would begin with. */
  let before: number | undefined;
  for (let isFirst = true; at < chars.length; at++, isFirst = false) {
    const char = chars[at] ?? "";
    if (char === "]" && !isFirst) return { set: { isNegated, ranges }, end: at };
    const next = chars[at + 1];
    if (char === "-" && before !== undefined && next !== undefined && next !== "]") {
      if (next === "\\") at++;
      const last = chars[++at];
      if (last === undefined) return undefined;
      ranges.push([before, codeOf(last)]);
      before = undefined;
      continue;
    }
    if (char === "[" && next === ":") {
      const end = chars.indexOf("]", at + 2);
      if (end < 0) return undefined;
      if (end > at + 2 && chars[end - 1] === ":") {
        const named = namedSets.get(chars.slice(at + 2, end - 1).join(""));
        if (named === undefined) return undefined;
        ranges.push(...named);
        before = undefined;
        at = end;
        continue;
      }
    }
    const meant = char === "\\" ? chars[++at] : char;
    if (meant === undefined) return undefined;
    before = codeOf(meant);
    ranges.push([before, before]);
  }
  return undefined;
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function rangesOf(...ranges: readonly (readonly [string, string])[]): Range[] {
  return ranges.map(([from, to]) => [codeOf(from), codeOf(to)]);
}

const upper = rangesOf(["A", "Z"]);
const lower = rangesOf(["a", "z"]);
const digit = rangesOf(["0", "9"]);
const namedSets: ReadonlyMap<string, readonly Range[]> = new Map([
  ["upper", upper],
  ["lower", lower],
  ["digit", digit],
  ["alpha", [...upper, ...lower]],
  ["alnum", [...upper, ...lower, ...digit]],
  ["xdigit", [...digit, ...rangesOf(["a", "f"], ["A", "F"])]],
  ["blank", rangesOf([" ", " "], ["\t", "\t"])],
  ["space", rangesOf([" ", " "], ["\t", "\n"], ["\r", "\r"])],
  ["cntrl", rangesOf(["\0", "\u001f"], ["\u007f", "\u007f"])],
  ["print", rangesOf([" ", "~"])],
  ["graph", rangesOf(["!", "~"])],
  ["punct", rangesOf(["!", "/"], [":", "@"], ["[", "`"], ["{", "~"])],
]);
