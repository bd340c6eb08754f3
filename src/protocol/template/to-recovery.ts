// From what a template says of its ladder and of its alerts to what an agent goes by.

import { type AlertRule, recoveryDefaults, recoveryRungs, type RecoveryRule } from "./agent-spec.ts";
import { toMs } from "./duration.ts";
import type { SaidAlerts, SaidRecovery } from "./recovery-schema.ts";

export function inOrder(rungs: RecoveryRule["rungs"]): RecoveryRule["rungs"] {
  return recoveryRungs.filter((each) => rungs.includes(each));
}

/** With every default; what is left out gives way to what was said. */
export function toRecovery({ rungs, tries, delay, max_delay, reset }: SaidRecovery): RecoveryRule {
  const delayMs = delay === undefined ? undefined : toMs(delay);
  const delayMsMax = max_delay === undefined ? undefined : toMs(max_delay);
  return {
    rungs: inOrder(rungs ?? recoveryDefaults.rungs),
    tries: tries ?? recoveryDefaults.tries,
    delayMs: delayMs ?? recoveryDefaults.delayMs,
    delayMsMax: delayMsMax ?? Math.max(recoveryDefaults.delayMsMax, delayMs ?? 0),
    resetMs: reset === undefined ? recoveryDefaults.resetMs : toMs(reset),
  };
}

export function saysNothing(alerts: SaidAlerts): boolean {
  return Object.values(alerts).every((said) => said === undefined);
}

export function toAlerts({ rung, restarts, unwell }: SaidAlerts): AlertRule {
  return { rung: rung ?? null, restarts: restarts ?? null, unwellMs: unwell === undefined ? null : toMs(unwell) };
}
