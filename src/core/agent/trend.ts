// Where what is used is going, if it goes on like this. A trend is only told where there is enough to tell it from, and where
// nearly everything points the same way: a warning that is wrong twice is not read the third time.

export type Sample = { readonly atMs: number; readonly value: number };

/** What has to be there before anything is said. */
const samplesMin = 20;
const spanMsMin = 600_000;
/** Beyond so many, every nth counts: each is compared with each. */
const samplesMax = 60;
/** So many of the pairs have to rise. */
const agreeMin = 0.75;
const hourMs = 3_600_000;
/** Further away than this a straight line says nothing. */
export const aheadMs = { disk: 24 * hourMs, memory: 6 * hourMs } as const;
/** Who has not even half of a limit has time. */
const partMin = 0.5;
const failuresMin = 3;
const failuresTimes = 3;

/** How much it rises in a millisecond: the middle of the slopes of all pairs; null where that cannot be told (AU42). */
export function riseOf(samples: readonly Sample[]): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || samples.length < samplesMin) return null;
  if (last.atMs - first.atMs < spanMsMin) return null;
  const step = Math.ceil(samples.length / samplesMax);
  const some = samples.filter((_, at) => (samples.length - 1 - at) % step === 0);
  const slopes = some
    .flatMap((a, at) => some.slice(at + 1).map((b) => (b.value - a.value) / Math.max(1, b.atMs - a.atMs)))
    .toSorted((a, b) => a - b);
  const rising = slopes.filter((slope) => slope > 0).length / slopes.length;
  const middle = slopes[Math.floor(slopes.length / 2)] ?? 0;
  return rising >= agreeMin && middle > 0 ? middle : null;
}

/** In how long it comes to a limit; null where it does not, or nobody can tell. */
export function reaches(samples: readonly Sample[], limit: number, withinMs: number): number | null {
  const rise = riseOf(samples);
  const last = samples.at(-1);
  if (rise === null || last === undefined || last.value >= limit) return null;
  const inMs = (limit - last.value) / rise;
  return inMs <= withinMs ? inMs : null;
}

/** In how long the disk is full (AU42). */
export function diskFullIn(free: readonly Sample[]): number | null {
  const used = free.map(({ atMs, value }) => ({ atMs, value: -value }));
  return reaches(used, 0, aheadMs.disk);
}

/** In how long the machine's memory is full, of which less than half can be had by now (AU42). */
export function machineFullIn(available: readonly Sample[], totalBytes: number): number | null {
  if ((available.at(-1)?.value ?? totalBytes) > totalBytes * partMin) return null;
  const used = available.map(({ atMs, value }) => ({ atMs, value: -value }));
  return reaches(used, 0, aheadMs.memory);
}

/** In how long somebody has all the memory that it may have (AU42). */
export function memoryFullIn(memory: readonly Sample[], limit: number | null): number | null {
  const last = memory.at(-1)?.value ?? 0;
  if (limit === null || last < limit * partMin) return null;
  return reaches(memory, limit, aheadMs.memory);
}

/** In how long an agent takes all of the disk that it may (AU42). */
export function quotaFullIn(taken: readonly Sample[], limit: number | null): number | null {
  const last = taken.at(-1)?.value ?? 0;
  if (limit === null || last < limit * partMin) return null;
  return reaches(taken, limit, aheadMs.disk);
}

/** How often a service failed within the last hour, where there was an hour before and that is much more (AU42). */
export function moreFailures(atMs: readonly number[], nowMs: number, sinceMs: number): number | null {
  if (sinceMs > nowMs - 2 * hourMs) return null;
  const within = (fromMs: number, toMs: number): number => atMs.filter((at) => at > fromMs && at <= toMs).length;
  const now = within(nowMs - hourMs, nowMs);
  const before = within(nowMs - 2 * hourMs, nowMs - hourMs);
  return now >= failuresMin && now >= before * failuresTimes ? now : null;
}

export type Need = { readonly memoryBytes: number | null; readonly diskBytes: number | null };
export type Left = { readonly memoryBytes: number; readonly diskBytes: number; readonly agents: number };
export type Capacity = { readonly more: number; readonly boundBy: "memory" | "disk" | "agents" };

/** How many more of the same there is room for, and what runs out first. What is not known of one bounds nothing (AU43). */
export function capacityFor(need: Need, left: Left): Capacity {
  const fits = (have: number, each: number | null): number =>
    each === null || each <= 0 ? Infinity : Math.max(0, Math.floor(have / each));
  const bounds = [
    { more: fits(left.memoryBytes, need.memoryBytes), boundBy: "memory" },
    { more: fits(left.diskBytes, need.diskBytes), boundBy: "disk" },
    { more: Math.max(0, left.agents), boundBy: "agents" },
  ] as const;
  return bounds.reduce((least, each) => (each.more < least.more ? each : least));
}
