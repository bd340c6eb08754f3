// How long units were waited for, by the quarter of an hour: where a plan, or a smaller unit, would help.

import { keyOfUnit, type UnitPast } from "./unit-past.ts";

export type Contention = {
  readonly id: string;
  readonly project: string;
  readonly unit: string;
  readonly totalMs: number;
  /** Waited in each stretch of time, the oldest first; of several who wait at once, all count. */
  readonly cells: readonly number[];
};

/** Those that were waited for longest, first. */
export function toContention(
  past: UnitPast,
  {
    nowMs,
    endMs,
    cells,
    cellMs,
    project,
  }: {
    readonly nowMs: number;
    /** Where the drawing ends: not before now, and no more has been waited for that. */
    readonly endMs: number;
    readonly cells: number;
    readonly cellMs: number;
    readonly project: string | null;
  },
): Contention[] {
  const fromMs = endMs - cells * cellMs;
  const found: Contention[] = [];
  for (const stays of past.stays.values()) {
    const [first] = stays;
    if (first === undefined || (project !== null && first.project !== project)) continue;
    // Of thousands of units most were never waited for.
    if (!stays.some(({ is }) => is === "waited")) continue;
    const sums = Array.from({ length: cells }, () => 0);
    for (const stay of stays) {
      const [start, end] = [Math.max(stay.fromMs, fromMs), Math.min(stay.toMs ?? nowMs, nowMs)];
      if (stay.is !== "waited" || end <= start) continue;
      for (let at = Math.floor((start - fromMs) / cellMs); at < cells && fromMs + at * cellMs < end; at++) {
        const [a, b] = [fromMs + at * cellMs, fromMs + (at + 1) * cellMs];
        sums[at] = (sums[at] ?? 0) + Math.min(end, b) - Math.max(start, a);
      }
    }
    const totalMs = sums.reduce((sum, each) => sum + each, 0);
    if (totalMs > 0)
      found.push({ id: keyOfUnit(first), project: first.project, unit: first.unit, totalMs, cells: sums });
  }
  return found.toSorted((a, b) => b.totalMs - a.totalMs);
}

/** From 0 for nothing to 4, as the drawing shows it. */
export function levelOf(ms: number): 0 | 1 | 2 | 3 | 4 {
  const minutes = ms / 60_000;
  if (minutes <= 0) return 0;
  if (minutes < 1) return 1;
  if (minutes < 5) return 2;
  return minutes < 15 ? 3 : 4;
}
