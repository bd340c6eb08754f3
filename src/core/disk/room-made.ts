// Room that was made because the disk ran low (MT6, MT7). Nothing follows from it here: people who look for something that is gone
// find when it went, and why.

import type { Step } from "../step.ts";

/** What can be made again, the least missed first. */
export type Spare = "workspaces" | "dependencies" | "images" | "homes" | "contents" | "scratch";

export type MadeRoom = {
  /** How much is free after it, and how much more that is than before. */
  readonly freeBytes: number;
  readonly freedBytes: number;
  readonly spares: readonly { readonly what: Spare; readonly count: number }[];
  /** Whose workspaces have lost dependency folders. */
  readonly runs: readonly string[];
};

export type RoomMade = MadeRoom & { readonly type: "room.made"; readonly v: 1 };

/** The last time. */
export type LastRoom = MadeRoom & { readonly atMs: number };

export function noteRoom(step: Step, { freeBytes, freedBytes, spares, runs }: MadeRoom): void {
  step.emit({ type: "room.made", v: 1, freeBytes, freedBytes, spares, runs });
}

export function toLastRoom({ freeBytes, freedBytes, spares, runs }: MadeRoom, atMs: number): LastRoom {
  return { atMs, freeBytes, freedBytes, spares, runs };
}
