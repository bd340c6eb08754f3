// A patch as it is drawn: one block for each hunk, with the unchanged lines before it, so that each can be decided on by
// itself. What is in a patch was written by agents; it is taken apart by counting, never by what its lines look like.

import type { Change } from "../../protocol/wire/change.ts";

export type DiffRow = {
  readonly sign: " " | "-" | "+";
  /** Line numbers of both sides, where the line is on that side. */
  readonly old: number | null;
  readonly new: number | null;
  readonly text: string;
  /** Whether the file ends without a newline here. */
  readonly noEnd: boolean;
};

export type DiffBlock = {
  /** Names the hunk in an approval; null where a part cannot be chosen. */
  readonly hunk: string | null;
  /** Where it is: −3,1 +3,2. */
  readonly place: string;
  readonly rows: readonly DiffRow[];
};

type Section = { readonly rows: DiffRow[] };

export function toBlocks({ patch, hunks }: Pick<Change, "patch" | "hunks">): DiffBlock[] {
  const blocks = parseSections(patch).flatMap(({ rows }) => splitRows(rows));
  // What became another kind of thing is drawn as gone and new: its parts are not those that could be approved.
  const isByHunk = blocks.length === hunks.length;
  return blocks.map((rows, at) => ({
    hunk: isByHunk ? (hunks[at]?.id ?? null) : null,
    place: placeOf(rows),
    rows,
  }));
}

export function countLines(blocks: readonly DiffBlock[]): { readonly added: number; readonly removed: number } {
  const rows = blocks.flatMap((block) => block.rows);
  return {
    added: rows.filter(({ sign }) => sign === "+").length,
    removed: rows.filter(({ sign }) => sign === "-").length,
  };
}

/** Rows beside each other: what was removed left of what took its place. */
export function toPairs(rows: readonly DiffRow[]): { readonly left: DiffRow | null; readonly right: DiffRow | null }[] {
  const pairs: { left: DiffRow | null; right: DiffRow | null }[] = [];
  for (let at = 0; at < rows.length;) {
    const run = rows.slice(at, endOfRun(rows, at));
    const [first] = run;
    if (first?.sign === " ") {
      for (const row of run) pairs.push({ left: row, right: row });
    } else {
      const removed = run.filter(({ sign }) => sign === "-");
      const added = run.filter(({ sign }) => sign === "+");
      for (let line = 0; line < Math.max(removed.length, added.length); line++)
        pairs.push({ left: removed[line] ?? null, right: added[line] ?? null });
    }
    at += run.length;
  }
  return pairs;
}

/** The part in which two lines differ, as offsets from the start and from the end; null where they have little in common. */
export function differenceOf(before: string, after: string): { readonly start: number; readonly end: number } | null {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return (start + end) * 3 >= Math.max(before.length, after.length) ? { start, end } : null;
}

function parseSections(patch: string): Section[] {
  const lines = patch.split("\n");
  const sections: Section[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, oldFrom, oldCount = "1", newFrom, newCount = "1"] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines[at] ?? "") ?? [];
    if (oldFrom === undefined || newFrom === undefined) continue;
    const left = { old: Number(oldCount), new: Number(newCount) };
    // An empty side is named by the line before it.
    const next = { old: Number(oldFrom) + (left.old === 0 ? 1 : 0), new: Number(newFrom) + (left.new === 0 ? 1 : 0) };
    const rows: DiffRow[] = [];
    while (left.old > 0 || left.new > 0) {
      const line = lines[++at];
      const sign = line?.[0];
      if (line === undefined || (sign !== " " && sign !== "-" && sign !== "+")) break;
      const noEnd = lines[at + 1]?.startsWith("\\") === true;
      rows.push({
        sign,
        old: sign === "+" ? null : next.old,
        new: sign === "-" ? null : next.new,
        text: line.slice(1),
        noEnd,
      });
      if (noEnd) at += 1;
      if (sign !== "+") advance("old");
      if (sign !== "-") advance("new");
    }
    sections.push({ rows });

    function advance(side: "old" | "new"): void {
      left[side] -= 1;
      next[side] += 1;
    }
  }
  return sections;
}

/** A block ends where the next change begins; the unchanged lines between two belong to the second. */
function splitRows(rows: readonly DiffRow[]): DiffRow[][] {
  const blocks: DiffRow[][] = [];
  let block: DiffRow[] = [];
  for (const [at, row] of rows.entries()) {
    const before = rows[at - 1];
    const endsChange = row.sign === " " && before !== undefined && before.sign !== " ";
    if (endsChange && rows.slice(at).some(({ sign }) => sign !== " ")) {
      blocks.push(block);
      block = [];
    }
    block.push(row);
  }
  return block.length === 0 ? blocks : [...blocks, block];
}

function endOfRun(rows: readonly DiffRow[], from: number): number {
  const isSame = (row: DiffRow | undefined): boolean => (row?.sign === " ") === (rows[from]?.sign === " ");
  let at = from;
  while (at < rows.length && isSame(rows[at])) at += 1;
  return at;
}

function placeOf(rows: readonly DiffRow[]): string {
  const side = (key: "old" | "new"): string => {
    const numbers = rows.flatMap((row) => (row[key] === null ? [] : [row[key]]));
    return numbers.length === 0 ? "0,0" : `${numbers[0]},${numbers.length}`;
  };
  return `−${side("old")} +${side("new")}`;
}
