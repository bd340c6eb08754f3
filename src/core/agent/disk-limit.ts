// How much of the disk an agent may take: what its template says, and at most what policies allow. It holds for everything in it
// together: who of those that write has how much, nobody can tell.

import { agentSubject } from "../egress/egress.ts";
import { applicable, ruleFor } from "../policy/policy.ts";
import type { State } from "../state.ts";
import type { Agent } from "./agent-state.ts";

export type DiskLimit = {
  readonly bytes: number;
  /** The policy that allows no more; null where that is the template's word. */
  readonly policy: string | null;
};

/** Null where nobody bounds it (SC19). Policies for a profile or a runner speak of runs alone. */
export function diskLimitOf(
  state: Pick<State, "policies">,
  agent: Pick<Agent, "project" | "node" | "spec">,
): DiskLimit | null {
  const own = agent.spec.limits?.diskBytes ?? Infinity;
  const rule = ruleFor(applicable(state.policies, agentSubject(agent)), "maxDisk");
  const most = rule?.value ?? Infinity;
  if (rule !== undefined && most < own) return { bytes: most, policy: rule.policy };
  return own === Infinity ? null : { bytes: own, policy: null };
}

/** For how long after a service was ended for it people are told. */
const tellMs = 3_600_000;

/** Services that were ended because their agent took more than it may, and when each was, the newest first. */
export function endedForDisk({ services }: Pick<Agent, "services">, nowMs: number): { name: string; atMs: number }[] {
  const found = [...services.values()].flatMap(({ spec: { name }, end, failures: { disk } }) =>
    end?.why === "out-of-disk" && disk !== undefined && disk.lastAtMs > nowMs - tellMs
      ? [{ name, atMs: disk.lastAtMs }]
      : [],
  );
  return found.toSorted((a, b) => b.atMs - a.atMs);
}
