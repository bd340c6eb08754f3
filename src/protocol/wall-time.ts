// The time of day of an instant of the log. Engine time stands still while the daemon is down, so each start of it has its
// own distance from the time of day.

/** A start of the daemon: engine time, and the time of day it was then. */
export type Opening = { readonly atMs: number; readonly wallMs: number };

/** What a watch said at an instant of engine time. `openings` are in order; before the first one its distance is taken. */
export function toWallMs(openings: readonly Opening[], engineMs: number): number {
  const opening = openings.findLast((each) => each.atMs <= engineMs) ?? openings[0];
  return opening === undefined ? engineMs : engineMs + opening.wallMs - opening.atMs;
}
