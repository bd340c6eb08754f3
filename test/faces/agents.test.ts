// Living agents over the real socket: how many a model may make.

import { expect, test } from "vitest";
import { inFaceWorld } from "../support/faces/face-world.ts";

const template = "template: shop\nservices: { web: { command: sleep 1000, ports: [http] } }\n";

test("[AG60] a model that makes one too many gets a sentence, and nothing is reserved", () =>
  inFaceWorld(async (world) => {
    const tool = async (name: string, given: object): Promise<string> => {
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
      const accept = "application/json, text/event-stream";
      const headers = { authorization: `Bearer ${world.token}`, "content-type": "application/json", accept };
      return (await fetch(`${world.server.url}/mcp`, { method: "POST", headers, body: JSON.stringify(body) })).text();
    };
    await world.http.call("project.add", { root: world.folder, name: "shop" });
    await world.http.call("policy.set", { name: "one", rules: { maxAgents: 1 } });
    expect(await tool("agent_create", { project: "shop", template })).toContain("shop-1");
    const refused = await tool("agent_create", { project: "shop", template });
    expect(refused).toContain("policy-denied");
    expect(refused).toContain("does not allow 2 agents, where 1 may be (rule maxAgents)");
    // What a model says of it itself is below what a person has said.
    await tool("policy_set", { name: "more", priority: -1, rules: { maxAgents: 1000 } });
    expect(await tool("agent_create", { project: "shop", template })).toContain("policy-denied");
    expect((await world.http.call("agent.list", {})).agents).toHaveLength(1);
  }));

test("what a service says is asked for before its process has begun: it has said nothing yet", () =>
  inFaceWorld(async (world) => {
    await world.http.call("project.add", { root: world.folder, name: "shop" });
    const { agent: made } = await world.http.call("agent.create", { project: "shop", template });
    const agent = made.id;
    await world.submit({ type: "agent.made", agent, life: 1 });
    const said = await world.http.call("service.output", { agent, service: "web" });
    expect(said).toMatchObject({ life: 1, text: "", size: 0, ended: false });
    expect(world.defects).toEqual([]);
  }));
