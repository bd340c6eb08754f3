// Counts things that have a state and an end, in bounded memory.

import type { StatsRow } from "../../protocol/wire/stats.ts";

/** One of the things that are counted. */
export type Counted = {
  readonly status: string;
  /** Whether it ended well; null while it has not ended. */
  readonly ok: boolean | null;
  readonly durationMs: number | null;
  readonly costMicros: number | null;
};

/** Of more durations than this the middle is not told from all of them, but from the first. */
const durationsMax = 10_000;

export class Tally {
  #count = 0;
  #ended = 0;
  #ok = 0;
  #costMicros: number | null = null;
  #sumMs = 0;
  #maxMs = 0;
  #timed = 0;
  readonly #statuses = new Map<string, number>();
  readonly #durations: number[] = [];

  add({ status, ok, durationMs, costMicros }: Counted): void {
    this.#count++;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (ok !== null) this.#ended++;
    if (ok === true) this.#ok++;
    if (costMicros !== null) this.#costMicros = (this.#costMicros ?? 0) + costMicros;
    if (ok === null || durationMs === null) return;
    this.#timed++;
    this.#sumMs += durationMs;
    this.#maxMs = Math.max(this.#maxMs, durationMs);
    if (this.#durations.length < durationsMax) this.#durations.push(durationMs);
  }

  toRow(name: string): StatsRow {
    return {
      name,
      count: this.#count,
      statuses: Object.fromEntries([...this.#statuses].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      successRate: this.#ended === 0 ? null : this.#ok / this.#ended,
      durationMs: this.#toDurations(),
      costMicros: this.#costMicros,
    };
  }

  #toDurations(): StatsRow["durationMs"] {
    if (this.#timed === 0) return null;
    const sorted = this.#durations.toSorted((a, b) => a - b);
    const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
    return { mean: Math.round(this.#sumMs / this.#timed), median: at(0.5), p95: at(0.95), max: this.#maxMs };
  }
}

/** Tallies by name, and one of all. */
export class Tallies {
  readonly #all = new Tally();
  readonly #byName = new Map<string, Tally>();

  add(name: string, counted: Counted): void {
    this.addTo(name, counted);
    this.#all.add(counted);
  }

  /** Counts it under a name alone: it counts under several, and once in all. */
  addTo(name: string, counted: Counted): void {
    const tally = this.#byName.get(name) ?? new Tally();
    this.#byName.set(name, tally);
    tally.add(counted);
  }

  addToAll(counted: Counted): void {
    this.#all.add(counted);
  }

  rows(): StatsRow[] {
    return [...this.#byName].map(([name, tally]) => tally.toRow(name));
  }

  total(): StatsRow {
    return this.#all.toRow("total");
  }
}
