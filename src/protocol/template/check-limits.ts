// That no service may use more than its agent: such a limit would never be met.

import { agentLimitDefaults } from "./agent-spec.ts";
import type { Draft, DraftService } from "./draft.ts";
import type { SaidLimits } from "./limits-schema.ts";
import type { Complain } from "./problem.ts";
import { toBytes } from "./size.ts";
import type { Template } from "./template-schema.ts";

const kinds = ["memory", "cpu", "processes", "files"] as const;

export function checkLimits(template: Template, draft: Draft, complain: Complain): void {
  const whole = template.limits ?? {};
  for (const service of draft.services) checkOne(service, whole, complain);
}

function checkOne(service: DraftService, whole: SaidLimits, complain: Complain): void {
  for (const kind of kinds) {
    const own = service.said.limits?.[kind];
    const all = whole[kind] ?? (kind === "processes" ? agentLimitDefaults.processes : undefined);
    if (own === undefined || all === undefined || toNumber(own) <= toNumber(all)) continue;
    complain(
      [...service.path, "limits", kind],
      `The agent has ${all} for everything in it, so ${service.name} can never have ${own}. Make this less, or give the agent more: limits: { ${kind}: ${own} }.`,
    );
  }
}

function toNumber(value: string | number): number {
  return typeof value === "string" ? toBytes(value) : value;
}
