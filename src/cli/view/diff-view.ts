// Diffs as a person reads them: one file after the other, hunks numbered as `approve --hunk` wants them.

import type { Change } from "../../protocol/wire/change.ts";
import type { Colors } from "../output.ts";
import { toSafeLine } from "../text/safe-text.ts";

/** The whole diff, with colours where there are any. */
export function diffLines(changes: readonly Change[], colors: Colors): string[] {
  return changes.flatMap((change) => [...headOf(change, colors), ...bodyOf(change, colors)]);
}

/** One line per file: what happened to it and how much. What still has to land needs a lease for that. */
export function statLines(changes: readonly Change[], colors: Colors, mayLand: boolean): string[] {
  return changes.map((change) => {
    const marks = [
      change.guarded ? "others execute or obey it" : "",
      change.theirs === null ? "" : "somebody else has changed the same place",
      change.held || !mayLand ? "" : "lost its lease: it is claimed again before it lands",
    ].filter((mark) => mark !== "");
    const words = marks.map((mark) => colors.yellow(`  ${mark}`)).join("");
    return `${letterOf(change)} ${toSafeLine(change.path)}  ${sizeOf(change, colors)}${words}`;
  });
}

/** What a reviewer should know of what the run had read; nothing where all of it still holds. */
export function staleLines(stale: readonly string[]): string[] {
  if (stale.length === 0) return [];
  return [`Read before somebody else changed it: ${stale.map(toSafeLine).join(", ")}.`];
}

function sizeOf(change: Change, colors: Colors): string {
  if (change.binary) return "not text";
  if (change.tooLarge) return "too large to be shown";
  const { added, removed } = countOf(change);
  return `${colors.green(`+${added}`)} ${colors.red(`-${removed}`)}`;
}

function countOf({ hunks }: Change): { readonly added: number; readonly removed: number } {
  return {
    added: hunks.reduce((sum, hunk) => sum + hunk.added.length, 0),
    removed: hunks.reduce((sum, hunk) => sum + hunk.removed.length, 0),
  };
}

function headOf(change: Change, colors: Colors): string[] {
  if (change.hunks.length < 2) return [];
  const ids = change.hunks.map(({ id, from }) => `${id} at line ${from}`).join(", ");
  return [colors.dim(`${toSafeLine(change.path)} has ${change.hunks.length} hunks: ${ids}`)];
}

function bodyOf(change: Change, colors: Colors): string[] {
  if (!change.tooLarge) return patchLines(change.patch, colors);
  return [colors.dim(`${toSafeLine(change.path)} is too large to be shown`)];
}

function patchLines(patch: string, colors: Colors): string[] {
  return patch
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => paint(toSafeLine(line.replaceAll("\t", "    ")), colors));
}

function paint(line: string, colors: Colors): string {
  if (line.startsWith("+++") || line.startsWith("---") || line.startsWith("diff ")) return colors.bold(line);
  if (line.startsWith("@@")) return colors.cyan(line);
  if (line.startsWith("+")) return colors.green(line);
  return line.startsWith("-") ? colors.red(line) : line;
}

function letterOf({ status }: Change): string {
  return status === "added" ? "A" : status === "deleted" ? "D" : "M";
}
