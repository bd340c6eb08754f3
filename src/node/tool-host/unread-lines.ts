// Which lines of mainline's side a run has still to be shown before it may say that it has made one file of both (LD31): those that
// somebody has put there, and around what they took away. Lines count from 1.

import { diffLines, splitLines } from "../../core/landing/text-diff.ts";

/** Both ends are among them. */
export type Lines = { readonly from: number; readonly to: number };

/** How many stretches are named; the others are counted. */
const namedMax = 5;

/** The lines that tell what became of the base; all of them where there is none. */
export function linesToRead(base: string | undefined, theirs: string): Lines[] {
  const lines = splitLines(theirs);
  const last = lines.length;
  if (last === 0) return [];
  if (base === undefined) return [{ from: 1, to: last }];
  return diffLines(splitLines(base), lines).map(({ workFrom, workTo }) =>
    workTo > workFrom
      ? { from: workFrom + 1, to: workTo }
      : { from: Math.max(1, workFrom), to: Math.min(last, workFrom + 1) },
  );
}

/** The same lines in their order, none of them twice. */
export function together(parts: readonly Lines[]): Lines[] {
  const all: Lines[] = [];
  for (const { from, to } of parts.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last === undefined || from > last.to + 1) all.push({ from, to });
    else all[all.length - 1] = { from: last.from, to: Math.max(last.to, to) };
  }
  return all;
}

/** What of the lines is not among those that were seen; both in their order. Each is looked at once: somebody may have read a long file line by line. */
export function unreadOf(lines: readonly Lines[], seen: readonly Lines[]): Lines[] {
  const rest: Lines[] = [];
  let at = 0;
  for (const { from, to } of lines) {
    let next = from;
    while ((seen[at]?.to ?? Infinity) < from) at++;
    for (let index = at; next <= to; index++) {
      const part = seen[index];
      if (part === undefined || part.from > to) break;
      if (part.from > next) rest.push({ from: next, to: part.from - 1 });
      next = part.to + 1;
    }
    if (next <= to) rest.push({ from: next, to });
  }
  return rest;
}

export function sayLines(lines: readonly Lines[]): string {
  const named = lines.slice(0, namedMax).map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`));
  const more = lines.length > namedMax ? ` and ${lines.length - namedMax} more` : "";
  return `${lines.length === 1 && lines[0]?.from === lines[0]?.to ? "line" : "lines"} ${named.join(", ")}${more}`;
}
