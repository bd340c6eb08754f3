// Closed loops: each worker does one thing, awaits it, and does the next. The same loop drives every contender of a row.

import type { Work } from "./contender.ts";

/** Runs `count` loops side by side for about `sliceMs`. `once` says whether it got what it wanted. */
export async function runWorkers(
  count: number,
  sliceMs: number,
  once: (worker: number) => Promise<boolean>,
): Promise<Work> {
  const untilMs = performance.now() + sliceMs;
  let ops = 0;
  let errors = 0;
  const loop = async (worker: number): Promise<void> => {
    do {
      if (await once(worker)) ops++;
      else errors++;
    } while (performance.now() < untilMs);
  };
  await Promise.all(Array.from({ length: count }, (_, worker) => loop(worker)));
  return { ops, errors };
}

/** Runs one loop that measures each of its steps; `once` answers how long what counts took, or undefined on an error. */
export async function runTimed(sliceMs: number, once: () => Promise<number | undefined>): Promise<Work> {
  const untilMs = performance.now() + sliceMs;
  const latenciesUs: number[] = [];
  let errors = 0;
  do {
    const tookUs = await once();
    if (tookUs === undefined) errors++;
    else latenciesUs.push(tookUs);
  } while (performance.now() < untilMs);
  return { ops: latenciesUs.length, errors, latenciesUs };
}
