// That no service may use more than its agent: such a limit would never be met.

import { agentLimitDefaults } from "./agent-spec.ts";
import type { Draft, DraftService } from "./draft.ts";
import type { SaidLimits } from "./limits-schema.ts";
import type { Complain, Path } from "./problem.ts";
import { toBytes } from "./size.ts";
import type { Template } from "./template-schema.ts";

const kinds = ["memory", "memory_max", "cpu", "processes", "files"] as const;

export function checkLimits(template: Template, draft: Draft, complain: Complain, warn: Complain): void {
  const whole = template.limits ?? {};
  checkSum(draft, whole, warn);
  checkProcesses(draft, whole, complain, warn);
  checkMost(whole, ["limits"], complain);
  for (const service of draft.services) {
    checkMost(service.said.limits ?? {}, [...service.path, "limits"], complain);
    checkOne(service, whole, complain);
  }
}

/** Limits are no reservations, so that they may come to more; but not all services can have all of theirs at once. */
function checkSum({ services }: Draft, { memory }: SaidLimits, warn: Complain): void {
  if (memory === undefined) return;
  const sum = services.reduce((all, { said }) => {
    const own = said.limits?.memory;
    return all + (own === undefined ? 0 : toBytes(own) * (said.instances ?? 1));
  }, 0);
  if (sum <= toBytes(memory)) return;
  const most = `${Math.ceil(sum / 1024 ** 2)}MiB`;
  warn(
    ["limits", "memory"],
    `Its services may have ${most} together, so that not all of them can have what they may at once. Give the agent as much, or them less.`,
  );
}

/** Each instance is a process at least, and one that may not begin fails for want of it, over and over. */
function checkProcesses({ services }: Draft, { processes }: SaidLimits, complain: Complain, warn: Complain): void {
  const most = processes ?? agentLimitDefaults.processes;
  const path = processes === undefined ? ["services"] : ["limits", "processes"];
  const all = services.filter(({ said }) => said.schedule === undefined);
  const least = all.reduce((sum, { said }) => sum + (said.instances ?? 1), 0);
  if (least > most)
    return complain(
      path,
      `Its services are ${least} processes at least, and everything in the agent may be ${most} together. Give it more, or run fewer instances.`,
      processes === undefined ? "key" : "value",
    );
  const own = services.reduce((sum, { said }) => sum + (said.limits?.processes ?? 0) * (said.instances ?? 1), 0);
  if (processes !== undefined && own > most)
    warn(
      path,
      `Its services may have ${own} processes together, so that not all of them can have what they may at once. Give the agent as many, or them less.`,
    );
}

/** What it may be given is more than what it has. */
function checkMost({ memory, memory_max: most }: SaidLimits, path: Path, complain: Complain): void {
  if (most === undefined) return;
  if (memory === undefined)
    complain(
      [...path, "memory_max"],
      "It is how far memory may be raised, and memory itself is not there. Say memory, too.",
    );
  else if (toBytes(most) < toBytes(memory))
    complain([...path, "memory_max"], `It is less than memory, which is ${memory}. Make it more, or leave it out.`);
}

function checkOne(service: DraftService, whole: SaidLimits, complain: Complain): void {
  for (const kind of kinds) {
    const own = service.said.limits?.[kind];
    const all = mostOf(whole, kind);
    if (own === undefined || all === undefined || toNumber(own) <= toNumber(all)) continue;
    complain(
      [...service.path, "limits", kind],
      `The agent has ${all} for everything in it, so ${service.name} can never have ${own}. Make this less, or give the agent more: limits: { ${kind}: ${own} }.`,
    );
  }
}

/** The most that everything in the agent may have together. */
function mostOf(whole: SaidLimits, kind: (typeof kinds)[number]): string | number | undefined {
  if (kind === "processes") return whole.processes ?? agentLimitDefaults.processes;
  return kind === "memory_max" ? (whole.memory_max ?? whole.memory) : whole[kind];
}

function toNumber(value: string | number): number {
  return typeof value === "string" ? toBytes(value) : value;
}
