// The time of day of an instant of the log. Engine time stands still while the daemon is down, so each start of it has its
// own distance from the time of day.

/** A start of the daemon: its event, engine time, and the time of day it was then. */
export type Opening = {
  readonly seq: number;
  readonly atMs: number;
  readonly wallMs: number;
  /** The first instant that is this start's alone. In older logs the one of `atMs` is the last of the daemon before, too. */
  readonly fromMs: number;
};

/**
 * What a watch said at an instant of engine time. `openings` are in order; before the first one its distance is taken. With
 * the number of its event there is no doubt which daemon it is of.
 */
export function toWallMs(openings: readonly Opening[], engineMs: number, seq?: number): number {
  const isSince = (each: Opening): boolean => (seq === undefined ? each.fromMs <= engineMs : each.seq <= seq);
  const opening = openings.findLast(isSince) ?? openings[0];
  return opening === undefined ? engineMs : engineMs + opening.wallMs - opening.atMs;
}

/**
 * How long ago an instant was for somebody with a watch, who waited also while the daemon was down. A watch that was set back
 * takes nothing off what the daemon has counted itself.
 */
export function sinceMs(openings: readonly Opening[], atMs: number, nowMs: number, seq?: number): number {
  return Math.max(nowMs - atMs, toWallMs(openings, nowMs) - toWallMs(openings, atMs, seq));
}

/** The instant of engine time at which a watch said so: while the daemon was down, the last one before. */
export function toEngineMs(openings: readonly Opening[], wallMs: number): number {
  const at = openings.findLastIndex((each) => each.wallMs <= wallMs);
  const opening = openings[Math.max(0, at)];
  if (opening === undefined) return wallMs;
  const next = openings[at + 1];
  const engineMs = wallMs - opening.wallMs + opening.atMs;
  return next === undefined || at < 0 ? engineMs : Math.min(engineMs, next.fromMs - 1);
}
