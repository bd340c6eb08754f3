import { expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { protocolError } from "../../src/protocol/errors.ts";
import { removeAgents } from "./living-agents.ts";

/** Has two agents in its list, the first of which goes by itself before anybody asks for it. */
function listing(left: Set<string>): Client {
  const call = (name: string, { agent = "" }: { agent?: string }): Promise<unknown> => {
    if (name === "agent.list") return Promise.resolve({ agents: [{ id: "a_1" }, { id: "a_2" }] });
    if (!left.has(agent)) return Promise.reject(protocolError("not-found", { what: "agent", id: agent }));
    left.delete(agent);
    return Promise.resolve({});
  };
  return { call } as unknown as Client;
}

test("an agent that goes between the list and its removal is as good as removed", async () => {
  const left = new Set(["a_2"]);
  await removeAgents(listing(left));
  expect([...left]).toEqual([]);
});
