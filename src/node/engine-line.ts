// A node's line to the engine: inputs go in, and are sent again while the engine says "later".

import type { Result } from "../base/result.ts";
import type { Answer, Given, Refusal } from "../core/inputs.ts";
import type { Clock } from "../ports/clock.ts";

type Later = { readonly code: "overloaded" | "store-unavailable"; readonly retryAfterMs: number };
export type LineOutcome = Result<Answer, Refusal | { readonly code: "closing" }>;
type Submit = (
  given: Given,
  reply: (outcome: Result<Answer, Refusal | { readonly code: "closing" } | Later>) => void,
) => void;

export class EngineLine {
  readonly #submit: Submit;
  readonly #clock: Clock;
  readonly #nowMs: () => number;

  constructor(submit: Submit, clock: Clock, nowMs: () => number) {
    this.#submit = submit;
    this.#clock = clock;
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs();
  }

  /** Resolves with the engine's answer. What is reported is idempotent, so it may be sent as often as it takes. */
  async submit(given: Given, signal?: AbortSignal): Promise<LineOutcome> {
    for (;;) {
      const outcome = await new Promise<Parameters<Parameters<Submit>[1]>[0]>((resolve) =>
        this.#submit(given, resolve),
      );
      if (outcome.ok) return outcome;
      const { refusal } = outcome;
      if (!("retryAfterMs" in refusal)) return { ok: false, refusal };
      await this.sleep(refusal.retryAfterMs, signal);
      if (signal?.aborted === true) return { ok: false, refusal: { code: "closing" } };
    }
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (ms <= 0 || signal?.aborted === true) return resolve();
      const finish = (): void => {
        cancel();
        signal?.removeEventListener("abort", finish);
        resolve();
      };
      const cancel = this.#clock.setTimer(ms, finish);
      signal?.addEventListener("abort", finish, { once: true });
    });
  }
}
