// Runs many seeds, in as many processes as there are cores, and adds up what came of them.

import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Longest, longestOf } from "./longest.ts";
import { runSeed } from "./run-seed.ts";
import type { Violation } from "./world/world.ts";

export type Failure = Violation & { readonly seed: number };

export type Tally = {
  seeds: number;
  steps: number;
  faults: number;
  readonly failures: Failure[];
  /** In how many worlds each branch was reached. */
  readonly reached: Map<string, number>;
  longest: readonly Longest[];
};

export type Chunk = {
  readonly seeds: readonly number[];
  readonly steps: number | undefined;
  readonly failuresMax?: number;
};
export type ChunkResult = {
  readonly seeds: number;
  readonly steps: number;
  readonly faults: number;
  readonly failures: readonly Failure[];
  readonly reached: readonly (readonly [string, number])[];
  readonly longest: readonly Longest[];
};

export type Campaign = {
  readonly seeds: readonly number[];
  readonly steps: number | undefined;
  readonly jobs: number;
  /** Stop after this many failures. */
  readonly failuresMax: number;
  readonly onProgress: (tally: Tally) => void;
};

const chunkSize = 10;

export async function runCampaign(campaign: Campaign): Promise<Tally> {
  const tally: Tally = { seeds: 0, steps: 0, faults: 0, failures: [], reached: new Map(), longest: [] };
  const chunks: Chunk[] = [];
  for (let at = 0; at < campaign.seeds.length; at += chunkSize) {
    const { steps, failuresMax } = campaign;
    chunks.push({ seeds: campaign.seeds.slice(at, at + chunkSize), steps, failuresMax });
  }
  const take = (): Chunk | undefined => (tally.failures.length >= campaign.failuresMax ? undefined : chunks.shift());
  const note = (result: ChunkResult): void => {
    tally.seeds += result.seeds;
    tally.steps += result.steps;
    tally.faults += result.faults;
    tally.failures.push(...result.failures);
    tally.longest = longestOf([...tally.longest, ...result.longest]);
    for (const [name, count] of result.reached) tally.reached.set(name, (tally.reached.get(name) ?? 0) + count);
    campaign.onProgress(tally);
  };
  const jobs = Math.min(campaign.jobs, chunks.length);
  if (jobs <= 1) {
    for (let chunk = take(); chunk !== undefined; chunk = take()) note(await runChunk(chunk));
    return tally;
  }
  await Promise.all(Array.from({ length: jobs }, () => runWorker(take, note)));
  return tally;
}

export async function runChunk(chunk: Chunk): Promise<ChunkResult> {
  const failures: Failure[] = [];
  const reached = new Map<string, number>();
  const longest: Longest[] = [];
  let steps = 0;
  let faults = 0;
  for (const seed of chunk.seeds) {
    const result = await runSeed(seed, chunk.steps);
    steps += result.steps;
    faults += result.faults;
    longest.push(...result.longest);
    if (result.violation !== undefined) failures.push({ ...result.violation, seed });
    if (failures.length >= (chunk.failuresMax ?? Number.POSITIVE_INFINITY)) break;
    for (const name of result.reached) reached.set(name, (reached.get(name) ?? 0) + 1);
  }
  return { seeds: chunk.seeds.length, steps, faults, failures, reached: [...reached], longest: longestOf(longest) };
}

function runWorker(take: () => Chunk | undefined, note: (result: ChunkResult) => void): Promise<void> {
  const worker: ChildProcess = fork(fileURLToPath(new URL("worker.ts", import.meta.url)), { execArgv: [] });
  return new Promise((resolve, reject) => {
    const next = (): void => {
      const chunk = take();
      if (chunk === undefined) worker.disconnect();
      else worker.send(chunk);
    };
    worker.on("message", (result) => {
      note(result as ChunkResult);
      next();
    });
    worker.on("error", reject);
    worker.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
    next();
  });
}
