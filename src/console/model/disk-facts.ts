// What is known of the disk of one service, in words that say no more than that.

import type { UsePoint } from "../../protocol/wire/health-history.ts";
import { toBytes } from "./format.ts";

/** Of the newest points: what is on the disk is looked at less often than everything else. */
export function toDiskFacts(points: readonly UsePoint[]): string {
  const own = points.findLast(({ diskBytes }) => diskBytes !== null)?.diskBytes ?? null;
  const last = points.at(-1);
  const written = last === undefined || last.processes === 0 ? null : (last.writtenBytes ?? null);
  return [
    ...(own === null ? [] : [`${toBytes(own)} in folders of its own`]),
    ...(written === null ? [] : [`${toBytes(written)} written by its processes`]),
  ].join(", ");
}
