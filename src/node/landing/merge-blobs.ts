import type { MergedText } from "../../core/landing/conflict.ts";
import { mergeText, type ThreeSides } from "../../core/landing/text-merge.ts";
import { textBytesMax } from "../../core/landing/utf8.ts";
import type { Mainline } from "../../ports/mainline.ts";

/** Merges three contents and keeps the result. */
export async function mergeBlobs(mainline: Mainline, blobs: ThreeSides<string>): Promise<MergedText> {
  const sizes = await mainline.blobSizes([blobs.base, blobs.ours, blobs.theirs]);
  // What is no text by its size alone is not read for that.
  if ([...sizes.values()].some((size) => size > textBytesMax)) return { kind: "conflict", why: "not-text" };
  const [base, ours, theirs] = await Promise.all([
    mainline.readBlob(blobs.base),
    mainline.readBlob(blobs.ours),
    mainline.readBlob(blobs.theirs),
  ]);
  const merged = mergeText({ base, ours, theirs });
  if (merged.kind === "conflict") return { kind: "conflict", why: merged.why };
  if (merged.bytes === null) return { kind: "conflict", why: "not-text" };
  return { kind: "clean", blob: await mainline.writeBlob(merged.bytes) };
}
