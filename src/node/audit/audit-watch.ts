// Audits at a steady pace. What was found is told once, and again when it has changed; taking it away is for people.

import type { Clock } from "../../ports/clock.ts";
import type { Finding } from "../../protocol/wire/audit.ts";
import type { Audit } from "./audit.ts";

export type AuditWatchOptions = {
  readonly clock: Pick<Clock, "setTimer" | "wallMs">;
  readonly look: () => Promise<readonly Finding[]>;
  /** Tells people, in the daemon's log. */
  readonly say: (sentence: string) => void;
};

/** When it was looked last, and how much was found. */
export type LastAudit = { readonly atMs: number; readonly findings: number };

export const auditEveryMs = 60 * 60_000;

export class AuditWatch {
  readonly #options: AuditWatchOptions;
  #cancel: (() => void) | undefined;
  #told = "";
  #last: LastAudit | null = null;
  #isClosed = false;

  constructor(options: AuditWatchOptions) {
    this.#options = options;
  }

  begin(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#options.clock.setTimer(auditEveryMs, () => void this.#audit().finally(() => this.begin()));
  }

  /** The same, for those who ask: what they find is what is known from then on. */
  over(audit: Pick<Audit, "look" | "reap">): Pick<Audit, "look" | "reap"> & { readonly last: LastAudit | null } {
    const last = (): LastAudit | null => this.#last;
    return {
      look: async () => this.#noted(await audit.look()),
      reap: async () => {
        const reaped = await audit.reap();
        this.#noted(reaped.filter(({ done }) => done === null));
        return reaped;
      },
      get last() {
        return last();
      },
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
  }

  async #audit(): Promise<void> {
    const { look, say } = this.#options;
    try {
      const findings = await look();
      this.#noted(findings);
      const told = findings.map(({ kind, what }) => `${kind} ${what}`).join("; ");
      if (told !== this.#told && told !== "")
        say(`audit: ${findings.length} without an owner: ${told}. signalbox audit says more.`);
      this.#told = told;
    } catch (error) {
      say(`audit: it could not be looked: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  #noted<T extends readonly unknown[]>(findings: T): T {
    this.#last = { atMs: this.#options.clock.wallMs(), findings: findings.length };
    return findings;
  }
}
