// One row: slices of all contenders, interleaved in random order, round after round. Ours is there twice in every round;
// the ratio of the two is what this machine makes of nothing at all.

import type { Prng } from "../../src/base/prng.ts";
import type { Comparison, Contender, Measure, Row } from "./contender.ts";
import { median, pairedRatios, quantile, spreadOf, steadyRounds, type Spread } from "./stats.ts";

export type RunOptions = {
  readonly rounds: number;
  readonly sliceMs: number;
  /** How long every contender works before the first round; a slice if not given. */
  readonly warmUpMs?: number;
};

/** What the harness itself needs of the world; tests bring their own. */
export type RunWorld = {
  readonly nowMs: () => number;
  readonly prng: Prng;
  readonly probe: () => Promise<readonly number[]>;
};

export type Compared = Comparison & { readonly ratio: Spread; readonly verdict: Verdict };

/** unsure: the machine was too restless to say. */
export type Verdict = "met" | "not met" | "no aim" | "unsure";

/** Absolute numbers of one contender: for the eye, not for comparison with another day. */
export type Absolute = {
  readonly name: string;
  readonly perSecond: number;
  readonly cpuUsPerOp: number;
  readonly p50Us: number | null;
  readonly p99Us: number | null;
  /** Null where nobody looked. */
  readonly memoryBytes: number | null;
  readonly callsPerOp: number | null;
  readonly ops: number;
  readonly errors: number;
};

export type RowResult = {
  readonly name: string;
  readonly title: string;
  readonly ops: string;
  readonly rounds: number;
  /** Rounds that were left aside because the machine drifted. */
  readonly dropped: number;
  /** Ours against ours. Where this is far from 1, nothing else in the row means anything. */
  readonly control: Spread;
  readonly compared: readonly Compared[];
  readonly absolute: readonly Absolute[];
  readonly leftOut: readonly string[];
};

type Sample = Readonly<Record<Measure, number>> & {
  readonly ops: number;
  readonly errors: number;
  readonly latenciesUs: readonly number[];
};

/** How far a probe may be from its median before a round is dropped. */
const driftMax = 1.5;
/** How far ours may be from ours before the row says nothing. */
const controlMax = 1.25;
const again = " (again)";

export async function runRow(row: Row, options: RunOptions, world: RunWorld): Promise<RowResult> {
  const { ours, others } = row;
  const contenders = [ours, { ...ours, name: ours.name + again }, ...others];
  const sliceMs = Math.max(options.sliceMs, row.sliceMs ?? 0);
  const warmUpMs = Math.max(sliceMs, options.warmUpMs ?? 0);
  for (const contender of [ours, ...others]) await contender.work(warmUpMs);

  const samples = new Map(contenders.map(({ name }) => [name, [] as Sample[]]));
  const readings: (readonly number[])[] = [];
  let steady = new Set<number>();
  // A dropped round is made up for, but a machine that never comes to rest ends the row all the same.
  const rounds = Math.min(options.rounds, row.roundsMax ?? options.rounds);
  while (steady.size < rounds && readings.length < 2 * rounds) {
    readings.push(await world.probe());
    for (const contender of shuffle(contenders, world.prng)) {
      samples.get(contender.name)?.push(await measure(contender, sliceMs, world));
    }
    steady = steadyRounds(readings, driftMax);
  }

  // Where the machine never came to rest, all there is says which way it goes, and the verdict that it says no more.
  const isKept = (round: number): boolean => steady.size === 0 || steady.has(round);
  const keptOf = (name: string): Sample[] => (samples.get(name) ?? []).filter((_, round) => isKept(round));
  const valuesOf = (name: string, by: Measure): number[] => keptOf(name).map((sample) => sample[by]);
  const controlBy = row.comparisons[0]?.measure ?? "rate";
  const control = spreadOf(pairedRatios(valuesOf(ours.name, controlBy), valuesOf(ours.name + again, controlBy)));
  const isSure = steady.size * 2 >= rounds && isNear(control.median, controlMax);
  return {
    name: row.name,
    title: row.title,
    ops: row.ops,
    rounds: steady.size,
    dropped: readings.length - steady.size,
    control,
    compared: row.comparisons.map((comparison) => {
      const { against, measure: by } = comparison;
      const judged = judge(comparison, spreadOf(pairedRatios(valuesOf(ours.name, by), valuesOf(against, by))));
      return isSure || judged.verdict === "no aim" ? judged : { ...judged, verdict: "unsure" };
    }),
    absolute: [ours, ...others].map(({ name }) => toAbsolute(name, keptOf(name))),
    leftOut: row.leftOut,
  };
}

export function judge(comparison: Comparison, ratio: Spread): Compared {
  const { aim } = comparison;
  if (aim === undefined) return { ...comparison, ratio, verdict: "no aim" };
  const isMet = "atLeast" in aim ? ratio.lower >= aim.atLeast : ratio.upper <= aim.atMost;
  return { ...comparison, ratio, verdict: isMet ? "met" : "not met" };
}

function isNear(ratio: number, factor: number): boolean {
  return ratio <= factor && ratio >= 1 / factor;
}

async function measure(contender: Contender, sliceMs: number, world: RunWorld): Promise<Sample> {
  const cpuBeforeMs = contender.cpuMs();
  const startMs = world.nowMs();
  const work = await contender.work(sliceMs);
  const elapsedMs = work.countedMs ?? world.nowMs() - startMs;
  const cpuMs = contender.cpuMs() - cpuBeforeMs;
  const { ops, errors, latenciesUs = [], bytes = 0, memoryBytes = 0, calls = 0 } = work;
  return {
    rate: (1000 * ops) / elapsedMs,
    cpu: cpuMs / ops,
    p50: quantile(latenciesUs, 0.5),
    p99: quantile(latenciesUs, 0.99),
    disk: bytes / ops,
    memory: memoryBytes,
    calls: calls / ops,
    ops,
    errors,
    latenciesUs,
  };
}

function toAbsolute(name: string, samples: readonly Sample[]): Absolute {
  const latencies = samples.flatMap((sample) => sample.latenciesUs);
  return {
    name,
    perSecond: median(samples.map((sample) => sample.rate)),
    cpuUsPerOp: 1000 * median(samples.map((sample) => sample.cpu)),
    p50Us: latencies.length === 0 ? null : quantile(latencies, 0.5),
    p99Us: latencies.length === 0 ? null : quantile(latencies, 0.99),
    memoryBytes: median(samples.map((sample) => sample.memory)) || null,
    callsPerOp: median(samples.map((sample) => sample.calls)) || null,
    ops: samples.reduce((sum, sample) => sum + sample.ops, 0),
    errors: samples.reduce((sum, sample) => sum + sample.errors, 0),
  };
}

function shuffle<T>(items: readonly T[], prng: Prng): T[] {
  const left = [...items];
  const order: T[] = [];
  while (left.length > 0) order.push(...left.splice(prng.below(left.length), 1));
  return order;
}
