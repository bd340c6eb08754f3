// What has to be tidied now and then, done by one hand: job after job, at a steady pace and whenever somebody asks. What came
// of the last round is kept, so that people see it after a restart, too.

import { readFile } from "node:fs/promises";
import { swapDurably } from "../../os/durable-file.ts";
import type { Clock } from "../../ports/clock.ts";
import type { MaintenanceRound } from "../../protocol/wire/maintenance.ts";

export type Done = { readonly count: number; readonly bytes: number };

export type Job = {
  readonly name: MaintenanceRound["jobs"][number]["job"];
  /** Does it, or with `dryRun` only says what it would do. */
  readonly act: (dryRun: boolean) => Promise<Done>;
};

export type MaintenanceOptions = {
  readonly clock: Pick<Clock, "setTimer" | "wallMs" | "monotonicMs">;
  readonly jobs: readonly Job[];
  /** How often; null is never by itself. */
  readonly everyMs: number | null;
  /** Where the last round is written down. */
  readonly file: string;
  /** Tells people, in the daemon's log. */
  readonly say: (sentence: string) => void;
};

export const maintainEveryMs = 3_600_000;
/** A daemon that has just started has better things to do. */
export const maintainFirstMs = 10 * 60_000;

export class Maintenance {
  readonly everyMs: number | null;
  readonly #options: MaintenanceOptions;
  #last: MaintenanceRound | null = null;
  #line: Promise<unknown> = Promise.resolve();
  #cancel: () => void = () => undefined;
  #isClosed = false;

  constructor(options: MaintenanceOptions) {
    this.#options = options;
    this.everyMs = options.everyMs;
  }

  /** The last round in which anything was done; null before the first. */
  get last(): MaintenanceRound | null {
    return this.#last;
  }

  async begin(): Promise<void> {
    this.#last = await readLast(this.#options.file);
    if (this.everyMs !== null) this.#plan(Math.min(maintainFirstMs, this.everyMs));
  }

  /** One round after another, whoever wants them. */
  maintain(dryRun: boolean): Promise<MaintenanceRound> {
    const round = this.#line.then(() => this.#round(dryRun));
    this.#line = round.catch(() => undefined);
    return round;
  }

  /** What is under way comes to the end of its job; the others are for the next daemon. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#line;
  }

  #plan(inMs: number): void {
    if (this.#isClosed) return;
    this.#cancel = this.#options.clock.setTimer(inMs, () => {
      void this.maintain(false)
        .catch((error: unknown) => this.#options.say(`maintenance: ${toMessage(error)}`))
        .finally(() => this.#plan(this.everyMs ?? inMs));
    });
  }

  async #round(dryRun: boolean): Promise<MaintenanceRound> {
    const { clock, jobs: wanted, file, say } = this.#options;
    const [atMs, sinceMs] = [clock.wallMs(), clock.monotonicMs()];
    const jobs: MaintenanceRound["jobs"] = [];
    for (const { name, act } of wanted) {
      if (this.#isClosed) break;
      try {
        jobs.push({ job: name, ...(await act(dryRun)), failed: null });
      } catch (error) {
        // What is in the way of one keeps none of the others from being done.
        jobs.push({ job: name, count: 0, bytes: 0, failed: toMessage(error) });
        if (!dryRun) say(`maintenance: ${name} could not be done: ${toMessage(error)}`);
      }
    }
    const bytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
    const round = { atMs, tookMs: Math.round(clock.monotonicMs() - sinceMs), dryRun, bytes, jobs };
    if (dryRun) return round;
    this.#last = round;
    // Nothing depends on it but what people are shown.
    await swapDurably(file, JSON.stringify(round)).catch((error: unknown) =>
      say(`maintenance: what was done could not be written down: ${toMessage(error)}`),
    );
    return round;
  }
}

/** What was last is shown and nothing else: where it cannot be read, it was never. */
async function readLast(file: string): Promise<MaintenanceRound | null> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as MaintenanceRound;
  } catch {
    return null;
  }
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
