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

/** The same with a rest before each time, in which whoever works gets ready again. Only a few: the rest takes longest. */
export function rested(restMs: number, times: number, { name, cpuMs, work }: Contender): Contender {
  return {
    name,
    cpuMs,
    work: async () => {
      let [ops, errors] = [0, 0];
      const latenciesUs: number[] = [];
      for (let time = 0; time < times; time++) {
        await new Promise((resolve) => setTimeout(resolve, restMs));
        const done = await work(0);
        ops += done.ops;
        errors += done.errors;
        latenciesUs.push(...(done.latenciesUs ?? []));
      }
      const countedMs = latenciesUs.reduce((sum, us) => sum + us / 1000, 0);
      return { ops, errors, latenciesUs, countedMs };
    },
  };
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
