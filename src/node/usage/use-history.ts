// What agents and their services used, over time: every few seconds of the last hour, and every few minutes of the last day. It is
// bounded, whatever there are; it is kept in a file, and losing that costs the past of charts and nothing else.

import { readFile } from "node:fs/promises";
import type { FailureUse } from "../../core/agent/agent-events.ts";
import type { Startup } from "../../core/agent/health-story.ts";
import type { Sample } from "../../core/agent/trend.ts";
import type { UsePoint } from "../../protocol/wire/health-history.ts";
import type { AgentUse } from "../../protocol/wire/usage.ts";
import { swapDurably } from "../../os/durable-file.ts";

export type Check = { readonly atMs: number; readonly ms: number; readonly ok: boolean };

export type MemoryLeft = { readonly totalBytes: number; readonly availableBytes: number };
type MachineLook = { readonly diskFreeBytes: number | null; readonly memory: MemoryLeft | null };

type Series = { fine: UsePoint[]; coarse: UsePoint[]; checks: Check[]; peakBytes: number };

/** How often is looked, and how much is kept. */
export const fineMs = 15_000;
const finePoints = 240;
const coarseMs = 300_000;
const coarsePoints = 288;
const checksMax = 240;
const failuresMax = 100;
const startsMax = 8;

const none: Pick<Series, "fine" | "coarse" | "checks"> = { fine: [], coarse: [], checks: [] };

const noShares: AgentUse["shares"] = { memoryBytes: null, diskBytes: null };

export class UseHistory {
  readonly #file: string;
  /** By agent, then by service; the agent as a whole under the empty name. */
  readonly #series = new Map<string, Map<string, Series>>();
  /** What was free on the disk that agents live on. */
  #free: Sample[] = [];
  /** What of the machine's memory could be had, and how much that is at most. */
  #memory: { samples: Sample[]; totalBytes: number } = { samples: [], totalBytes: 0 };
  /** What each is held to where nobody says anything, as it was seen last. */
  readonly #shares = new Map<string, AgentUse["shares"]>();
  /** How each came up, the oldest first. */
  readonly #starts = new Map<string, readonly Startup[]>();
  /** Since this daemon is there, by agent and service. */
  readonly #failures = new Map<string, readonly number[]>();
  readonly #nowMs: () => number;

  constructor(file: string, nowMs: () => number) {
    this.#file = file;
    this.#nowMs = nowMs;
  }

