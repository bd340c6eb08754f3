// Looks again and again whether a service is well, and tells when that changes. Single checks that fail are no news: so many
// in a row are, once the time has passed that a service has to come up.

import type { HealthCheck } from "../../core/agent/agent-spec.ts";

export type Checked = { readonly ok: boolean; readonly what: string };

export type HealthWatchOptions = {
  readonly check: Pick<HealthCheck, "intervalMs" | "retries" | "startPeriodMs">;
  /** How long it has been up already. */
  readonly upMs: number;
  /** What is known of it since before. */
  readonly healthy: boolean | null;
  readonly look: () => Promise<Checked>;
  readonly tell: (healthy: boolean, what: string) => Promise<void>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly nowMs: () => number;
  readonly signal: AbortSignal;
};

/** While it comes up nobody shall wait for long to hear that it has. */
const startEveryMs = 250;

export async function watchHealth(options: HealthWatchOptions): Promise<void> {
  const { check, look, tell, sleep, nowMs, signal } = options;
  const beganAtMs = nowMs() - options.upMs;
  let { healthy } = options;
  let failed = 0;
  while (!signal.aborted) {
    const { ok, what } = await look();
    if (signal.aborted) return;
    failed = ok ? 0 : failed + 1;
    const isStarting = healthy !== true && nowMs() - beganAtMs < check.startPeriodMs;
    if (ok && healthy !== true) await tell((healthy = true), what);
    else if (!ok && healthy !== false && failed >= check.retries && !isStarting) await tell((healthy = false), what);
    await sleep(healthy === true ? check.intervalMs : Math.min(check.intervalMs, startEveryMs));
  }
}
