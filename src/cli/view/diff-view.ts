// Diffs as a person reads them: one file after the other, hunks numbered as `approve --hunk` wants them.

import type { Change } from "../../protocol/wire/change.ts";
import type { Colors } from "../output.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toSize } from "../text/size.ts";

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
      change.keepsOwn ? "keeps its own side whole over somebody's change" : "",
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

/** What will not land with the rest because it is too large; nothing where there is no such file. */
export function oversizedLines(oversized: readonly { readonly path: string; readonly bytes: number }[]): string[] {
  if (oversized.length === 0) return [];
  const names = oversized.map(({ path, bytes }) => `${toSafeLine(path)} (${toSize(bytes)})`);
  return [`Too large to land, so it is scratch and goes with the run: ${names.join(", ")}.`];
}

function sizeOf(change: Change, colors: Colors): string {
  if (change.binary) return `not text, ${bytesOf(change)}`;
  if (change.tooLarge) return `too large to be shown, ${bytesOf(change)}`;
  const { added, removed } = countOf(change);
  return `${colors.green(`+${added}`)} ${colors.red(`-${removed}`)}`;
}

function bytesOf({ bytes }: Change): string {
  return toSize(bytes.work ?? bytes.base ?? 0);
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

/** A patch with colours where there are any. */
export function patchLines(patch: string, colors: Colors): string[] {
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
