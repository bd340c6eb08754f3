// Operations one after the other, each with its latency.

import type { Contender, Work } from "../harness/contender.ts";
import { ownCpuMs } from "../harness/cpu.ts";

/** Does something again and again; it says whether that went well. */
export function one(name: string, act: () => Promise<boolean>): Contender {
  const work = async (sliceMs: number): Promise<Work> => {
    const latenciesUs: number[] = [];
    const untilMs = performance.now() + sliceMs;
    let errors = 0;
    do {
      const startMs = performance.now();
      if (!(await act())) errors++;
      latenciesUs.push(1000 * (performance.now() - startMs));
    } while (performance.now() < untilMs);
    return { ops: latenciesUs.length, errors, latenciesUs };
  };
  return { name, cpuMs: ownCpuMs, work };
}

/** The same as if it took so much longer: what an aim allows that is a difference and not a ratio. */
export function with_(ms: number, { name, cpuMs, work }: Contender): Contender {
  return {
    name: `${name} and ${ms} ms`,
    cpuMs,
    work: async (sliceMs) => {
      const done = await work(sliceMs);
      return { ...done, latenciesUs: (done.latenciesUs ?? []).map((us) => us + 1000 * ms) };
    },
  };
}
