// The lease table by itself, no disk and no socket: how it compares with a plain list, and whether its cost depends on
// how much is held.

import type { Contender, Work } from "../harness/contender.ts";
import { ownCpuMs } from "../harness/cpu.ts";
import { LeaseLoad, pathOf } from "./lease-load.ts";
import { NaiveLockList } from "./naive-lock-list.ts";
import type { RowMaker } from "./row-maker.ts";

const liveBeside = 1000;
const liveFew = 100;
const pairsPerLook = 64;

export const claimsInProcess: RowMaker = {
  name: "claims-in-process",
  programs: [],
  make: async () => ({
    name: "claims-in-process",
    title: `claim + release in the core, ${liveBeside} leases live`,
    ops: "pairs",
    ours: leaseTable("signalbox", liveBeside),
    others: [lockList()],
    comparisons: [
      { against: "lock list", measure: "rate", aim: { atLeast: 1 } },
      { against: "lock list", measure: "cpu" },
    ],
    leftOut: [],
    close: () => undefined,
  }),
};

export const claimsFlat: RowMaker = {
  name: "claims-flat",
  programs: [],
  make: async (_, { liveLeases }) => ({
    name: "claims-flat",
    title: `claim + release in the core, ${liveLeases} leases live against ${liveFew}`,
    ops: "pairs",
    ours: leaseTable("many live", liveLeases),
    others: [leaseTable("few live", liveFew)],
    // Flat but for the caches of the processor: a cost that grows with the leases would be a thousand times as high here.
    comparisons: [
      { against: "few live", measure: "cpu", aim: { atMost: 1.5 } },
      { against: "few live", measure: "rate" },
    ],
    leftOut: [],
    close: () => undefined,
  }),
};

function leaseTable(name: string, live: number): Contender {
  const load = new LeaseLoad(live);
  return { name, cpuMs: ownCpuMs, work: (sliceMs) => repeat(sliceMs, () => load.pair()) };
}

function lockList(): Contender {
  const list = new NaiveLockList();
  const nowMs = 0;
  const ttlMs = 3_600_000;
  for (let at = 0; at < liveBeside; at++) list.acquire(pathOf("src", at), `holder-${at % 100}`, nowMs, ttlMs);
  const units = Array.from({ length: 4096 }, (_, at) => pathOf("work", at));
  let next = 0;
  const pair = (): void => {
    const at = next++;
    const unit = units[at % units.length] ?? "";
    list.acquire(unit, `worker-${at % 100}`, nowMs, ttlMs);
    list.release(unit, `worker-${at % 100}`);
  };
  return { name: "lock list", cpuMs: ownCpuMs, work: (sliceMs) => repeat(sliceMs, pair) };
}

function repeat(sliceMs: number, pair: () => void): Work {
  const untilMs = performance.now() + sliceMs;
  let ops = 0;
  do {
    for (let i = 0; i < pairsPerLook; i++) pair();
    ops += pairsPerLook;
  } while (performance.now() < untilMs);
  return { ops, errors: 0 };
}
