// Changes as they are shown: unified diffs, with hunks that can be approved one by one.

import { blobOf, type Entry } from "../../core/landing/entry.ts";
import { isGuarded } from "../../core/landing/guarded.ts";
import { hunksOf } from "../../core/landing/hunks.ts";
import { isText } from "../../core/landing/text-merge.ts";
import { renderDiff } from "../../core/landing/unified-diff.ts";
import type { Work } from "../../core/workspace/workspace-state.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { limits } from "../../protocol/limits.ts";
import type { Change } from "../../protocol/wire/change.ts";

/** How much of a diff may still be shown, in bytes; one for all changes of an answer. */
export type Room = { left: number };

export async function toChange(
  mainline: Mainline,
  { path, base, work }: Work,
  { held, theirs, room }: { readonly held: boolean; readonly theirs: Entry | undefined; readonly room: Room },
): Promise<Change> {
  const [before, after] = await Promise.all([bytesAt(mainline, base), bytesAt(mainline, work)]);
  const binary = [before, after].some((bytes) => bytes !== null && !isText(bytes));
  const size = binary ? 0 : (before?.length ?? 0) + (after?.length ?? 0);
  const tooLarge = isTooLarge(size) || size > room.left;
  if (!tooLarge) room.left -= size;
  const hunks = binary || tooLarge ? [] : hunksOf({ base: textOf(before), work: textOf(after) });
  return {
    path,
    status: base === null ? "added" : work === null ? "deleted" : "changed",
    base,
    work,
    bytes: { base: before?.length ?? null, work: after?.length ?? null },
    held,
    guarded: isGuarded(path),
    binary,
    tooLarge,
    hunks: hunks.map(({ id, baseFrom, removed, added }) => ({
      id,
      from: baseFrom + 1,
      removed: [...removed],
      added: [...added],
    })),
    patch: tooLarge
      ? ""
      : renderDiff({ path, base: { entry: base, bytes: before }, work: { entry: work, bytes: after } }),
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
  }: { readonly path: string; readonly base: Entry; readonly before: Uint8Array | null; readonly room: Room },
): Promise<string> {
  const bytes = await bytesAt(mainline, theirs);
  const size = (before?.length ?? 0) + (bytes?.length ?? 0);
  if (isTooLarge(size) || size > room.left) return "";
  room.left -= size;
  return renderDiff({ path, base: { entry: base, bytes: before }, work: { entry: theirs, bytes } });
}

/** Comparing takes time, and everybody else waits meanwhile. */
export function isTooLarge(bytes: number): boolean {
  return bytes > limits.diffFileBytesMax;
}

/** The bytes of an entry; a submodule has none. */
export async function bytesAt(mainline: Mainline, entry: Entry): Promise<Uint8Array | null> {
  return entry === null || entry.startsWith("160000:") ? null : mainline.readBlob(blobOf(entry));
}

export function textOf(bytes: Uint8Array | null): string {
  return bytes === null ? "" : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
