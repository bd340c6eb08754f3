// A change in pieces that can be approved one by one (LD23). A hunk is the least that can be chosen: between two hunks
// there is at least one line that did not change. Which of them were chosen is for others to know.

import { assert } from "../../base/assert.ts";
import { diffLines, splitLines } from "./text-diff.ts";

export type Hunk = {
  /** Its number from the top, as text. It names this hunk of this base and this work; a moved base makes new ones. */
  readonly id: string;
  /** Lines [baseFrom, baseTo) of the base, counted from 0, are replaced by lines [workFrom, workTo) of the work. */
  readonly baseFrom: number;
  readonly baseTo: number;
  readonly workFrom: number;
  readonly workTo: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** The unchanged lines around it, at most `contextLines` on each side. */
  readonly before: readonly string[];
  readonly after: readonly string[];
};

export const contextLines = 3;

/** The hunks from base to work, in order. */
export function hunksOf({ base, work }: { base: string; work: string }): Hunk[] {
  const baseLines = splitLines(base);
  const workLines = splitLines(work);
  const changes = diffLines(baseLines, workLines);
  return changes.map((change, at) => {
    const from = Math.max(changes[at - 1]?.baseTo ?? 0, change.baseFrom - contextLines);
    const to = Math.min(changes[at + 1]?.baseFrom ?? baseLines.length, change.baseTo + contextLines);
    return {
      id: String(at + 1),
      ...change,
      removed: baseLines.slice(change.baseFrom, change.baseTo),
      added: workLines.slice(change.workFrom, change.workTo),
      before: baseLines.slice(from, change.baseFrom),
      after: baseLines.slice(change.baseTo, to),
    };
  });
}

/** The base with the chosen hunks and no others: all of them give the work, none the base. */
export function applyHunks(base: string, hunks: readonly Hunk[], chosen: ReadonlySet<string>): string {
  const lines = splitLines(base);
  const parts: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    assert(hunk.baseFrom >= at && hunk.baseTo <= lines.length, "hunks come in order and belong to this base");
    parts.push(...lines.slice(at, hunk.baseFrom), ...(chosen.has(hunk.id) ? hunk.added : hunk.removed));
    at = hunk.baseTo;
  }
  parts.push(...lines.slice(at));
  return parts.join("");
}
