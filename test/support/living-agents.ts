// What tests of living agents wait for, and how they leave nothing behind.

import type { Client } from "../../src/client/client.ts";
import { ProtocolError } from "../../src/protocol/errors.ts";
import type { AgentView } from "../../src/protocol/wire/agent.ts";

/** An agent, once nothing moves in it any more; null when it is gone. */
export async function settledAgent(client: Client, agent: string): Promise<AgentView | null> {
  for (;;) {
    const answer = await client.call("agent.wait", { agent }).catch((error: unknown) => {
      if (error instanceof ProtocolError && error.code === "not-found") return { rests: true, agent: null };
      throw error;
    });
    if (answer.rests) return answer.agent;
  }
}

export async function removeAgents(client: Client): Promise<void> {
  for (const { id } of (await client.call("agent.list", {})).agents) {
    await client.call("agent.remove", { agent: id, force: true, discard: true });
    await settledAgent(client, id);
  }
}
