// What tortures of living agents share.

import { ProtocolError } from "../../../src/protocol/errors.ts";
import type { AgentView } from "../../../src/protocol/wire/agent.ts";
import type { TortureRig } from "./torture-rig.ts";

/** An agent, once nothing moves in it any more; null when it is gone. */
export async function untilRest(rig: TortureRig, agent: string): Promise<AgentView | null> {
  for (;;) {
    const answer = await rig.ask("agent.wait", { agent }).catch((error: unknown) => {
      if (error instanceof ProtocolError && error.code === "not-found") return { rests: true, agent: null };
      throw error;
    });
    if (answer.rests) return answer.agent;
  }
}

export async function removeAll(rig: TortureRig): Promise<void> {
  const { agents } = await rig.ask("agent.list", {});
  for (const { id } of agents) await rig.ask("agent.remove", { agent: id, force: true, discard: true });
  await Promise.all(agents.map(({ id }) => untilRest(rig, id)));
}

/** What is there although nothing should be, as we see it and as an audit does. */
export async function leftOf(rig: TortureRig, agents: number): Promise<string[]> {
  const left = await rig.leftovers(agents);
  const { findings } = await rig.ask("audit", {});
  return [
    ...left.map((what) => `left over: ${what}`),
    ...findings.map((each) => `the audit found ${JSON.stringify(each)}`),
  ];
}
