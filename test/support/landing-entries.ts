// Entries for tests: a blob is called by its own content, so that what a tree has can be read off it.

import type { MergedText } from "../../src/core/landing/conflict.ts";
import { blobOf, type Entry, entryOf } from "../../src/core/landing/entry.ts";
import { mergeText, type ThreeSides } from "../../src/core/landing/text-merge.ts";
import { decodeText, encodeText } from "../../src/core/landing/utf8.ts";

export const exact = { foldCase: false };
export const folding = { foldCase: true };

export function file(content: string): string {
  return entryOf("100644", content);
}

export function program(content: string): string {
  return entryOf("100755", content);
}

export function link(target: string): string {
  return entryOf("120000", target);
}

/** One line for each letter. */
export function lines(letters: string): string {
  return Array.from(letters, (letter) => `${letter}\n`).join("");
}

export function contentOf(entry: Entry): string {
  return entry === null ? "" : blobOf(entry);
}

/** What a provider of bytes would answer. */
export function mergeBlobs({ base, ours, theirs }: ThreeSides<string>): MergedText {
  const merged = mergeText({ base: encodeText(base), ours: encodeText(ours), theirs: encodeText(theirs) });
  if (merged.kind === "conflict") return { kind: "conflict", why: merged.why };
  return { kind: "clean", blob: decodeText(merged.bytes ?? new Uint8Array()) ?? "" };
}

/** The answers to all merges of a plan. */
export function answer(
  merges: readonly { readonly path: string; readonly blobs: ThreeSides<string> }[],
): Map<string, MergedText> {
  return new Map(merges.map(({ path, blobs }) => [path, mergeBlobs(blobs)]));
}
