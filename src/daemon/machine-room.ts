// What this machine has for one more agent: limits that it can never meet are told, and nothing is made where there is no room.

import type { AgentSpec } from "../core/agent/agent-spec.ts";
import type { Agent } from "../core/agent/agent-state.ts";
import { type BeyondPolicy, findBeyondPolicies } from "../core/agent/agent-limits.ts";
import { findBeyond } from "../core/agent/machine-fit.ts";
import { capacityFor } from "../core/agent/trend.ts";
import { spellBytes } from "../protocol/template/size.ts";
import { protocolError } from "../protocol/errors.ts";
import type { Context } from "./context.ts";
import { takenBy } from "./health-outlook.ts";

type Beyond = { readonly code: "limit-beyond-machine" | "limit-beyond-policy"; readonly message: string };

/** What is strange about limits on this machine, as sentences (AG92). */
export async function tellBeyond(
  { parts, state }: Context,
  spec: AgentSpec,
  place: Pick<Agent, "project" | "node">,
): Promise<Beyond[]> {
  const { processors, memory } = await parts.machine();
  const ofMachine = findBeyond(spec, { memoryBytes: memory.totalBytes, processors }).map(
    ({ path, of, value }): Beyond => {
      const [wanted, has] =
        of === "memory"
          ? [toGiB(value), `${toGiB(memory.totalBytes)} of memory`]
          : [String(value), `${processors} processors`];
      const message = `${path} is ${wanted}, and this machine has ${has}: it holds nobody back. Make it less.`;
      return { code: "limit-beyond-machine", message };
    },
  );
  return [...ofMachine, ...findBeyondPolicies(state, place, spec).map(tellBeyondPolicy)];
}

/** Throws where so many more would not find what those of the same template take (AG92). */
export async function mustHaveRoom({ parts, state }: Context, spec: AgentSpec, count: number): Promise<void> {
  const need = takenBy(state, spec.template, parts.seen);
  const [{ memory }, { freeBytes }] = await Promise.all([parts.machine(), parts.storage.space()]);
  const left = { memoryBytes: memory.availableBytes, diskBytes: freeBytes, agents: Infinity };
  const { more, boundBy } = capacityFor(need, left);
  if (more >= count) return;
  throw protocolError("no-room", { template: spec.template, wanted: count, more, of: boundBy });
}

function tellBeyondPolicy({ path, of, value, most, policy }: BeyondPolicy): Beyond {
  const [wanted, has] = of === "number" ? [String(value), String(most)] : [spellBytes(value), spellBytes(most)];
  const message = `${path} is ${wanted}, and the policy ${policy} allows an agent here ${has} in all: no more is had. Make it less, or have the policy changed.`;
  return { code: "limit-beyond-policy", message };
}

function toGiB(bytes: number): string {
  return `${Math.round((bytes / 1024 ** 3) * 10) / 10}GiB`;
}
