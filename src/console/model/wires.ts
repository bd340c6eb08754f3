// The amber wires of the tracks: from the row of whoever waits to the row of whoever holds.

import type { Run } from "../../protocol/wire/run.ts";

export type Wire = { readonly path: string; readonly arrow: string };

/** A wire longer than this is a line through other people's rows; the words beside the lane say the same. */
const rowsMax = 14;
const bends = 3;

export function toWires(runs: readonly Run[], rowPx: number, topPx: number): Wire[] {
  const rows = new Map(runs.map((run, at) => [run.id, at]));
  const targets: number[] = [];
  return runs.flatMap((run, from): Wire[] => {
    const to = run.behind.map((holder) => rows.get(holder)).find((row) => row !== undefined);
    if (to === undefined || to === from || Math.abs(to - from) > rowsMax) return [];
    if (!targets.includes(to)) targets.push(to);
    // Wires to one holder share their last stretch; those to another one stand beside them.
    const x = 26 + 6 * (targets.indexOf(to) % bends);
    const middleOf = (row: number): number => topPx + row * rowPx + rowPx / 2;
    const [y1, y2] = [middleOf(from), middleOf(to)];
    const bend = y2 < y1 ? -4 : 4;
    const path = `M12 ${y1}H${x - 4}Q${x} ${y1} ${x} ${y1 + bend}V${y2 - bend}Q${x} ${y2} ${x - 4} ${y2}H18`;
    return [{ path, arrow: `M11 ${y2}l8-4.5v9Z` }];
  });
}
