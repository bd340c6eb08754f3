// How much of the disk an agent may take: its keeper is told when its place is made, and whenever that may be another.

import { Fault } from "../../base/fault.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { diskLimitOf } from "../../core/agent/disk-limit.ts";
import type { State } from "../../core/state.ts";
import type { KeeperLine } from "../workspace/keepers.ts";

type Ground = {
  readonly state: () => State;
  readonly placeOf: (agent: Agent) => Promise<{ readonly keeper: KeeperLine }>;
};

/** Null where nobody bounds it. */
export function diskBytesOf(state: State, agent: Agent): number | null {
  return diskLimitOf(state, agent)?.bytes ?? null;
}

/** Holds an agent to what it may take now. */
export async function boundDisk(agent: Agent, { state, placeOf }: Ground): Promise<void> {
  if (!agent.isMade || agent.state === "stopping") return;
  const { keeper } = await placeOf(agent);
  // Looked up when nothing is waited for any more: of two that are told at once the later one knows what holds now.
  const now = state().agents.get(agent.id);
  if (now === undefined || now.life !== agent.life) return;
  await keeper.request({ op: "quota", diskBytes: diskBytesOf(state(), now) }).catch((error: unknown) => {
    // A keeper of an earlier release holds it to that when its place is made anew.
    if (!(error instanceof Fault) || error.code !== "bad-request") throw error;
  });
}