  /** What an earlier daemon saw. A file that cannot be read is left aside. */
  async load(): Promise<void> {
    const text = await readFile(this.#file, "utf8").catch(() => '{"free":[],"all":[]}');
    try {
      const kept = JSON.parse(text) as {
        readonly free: Sample[];
        readonly memory?: { readonly samples: Sample[]; readonly totalBytes: number };
        readonly starts?: [string, Startup[]][];
        readonly all: [string, string, Series][];
      };
      for (const [agent, starts] of kept.starts ?? []) this.#starts.set(agent, starts);
      this.#free = kept.free;
      if (kept.memory !== undefined) this.#memory = { ...kept.memory, samples: [...kept.memory.samples] };
      for (const [agent, name, series] of kept.all) {
        const { fine, coarse, checks, peakBytes } = series;
        if (![fine, coarse, checks].every(Array.isArray)) continue;
        Object.assign(this.#of(agent, name), { fine, coarse, checks, peakBytes });
      }
    } catch {
      this.#series.clear();
      this.#starts.clear();
      this.#free = [];
      this.#memory = { samples: [], totalBytes: 0 };
    }
  }

  async save(): Promise<void> {
    const all = [...this.#series].flatMap(([agent, own]) => [...own].map(([name, series]) => [agent, name, series]));
    await swapDurably(
      this.#file,
      JSON.stringify({ free: this.#free, memory: this.#memory, starts: [...this.#starts], all }),
    );
  }

  /** Agents that are not there any more are forgotten. */
  note(uses: readonly AgentUse[], there: ReadonlySet<string>, { diskFreeBytes, memory }: MachineLook): void {
    if (diskFreeBytes !== null) this.#free.push({ atMs: this.#nowMs(), value: diskFreeBytes });
    if (this.#free.length > finePoints) this.#free.shift();
    if (memory !== null) {
      this.#memory.samples.push({ atMs: this.#nowMs(), value: memory.availableBytes });
      this.#memory.totalBytes = memory.totalBytes;
    }
    if (this.#memory.samples.length > finePoints) this.#memory.samples.shift();
    for (const agent of this.#series.keys()) if (!there.has(agent)) this.#series.delete(agent);
    for (const own of [this.#shares, this.#starts])
      for (const agent of own.keys()) if (!there.has(agent)) own.delete(agent);
    for (const key of this.#failures.keys()) if (!there.has(key.split("/")[0] ?? "")) this.#failures.delete(key);
    for (const use of uses) {
      this.#add(use.agent, "", use, use.diskBytes);
      // Where nobody looked at the disk, the share of it is what it was.
      const diskBytes = use.diskBytes === null ? this.shares(use.agent).diskBytes : use.shares.diskBytes;
      this.#shares.set(use.agent, { ...use.shares, diskBytes });
      for (const service of use.services) this.#add(use.agent, service.name, service, service.dataBytes);
    }
  }

  /** How an agent came up, the newest times. */
  starts(agent: string): readonly Startup[] {
    return this.#starts.get(agent) ?? [];
  }

  /** What is told of the same start takes the place of what was told before. */
  noteStart(agent: string, start: Startup): void {
    const others = this.starts(agent).filter(({ atMs }) => atMs !== start.atMs);
    this.#starts.set(agent, [...others, start].slice(-startsMax));
  }

  /** When a service failed: the newest times. */
  failed(agent: string, service: string): readonly number[] {
    return this.#failures.get(`${agent}/${service}`) ?? [];
  }

  noteFailure(agent: string, service: string): void {
    const key = `${agent}/${service}`;
    this.#failures.set(key, [...(this.#failures.get(key) ?? []), this.#nowMs()].slice(-failuresMax));
  }

  /** How long a check took, and what it said. */
  noteCheck(agent: string, service: string, check: Omit<Check, "atMs">): void {
    const { checks } = this.#of(agent, service);
    checks.push({ atMs: this.#nowMs(), ...check });
    if (checks.length > checksMax) checks.shift();
  }

  get free(): readonly Sample[] {
    return this.#free;
  }

  get memory(): { readonly samples: readonly Sample[]; readonly totalBytes: number } {
    return this.#memory;
  }

  shares(agent: string): AgentUse["shares"] {
    return this.#shares.get(agent) ?? noShares;
  }

  read(agent: string, service = ""): Pick<Series, "fine" | "coarse" | "checks"> {
    return this.#series.get(agent)?.get(service) ?? none;
  }

  /** What was seen of a life that began then; null where nobody has looked since, or nothing of it ran. */
  lastUse(agent: string, service: string, sinceMs: number): FailureUse | null {
    const series = this.#series.get(agent)?.get(service);
    const last = series?.fine.at(-1);
    if (series === undefined || last === undefined || last.atMs < sinceMs || last.processes === 0) return null;
    const { cpu, memoryBytes, files, processes, atMs } = last;
    return {
      ...{ memoryBytes, memoryBytesPeak: Math.max(series.peakBytes, memoryBytes), cpu, files, processes },
      ...{ agoMs: Math.max(0, this.#nowMs() - atMs), diskFreeBytes: this.#free.at(-1)?.value ?? null },
    };
  }

  #add(agent: string, name: string, use: Omit<UsePoint, "atMs" | "diskBytes">, diskBytes: number | null): void {
    const series = this.#of(agent, name);
    const { cpu, memoryBytes, files, processes, writtenBytes = null } = use;
    // One that has ended and comes again begins anew.
    series.peakBytes = processes === 0 ? 0 : Math.max(series.peakBytes, memoryBytes);
    const point = { atMs: this.#nowMs(), cpu, memoryBytes, files, processes, diskBytes, writtenBytes };
    series.fine.push(point);
    if (series.fine.length > finePoints) series.fine.shift();
    const from = series.coarse.at(-1)?.atMs ?? -Infinity;
    if (point.atMs - from < coarseMs) return;
    series.coarse.push(summed(series.fine.filter(({ atMs }) => atMs > from && atMs > point.atMs - coarseMs)));
    if (series.coarse.length > coarsePoints) series.coarse.shift();
  }

  #of(agent: string, name: string): Series {
    const own = this.#series.get(agent) ?? new Map<string, Series>();
    this.#series.set(agent, own);
    const series = own.get(name) ?? { fine: [], coarse: [], checks: [], peakBytes: 0 };
    own.set(name, series);
    return series;
  }
}

/** Several points as one: what is used of processors on the average, of everything else at most. */
function summed(points: readonly UsePoint[]): UsePoint {
  const most = (of: (point: UsePoint) => number | null): number | null =>
    points.reduce<number | null>((found, point) => {
      const value = of(point);
      return value === null ? found : Math.max(found ?? 0, value);
    }, null);
  const rates = points.flatMap(({ cpu }) => cpu ?? []);
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return {
    atMs: points.at(-1)?.atMs ?? 0,
    cpu: rates.length === 0 ? null : Math.round(mean * 1000) / 1000,
    memoryBytes: most(({ memoryBytes }) => memoryBytes) ?? 0,
    files: most(({ files }) => files),
    processes: most(({ processes }) => processes) ?? 0,
    diskBytes: most(({ diskBytes }) => diskBytes),
    writtenBytes: most(({ writtenBytes = null }) => writtenBytes),
  };
}
