// Numbers from rounds. A ratio is formed within each round, where both sides had the same weather, and only then summed
// up; a ratio of two averages would compare different minutes.

export type Spread = { readonly median: number; readonly lower: number; readonly upper: number };

/** The value below which the fraction `q` of the values lies, between neighbours in proportion. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = q * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) return Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: quantile(values, 0.5), lower: quantile(values, 0.25), upper: quantile(values, 0.75) };
}

/** One ratio per round; a round in which either side has no number gives none. */
export function pairedRatios(ours: readonly number[], theirs: readonly number[]): number[] {
  const ratios = ours.map((value, round) => value / (theirs[round] ?? Number.NaN));
  return ratios.filter((ratio) => Number.isFinite(ratio));
}

/** The rounds in which a probe read like it usually does in this run: within `factor` of the median either way. */
export function steadyRounds(readings: readonly (readonly number[])[], factor: number): Set<number> {
  const steady = new Set(readings.keys());
  const probes = readings[0]?.length ?? 0;
  for (let probe = 0; probe < probes; probe++) {
    const usual = median(readings.map((reading) => reading[probe] ?? Number.NaN));
    for (const [round, reading] of readings.entries()) {
      const value = reading[probe] ?? Number.NaN;
      if (!(value <= usual * factor && value >= usual / factor)) steady.delete(round);
    }
  }
  return steady;
}
