// What audits find, kept and told: once, and again when it has changed. What nobody can miss is taken away on the way; the
// rest is for people.

import type { Clock } from "../../ports/clock.ts";
import type { Finding } from "../../protocol/wire/audit.ts";
import type { Audit } from "./audit.ts";

export type AuditWatchOptions = {
  readonly clock: Pick<Clock, "wallMs">;
  readonly audit: Pick<Audit, "look" | "reap">;
  /** Tells people, in the daemon's log. */
  readonly say: (sentence: string) => void;
};

/** When it was looked last, and how much was found. */
export type LastAudit = { readonly atMs: number; readonly findings: number };

/** How long what a daemon was in the middle of is left: somebody may look into why it died. */
const tempMsMin = 86_400_000;

export class AuditWatch {
  readonly #options: AuditWatchOptions;
  #told = "";
  #last: LastAudit | null = null;

  constructor(options: AuditWatchOptions) {
    this.#options = options;
  }

  get last(): LastAudit | null {
    return this.#last;
  }

  /** For those who ask: what they find is what is known from then on. */
  async look(): Promise<Finding[]> {
    return this.#noted(await this.#options.audit.look());
  }

  async reap(): ReturnType<Audit["reap"]> {
    const reaped = await this.#options.audit.reap();
    this.#noted(reaped.filter(({ done }) => done === null));
    return reaped;
  }

  /** Looks, and takes away old temporary files of ours alone; with `dryRun` not even these. Answers how many those were. */
  async tidy(dryRun: boolean): Promise<number> {
    const { audit, clock, say } = this.#options;
    const isOld = ({ kind, sinceMs }: Finding): boolean =>
      kind === "temp" && sinceMs !== null && clock.wallMs() - sinceMs > tempMsMin;
    if (dryRun) return (await this.look()).filter(isOld).length;
    const reaped = await audit.reap(isOld);
    const left = this.#noted(reaped.filter(({ done }) => done === null));
    const told = left.map(({ kind, what }) => `${kind} ${what}`).join("; ");
    if (told !== this.#told && told !== "")
      say(`audit: ${left.length} without an owner: ${told}. signalbox audit says more.`);
    this.#told = told;
    return reaped.length - left.length;
  }

  #noted<T extends readonly unknown[]>(findings: T): T {
    this.#last = { atMs: this.#options.clock.wallMs(), findings: findings.length };
    return findings;
  }
}
