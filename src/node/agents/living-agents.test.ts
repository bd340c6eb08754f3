import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { Fault } from "../../base/fault.ts";
import type { AgentAct } from "../../core/acts.ts";
import type { Input } from "../../core/inputs.ts";
import { LivingAgents, type LivingAgentsLink, type LivingAgentsOptions } from "./living-agents.ts";

/** The agents of a world whose keepers answer each question with this. */
function living(world: AgentWorld, answer: () => Promise<unknown>): { agents: LivingAgents; reports: Input[] } {
  const reports: Input[] = [];
  const keeper = { request: answer };
  const options = {
    workspaces: { of: async () => ({ keeper }) },
    values: { of: async () => ({}) },
    ...{ callsFolder: "/nowhere", joinsFolder: "/nowhere" },
  };
  const link = {
    state: () => world.state,
    report: async (input: Input) => ({ ok: reports.push(input) > 0 }),
    ...{ nowMs: () => 0, sleep: async () => undefined, closing: new AbortController().signal },
    onDefect: (error: unknown) => expect.unreachable(String(error)),
  };
  const agents = new LivingAgents(options as unknown as LivingAgentsOptions, link as unknown as LivingAgentsLink);
  return { agents, reports };
}

test("[AG22] a service for which no cage can be made has failed, with the reason; what may pass is tried again", async () => {
  const world = new AgentWorld();
  const agent = world.create([lone]);
  world.made(agent);
  const act = world.pending().find(({ type }) => type === "serve") as AgentAct;
  const fails = (code: string) => () =>
    Promise.reject(new Fault(code, { retry: "later", message: "no user namespaces" }));
  const { agents, reports } = living(world, fails("cage-failed"));
  await agents.do(act);
  expect(reports).toMatchObject([
    { type: "service.ended", agent, service: "web", end: { why: "not-started", said: "no user namespaces" } },
  ]);
  const others = living(world, fails("keeper-unavailable"));
  await expect(others.agents.do(act)).rejects.toThrow("no user namespaces");
  expect(others.reports).toEqual([]);
});
