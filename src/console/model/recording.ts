// A recording of a terminal, ready to be played: what was shown when, with long pauses shortened if one likes. Pure.

import type { Recorded } from "../../protocol/wire/terminal.ts";

export type Frame = {
  /** When it is played, from the beginning. */
  readonly atMs: number;
  /** When it really was. */
  readonly realMs: number;
  readonly bytes: Uint8Array | null;
  readonly size: { readonly cols: number; readonly rows: number } | null;
};

export type Recording = {
  readonly size: { readonly cols: number; readonly rows: number };
  readonly frames: readonly Frame[];
  readonly totalMs: number;
};

/** A pause that is longer than this is played as long as this. */
export const pauseMsMax = 2000;

export function toRecording(size: Recording["size"], events: readonly Recorded[], isShortened: boolean): Recording {
  const frames: Frame[] = [];
  let [atMs, lastMs] = [0, 0];
  for (const event of events) {
    const gapMs = Math.max(0, event.atMs - lastMs);
    atMs += isShortened ? Math.min(gapMs, pauseMsMax) : gapMs;
    lastMs = event.atMs;
    frames.push(
      "base64" in event
        ? { atMs, realMs: event.atMs, bytes: toBytes(event.base64), size: null }
        : { atMs, realMs: event.atMs, bytes: null, size: { cols: event.cols, rows: event.rows } },
    );
  }
  return { size, frames, totalMs: atMs };
}

/** How many frames have been shown at a time. */
export function shownAt({ frames }: Recording, atMs: number): number {
  let [low, high] = [0, frames.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frames[middle]?.atMs ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** When something is played that really was at a time. */
export function playedAt({ frames }: Recording, realMs: number): number {
  return frames.findLast((frame) => frame.realMs <= realMs)?.atMs ?? 0;
}

function toBytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
