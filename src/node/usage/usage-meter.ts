// How much of a processor is used between two looks. A rate needs two instants, so what was seen is remembered until the
// next look; whoever looks for the first time waits a moment for the second one.

import type { NumberedProcess } from "../../protocol/keeper/keeper-wire.ts";
import type { Clock } from "../../ports/clock.ts";
import { type ProcessUsage, readProcess } from "./process-usage.ts";

export type MeteredProcess = ProcessUsage & {
  /** Processors in use since the look before: 1 is one of them, all the time. Null where there was no other. */
  readonly cpu: number | null;
};

type Seen = { readonly cpuMs: number; readonly atMs: number };

/** A rate over less than this is mostly chance, and over more it says little of now. */
const apartMsMin = 200;
const apartMsMax = 30_000;
/** A timer may ring a little early. */
const waitMs = apartMsMin + 50;
const atOnce = 50;

export class UsageMeter {
  readonly #clock: Pick<Clock, "monotonicMs" | "setTimer" | "defer">;
  readonly #read: (process: NumberedProcess) => ProcessUsage | undefined;
  #seen = new Map<string, Seen>();

  constructor(clock: Pick<Clock, "monotonicMs" | "setTimer" | "defer">, read: typeof readProcess = readProcess) {
    this.#clock = clock;
    this.#read = read;
  }

  /** Processes that are gone meanwhile are left out. */
  async measure(processes: readonly NumberedProcess[]): Promise<MeteredProcess[]> {
    const isKnown = processes.some((each) => this.#before(each) !== undefined);
    if (!isKnown && processes.length > 0) {
      await this.#look(processes);
      await new Promise<void>((resolve) => void this.#clock.setTimer(waitMs, resolve));
    }
    return this.#look(processes);
  }

  /** Some at a time: others want to be answered meanwhile. */
  async #look(processes: readonly NumberedProcess[]): Promise<MeteredProcess[]> {
    this.#forgetOld(this.#clock.monotonicMs());
    const metered: MeteredProcess[] = [];
    for (let at = 0; at < processes.length; at += atOnce) {
      if (at > 0) await new Promise<void>((resolve) => this.#clock.defer(resolve));
      metered.push(...this.#lookAt(processes.slice(at, at + atOnce)));
    }
    return metered;
  }

  #lookAt(processes: readonly NumberedProcess[]): MeteredProcess[] {
    return processes.flatMap((each) => {
      const usage = this.#read(each);
      if (usage === undefined) return [];
      const atMs = this.#clock.monotonicMs();
      const before = this.#before(each);
      const cpu = before === undefined ? null : Math.max(0, usage.cpuMs - before.cpuMs) / (atMs - before.atMs);
      // Others may look in between: what is too near is kept, so that they do not make the next look blind.
      const known = this.#seen.get(keyOf(each));
      if (known === undefined || atMs - known.atMs >= apartMsMin)
        this.#seen.set(keyOf(each), { cpuMs: usage.cpuMs, atMs });
      return [{ ...usage, cpu }];
    });
  }

  #before(process: NumberedProcess): Seen | undefined {
    const seen = this.#seen.get(keyOf(process));
    if (seen === undefined) return undefined;
    const apartMs = this.#clock.monotonicMs() - seen.atMs;
    return apartMs >= apartMsMin && apartMs <= apartMsMax ? seen : undefined;
  }

  #forgetOld(atMs: number): void {
    this.#seen = new Map([...this.#seen].filter(([, seen]) => atMs - seen.atMs <= apartMsMax));
  }
}

function keyOf({ pid, startTicks }: NumberedProcess): string {
  return `${pid} ${startTicks}`;
}
