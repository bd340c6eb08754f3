// Processes by what their environment says of them. It is what they were started with, which nobody else can change.

import { readFileSync } from "node:fs";
import { environmentOf, listProcesses, type ListedProcess } from "../supervisor/process-identity.ts";

export type MarkedProcess = ListedProcess & { readonly value: string };

/** How many are read before others get their turn. */
const atOnce = 50;

/** Everything that was started with one of these variables, by variable; whatever else is in it stays unread. */
export async function markedProcesses(names: readonly string[]): Promise<ReadonlyMap<string, MarkedProcess[]>> {
  const found = new Map<string, MarkedProcess[]>(names.map((name) => [name, []]));
  for (const [at, process] of listProcesses().entries()) {
    if (at % atOnce === 0) await new Promise(setImmediate);
    if (process.pid === globalThis.process.pid) continue;
    for (const entry of environmentOf(process.pid)) {
      const at = entry.indexOf("=");
      found.get(entry.slice(0, at))?.push({ ...process, value: entry.slice(at + 1) });
    }
  }
  return found;
}

/** Ticks of the kernel's clock in a second, for all that it tells programs. */
const ticksPerSecond = 100;

/** When a process was started, as time of day. */
export function startedAtMs({ startTicks }: { readonly startTicks: string }): number {
  const uptimeMs = Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) * 1000;
  return Math.round(Date.now() - uptimeMs + (Number(startTicks) / ticksPerSecond) * 1000);
}
