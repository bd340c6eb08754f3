// What a person has chosen of a change set, and what that is as an approval. Pure: the page keeps the choice, the daemon
// decides whether it may land.

import type { InputOf } from "../../protocol/operations.ts";
import type { Change } from "../../protocol/wire/change.ts";
import { toShell } from "./shell-text.ts";

/** Chosen parts by path: ids of hunks, or the empty one for a file that can only be chosen whole. */
export type Choice = ReadonlyMap<string, ReadonlySet<string>>;

export const nothingChosen: Choice = new Map();
/** As many files as one approval may name; further ones are named by all of their hunks. */
const filesMax = 256;

/** What of a change can be chosen: its hunks, or the whole of it. */
export function partsOf({ hunks, held }: Change): readonly string[] {
  if (!held) return [];
  return hunks.length === 0 ? [""] : hunks.map(({ id }) => id);
}

export function isChosen(choice: Choice, path: string, part: string): boolean {
  return choice.get(path)?.has(part) === true;
}

export function togglePart(choice: Choice, change: Change, part: string): Choice {
  if (!partsOf(change).includes(part)) return choice;
  const parts = new Set(choice.get(change.path));
  if (!parts.delete(part)) parts.add(part);
  return withParts(choice, change.path, parts);
}

/** All of a file, or nothing of it when all of it was chosen. */
export function toggleFile(choice: Choice, change: Change): Choice {
  const all = partsOf(change);
  const isAll = all.every((part) => isChosen(choice, change.path, part));
  return withParts(choice, change.path, new Set(isAll ? [] : all));
}

/** Files that are needed with those that were chosen. */
export function chooseFiles(choice: Choice, changes: readonly Change[], paths: readonly string[]): Choice {
  const named = changes.filter(({ path }) => paths.includes(path));
  return named.reduce((next, change) => withParts(next, change.path, new Set(partsOf(change))), choice);
}

export type Tally = { readonly chosen: number; readonly all: number };

export function tally(choice: Choice, changes: readonly Change[]): Tally {
  let [chosen, all] = [0, 0];
  for (const change of changes) {
    const parts = partsOf(change);
    all += parts.length;
    chosen += parts.filter((part) => isChosen(choice, change.path, part)).length;
  }
  return { chosen, all };
}

/** What landing it is called: all of it, unless a person has chosen, and then what they chose. */
export function toLandWords({ chosen, all }: Tally): string {
  if (chosen === 0) return "Land all of it";
  return chosen === all && all > 1 ? `Land all ${all} chosen` : `Land ${chosen} chosen`;
}

/** Files among what would land that somebody else has changed in the same place: they would only come back (LD31). */
export function unresolvedOf(choice: Choice, changes: readonly Change[]): string[] {
  const { chosen } = tally(choice, changes);
  return changes
    .filter(({ path, theirs }) => theirs !== null && (chosen === 0 || choice.has(path)))
    .map(({ path }) => path);
}

type Approval = Omit<InputOf<"run.approve">, "run" | "seen">;

/** Everything when nothing or all is chosen; else whole files as files and the others by their hunks. */
export function toApproval(choice: Choice, changes: readonly Change[]): Approval {
  const { chosen, all } = tally(choice, changes);
  if (chosen === 0 || chosen === all) return {};
  const files: string[] = [];
  const hunks: Record<string, string[]> = {};
  for (const change of changes) {
    const parts = partsOf(change);
    const own = parts.filter((part) => isChosen(choice, change.path, part));
    if (own.length === 0) continue;
    const isWhole = own.length === parts.length;
    if (isWhole && (files.length < filesMax || change.hunks.length === 0)) files.push(change.path);
    else hunks[change.path] = own;
  }
  return {
    ...(files.length === 0 ? {} : { files }),
    ...(Object.keys(hunks).length === 0 ? {} : { hunks }),
  };
}

/** The command line that approves the same. */
export function toApproveCommand(run: string, { files = [], hunks = {} }: Approval, seen: string): string {
  const parts = [
    ...files.map((path) => `--file ${toShell(path)}`),
    ...Object.entries(hunks).map(([path, ids]) => `--hunk ${toShell(`${path}:${ids.join(",")}`)}`),
  ];
  return ["signalbox approve", run, ...parts, `--seen ${seen}`].join(" ");
}

function withParts(choice: Choice, path: string, parts: ReadonlySet<string>): Choice {
  const next = new Map(choice);
  if (parts.size === 0) next.delete(path);
  else next.set(path, parts);
  return next;
}
