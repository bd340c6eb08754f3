// What simulated files contain: four words, on lines far enough apart that changes to different ones do not touch. Every
// write brings words that nobody ever wrote before, so that a word tells who wrote it and what its writer saw.

import type { MergedText } from "../../src/core/landing/conflict.ts";
import { blobOf, entryOf, type Entry } from "../../src/core/landing/entry.ts";
import { mergeText, type ThreeSides } from "../../src/core/landing/text-merge.ts";
import { decodeText, encodeText } from "../../src/core/landing/utf8.ts";

export const wordsMax = 4;

/** A file of these words. Its blob is named by what is in it. */
export function entryFrom(words: readonly string[]): string {
  return entryOf("100644", words.join("|"));
}

export function wordsOf(entry: Entry): string[] {
  return entry === null ? [] : blobOf(entry).split("|");
}

/** Merges contents as the real node would: by the core's own text merge. */
export function mergeBlobs({ base, ours, theirs }: ThreeSides<string>): MergedText {
  const merged = mergeText({ base: bytesOf(base), ours: bytesOf(ours), theirs: bytesOf(theirs) });
  if (merged.kind === "conflict") return { kind: "conflict", why: merged.why };
  return merged.bytes === null
    ? { kind: "conflict", why: "not-text" }
    : { kind: "clean", blob: blobFrom(merged.bytes) };
}

function bytesOf(blob: string): Uint8Array {
  const lines = blob.split("|").flatMap((word, at) => [word, `between ${at} and ${at + 1}`]);
  return encodeText(lines.map((line) => `${line}\n`).join(""));
}

function blobFrom(bytes: Uint8Array): string {
  const lines = (decodeText(bytes) ?? "").split("\n");
  return lines.filter((_, at) => at % 2 === 0 && at < 2 * wordsMax).join("|");
}

/** Who wrote which word, and which words stood in its place when it was written. */
export class Authors {
  readonly #over = new Map<string, ReadonlySet<string>>();
  readonly #rewritten = new Set<string>();
  #count = 0;

  /** A new word. `over` is what its writer replaces or was shown. */
  write(by: string, over: readonly string[]): string {
    const word = `${by}~${this.#count++}`;
    this.#over.set(word, new Set(over));
    return word;
  }

  /** Its own family wrote over it, or removed it: what it replaced is its own doing. */
  rewrote(words: readonly string[]): void {
    for (const word of words) this.#rewritten.add(word);
  }

  isRewritten(word: string): boolean {
    return this.#rewritten.has(word);
  }

  /** Whether whoever wrote this word had the other one before their eyes, themselves or through those before them. */
  knew(word: string, other: string): boolean {
    const seen = new Set([word]);
    for (const each of seen) {
      if (each === other) return true;
      for (const before of this.#over.get(each) ?? []) seen.add(before);
    }
    return false;
  }

  words(): Iterable<string> {
    return this.#over.keys();
  }
}
