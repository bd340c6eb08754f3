// What an agent may use, and take of the disk: its keeper is told when its place is made, and whenever that may be another.

import { Fault } from "../../base/fault.ts";
import { agentLimitsOf } from "../../core/agent/agent-limits.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { diskLimitOf } from "../../core/agent/disk-limit.ts";
import type { State } from "../../core/state.ts";
import type { KeeperOp } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { type UsualLimits, wholeLimitsFor } from "../workspace/usual-limits.ts";
import type { PlaceLimits } from "../workspace/workspaces.ts";

type Ground = {
  readonly state: () => State;
  readonly placeOf: (agent: Agent) => Promise<{ readonly keeper: KeeperLine }>;
  readonly usual: UsualLimits;
};

/** Null where nobody bounds it. */
export function diskBytesOf(state: State, agent: Agent): number | null {
  return diskLimitOf(state, agent)?.bytes ?? null;
}

/** What everything in it may use together (SV16). */
export function placeLimitsOf(state: State, agent: Agent): PlaceLimits {
  const { memoryBytes: memory, cpu, processes, files, outputBytesPerS } = agentLimitsOf(state, agent);
  return {
    ...(memory?.tightens === true
      ? { memoryBytes: null, memoryBytesMost: memory.value }
      : { memoryBytes: memory?.value ?? null }),
    cpu: cpu?.value ?? null,
    processes: processes?.value ?? null,
    files: files?.value ?? null,
    outputBytesPerS: outputBytesPerS?.value ?? null,
  };
}

/** Holds an agent to what it may use and take now. */
export async function boundAgent(agent: Agent, { state, placeOf, usual }: Ground): Promise<void> {
  if (!agent.isMade || agent.state === "stopping") return;
  const { keeper } = await placeOf(agent);
  const orders: readonly ((now: Agent) => KeeperOp)[] = [
    (now) => ({ op: "quota", diskBytes: diskBytesOf(state(), now) }),
    (now) => ({ op: "limits", limits: wholeLimitsFor(placeLimitsOf(state(), now), usual) }),
  ];
  for (const orderOf of orders) {
    // Looked up when nothing is waited for any more: of two that are told at once the later one knows what holds now.
    const now = state().agents.get(agent.id);
    if (now === undefined || now.life !== agent.life) return;
    await keeper.request(orderOf(now)).catch((error: unknown) => {
      // A keeper of an earlier release holds it to that when its place is made anew.
      if (!(error instanceof Fault) || error.code !== "bad-request") throw error;
    });
  }
}
