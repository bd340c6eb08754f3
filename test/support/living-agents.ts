// What tests of living agents wait for, and how they leave nothing behind.

import type { Client } from "../../src/client/client.ts";
import { ProtocolError } from "../../src/protocol/errors.ts";
import type { AgentView } from "../../src/protocol/wire/agent.ts";

/** An agent, once nothing moves in it any more; null when it is gone. */
export async function settledAgent(client: Client, agent: string): Promise<AgentView | null> {
  for (;;) {
    const answer = await client.call("agent.wait", { agent }).catch(unlessGone({ rests: true, agent: null }));
    if (answer.rests) return answer.agent;
  }
}

/** One that goes by itself meanwhile is as good as removed. */
export async function removeAgents(client: Client): Promise<void> {
  for (const { id } of (await client.call("agent.list", {})).agents) {
    await client.call("agent.remove", { agent: id, force: true, discard: true }).catch(unlessGone(undefined));
    await settledAgent(client, id);
  }
}

/** What stands for the answer about an agent that is gone; any other trouble is passed on. */
function unlessGone<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof ProtocolError && error.code === "not-found") return instead;
    throw error;
  };
}
