// Three entries become one (LD27), as far as that can be told without bytes. Mode and content are merged apart; links
// and submodules are never merged line by line.

import { blobOf, type Entry, entryOf, kindOf, modeOf } from "./entry.ts";
import type { ThreeSides } from "./text-merge.ts";

/** Why two changes cannot both be had. */
export type ConflictReason =
  /** One side removed what the other changed. */
  | "removed"
  /** Both sides made it, differently. */
  | "added"
  /** A side made another kind of thing of it, or it is a link or a submodule. */
  | "kind"
  | "mode"
  /** Changes touch, or a side is not text. */
  | "touching"
  | "not-text";

export type EntryMerge =
  /** Decided: both sides agree, only one side changed it, or one changed the mode and the other the content. */
  | { readonly kind: "same" | "ours" | "theirs" | "mixed"; readonly entry: Entry }
  /** The contents have to be merged; the result gets this mode. */
  | { readonly kind: "text"; readonly mode: string; readonly blobs: ThreeSides<string> }
  | { readonly kind: "conflict"; readonly why: ConflictReason };

/** Equal sides win, and an unchanged side yields to the changed one. */
export function mergeEntries({ base, ours, theirs }: ThreeSides<Entry>): EntryMerge {
  if (ours === theirs) return { kind: "same", entry: ours };
  if (theirs === base) return { kind: "ours", entry: ours };
  if (ours === base) return { kind: "theirs", entry: theirs };
  if (ours === null || theirs === null) return { kind: "conflict", why: "removed" };
  if (base === null) return { kind: "conflict", why: "added" };
  if ([base, ours, theirs].some((entry) => kindOf(entry) !== "file")) return { kind: "conflict", why: "kind" };
  const mode = pickSide({ base: modeOf(base), ours: modeOf(ours), theirs: modeOf(theirs) });
  if (mode === undefined) return { kind: "conflict", why: "mode" };
  const blobs = { base: blobOf(base), ours: blobOf(ours), theirs: blobOf(theirs) };
  const blob = pickSide(blobs);
  if (blob === undefined) return { kind: "text", mode, blobs };
  const entry = entryOf(mode, blob);
  return { kind: entry === ours ? "ours" : entry === theirs ? "theirs" : "mixed", entry };
}

function pickSide({ base, ours, theirs }: ThreeSides<string>): string | undefined {
  if (ours === theirs || theirs === base) return ours;
  return ours === base ? theirs : undefined;
}
