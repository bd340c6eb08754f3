// Changes as they are shown: unified diffs, with hunks that can be approved one by one.

import { blobOf, type Entry } from "../../core/landing/entry.ts";
import { isGuarded } from "../../core/landing/guarded.ts";
import { hunksOf } from "../../core/landing/hunks.ts";
import { isText } from "../../core/landing/text-merge.ts";
import { textBytesMax } from "../../core/landing/utf8.ts";
import { renderDiff } from "../../core/landing/unified-diff.ts";
import type { Work } from "../../core/workspace/workspace-state.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { limits } from "../../protocol/limits.ts";
import type { Change } from "../../protocol/wire/change.ts";

/** How much of a diff may still be shown, in bytes; one for all changes of an answer. */
export type Room = { left: number };

/** How a change stands towards others. */
export type Standing = {
  readonly held: boolean;
  readonly theirs: Entry | undefined;
  /** Whether it was resolved by leaving the run's side whole. */
  readonly keepsOwn: boolean;
};

export async function toChange(
  mainline: Mainline,
  { path, base, work }: Work,
  { held, theirs, keepsOwn, room }: Standing & { readonly room: Room },
): Promise<Change> {
  const [before, after] = await Promise.all([sideAt(mainline, base), sideAt(mainline, work)]);
  const binary = [before, after].some(({ text }) => text === false);
  const size = binary ? 0 : (before.size ?? 0) + (after.size ?? 0);
  const tooLarge = isTooLarge(size) || size > room.left;
  if (!tooLarge) room.left -= size;
  const hunks = binary || tooLarge ? [] : hunksOf({ base: textOf(before.bytes), work: textOf(after.bytes) });
  return {
    path,
    status: base === null ? "added" : work === null ? "deleted" : "changed",
    base,
    work,
    bytes: { base: before.size, work: after.size },
    held,
    guarded: isGuarded(path),
    keepsOwn,
    binary,
    tooLarge,
    hunks: hunks.map(({ id, baseFrom, removed, added }) => ({
      id,
      from: baseFrom + 1,
      removed: [...removed],
      added: [...added],
    })),
    patch: tooLarge ? "" : renderDiff({ path, base: { entry: base, ...before }, work: { entry: work, ...after } }),
    theirs:
      theirs === undefined
        ? null
        : { entry: theirs, patch: await patchTo(mainline, theirs, { path, base, before, room }) },
  };
}

/** The other side of a conflict, from the same base; empty where it is too much to be shown. */
async function patchTo(
  mainline: Mainline,
  theirs: Entry,
  {
    path,
    base,
    before,
    room,
  }: { readonly path: string; readonly base: Entry; readonly before: Side; readonly room: Room },
): Promise<string> {
  const other = await sideAt(mainline, theirs);
  const size = (before.size ?? 0) + (other.size ?? 0);
  if (isTooLarge(size) || size > room.left) return "";
  room.left -= size;
  return renderDiff({ path, base: { entry: base, ...before }, work: { entry: theirs, ...other } });
}

/** Comparing takes time, and everybody else waits meanwhile. */
export function isTooLarge(bytes: number): boolean {
  return bytes > limits.diffFileBytesMax;
}

/** One side of a change. What has no lines by its size alone is not read: it may be of any size (LD57). */
export type Side = {
  readonly bytes: Uint8Array | null;
  /** Null where there is nothing; a submodule has no bytes either. */
  readonly size: number | null;
  /** Whether it has lines; null where there is nothing. */
  readonly text: boolean | null;
};

export async function sideAt(mainline: Mainline, entry: Entry): Promise<Side> {
  if (entry === null || entry.startsWith("160000:")) return { bytes: null, size: null, text: null };
  const blob = blobOf(entry);
  const size = (await mainline.blobSizes([blob])).get(blob) ?? 0;
  if (size > textBytesMax) return { bytes: null, size, text: false };
  const bytes = await mainline.readBlob(blob);
  return { bytes, size: bytes.length, text: isText(bytes) };
}

export function textOf(bytes: Uint8Array | null): string {
  return bytes === null ? "" : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
