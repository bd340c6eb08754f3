// What this machine has for one more agent: limits that it can never meet are told, and nothing is made where there is no room.

import type { AgentSpec } from "../core/agent/agent-spec.ts";
import { findBeyond } from "../core/agent/machine-fit.ts";
import { capacityFor } from "../core/agent/trend.ts";
import { protocolError } from "../protocol/errors.ts";
import type { Context } from "./context.ts";
import { takenBy } from "./health-outlook.ts";

type Beyond = { readonly code: "limit-beyond-machine"; readonly message: string };

/** What is strange about limits on this machine, as sentences (AG92). */
export async function tellBeyond({ parts }: Context, spec: AgentSpec): Promise<Beyond[]> {
  const { processors, memory } = await parts.machine();
  return findBeyond(spec, { memoryBytes: memory.totalBytes, processors }).map(({ path, of, value }) => {
    const [wanted, has] =
      of === "memory"
        ? [toGiB(value), `${toGiB(memory.totalBytes)} of memory`]
        : [String(value), `${processors} processors`];
    const message = `${path} is ${wanted}, and this machine has ${has}: it holds nobody back. Make it less.`;
    return { code: "limit-beyond-machine", message };
  });
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

function toGiB(bytes: number): string {
  return `${Math.round((bytes / 1024 ** 3) * 10) / 10}GiB`;
}
