// How the machine is, in words: how much of each thing is used, and from when on that is worth a look.

import type { NodeState } from "../../protocol/wire/state.ts";
import { toBytes } from "./format.ts";

export type Vital = {
  readonly name: string;
  readonly text: string;
  /** The whole of it, for whoever points at it. */
  readonly title: string;
  /** From nothing to all of it. */
  readonly share: number;
  /** Past what is healthy. */
  readonly isHigh: boolean;
};

const memoryHigh = 0.9;

/** Of all machines together; none where there is no machine to ask. */
export function toVitals(nodes: readonly NodeState[]): Vital[] {
  if (nodes.length === 0) return [];
  const sum = (of: (node: NodeState) => number): number => nodes.reduce((total, node) => total + of(node), 0);
  const processors = sum((node) => node.processors);
  const load = sum(({ load: [minute = 0] }) => minute);
  const memory = sum((node) => node.memory.totalBytes);
  const used = memory - sum((node) => node.memory.availableBytes);
  const disk = sum((node) => node.disk.totalBytes);
  const free = sum((node) => node.disk.freeBytes);
  return [
    {
      name: "Load",
      text: `${load.toFixed(1)} of ${processors}`,
      title: `${load.toFixed(2)} processes wanted to run in the last minute, on ${processors} processors`,
      share: shareOf(load, processors),
      isHigh: load > processors,
    },
    {
      name: "Memory",
      text: `${toBytes(used)} of ${toBytes(memory)}`,
      title: `${toBytes(memory - used)} of memory are free`,
      share: shareOf(used, memory),
      isHigh: used > memory * memoryHigh,
    },
    {
      name: "Disk",
      text: `${toBytes(free)} free`,
      title: `${toBytes(disk - free)} of ${toBytes(disk)} are used where agents live`,
      share: shareOf(disk - free, disk),
      isHigh: nodes.some((node) => node.disk.freeBytes < node.disk.freeBytesMin),
    },
  ];
}

function shareOf(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.max(0, Math.min(1, part / whole));
}
