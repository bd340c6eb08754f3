import { describe, expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { agentImageOf, imageOf } from "../project/image.ts";
import { agentEgressOf, egressOf } from "./egress.ts";

function made(): AgentWorld {
  const world = new AgentWorld();
  const change = { type: "project.change", project: world.projectId } as const;
  world.ok({ ...change, egress: { kind: "open", allow: ["example.org"] }, image: { name: "node:24" } });
  return world;
}

describe("what an agent reaches", () => {
  test("[AW4] is nobody, its project's list or its own, and the same for a run in it", () => {
    const world = made();
    const of = (more: Parameters<AgentWorld["create"]>[2]): string => {
      const id = world.create([lone], undefined, more);
      const { kind, allow } = agentEgressOf(world.state, world.agent(id));
      return [kind, ...(kind === "list" ? allow : [])].join(" ");
    };
    expect(of({})).toBe("none");
    expect(of({ egress: { kind: "list", allow: null } })).toBe("list example.org");
    expect(of({ egress: { kind: "list", allow: ["developer"] } })).toBe("list developer");
    const id = world.create([lone], undefined, { egress: { kind: "open", allow: null } });
    world.made(id);
    world.began(id, "web");
    const run = world.submit({ agent: id, egress: "none" });
    expect(egressOf(world.state, world.run(run)).kind).toBe("open");
  });

  test("[AW4] policies bound it: who asks for more is not made, who has more loses it", () => {
    const world = made();
    const open = { egress: { kind: "open", allow: null } } as const;
    const before = world.create([lone], undefined, open);
    world.policy("careful", { allowedEgress: "list" });
    const denied = { code: "policy-denied", policy: "careful", rule: "allowedEgress", what: "open" };
    expect(world.no(world.asked([lone], open))).toEqual(denied);
    expect(agentEgressOf(world.state, world.agent(before))).toMatchObject({ kind: "list", policy: "careful" });
    world.policy("claude-only", { allowedEgress: "none" }, { runner: "claude" });
    expect(agentEgressOf(world.state, world.agent(before)).kind).toBe("list");
  });

  test("[AW4, FC16] what leaves is remembered of the agent, and of no run", () => {
    const world = made();
    const agent = world.create([lone]);
    const target = { agent, host: "example.org", port: 443 };
    world.ok({ type: "egress.try", ...target, address: "93.184.216.34", refused: null }, "system");
    const passed = { connections: 0, refusals: 0, bytesOut: 1, bytesIn: 2 };
    world.ok({ type: "egress.sum", ...target, ...passed }, "system");
    expect([...world.agent(agent).reached.values()]).toMatchObject([
      { host: "example.org", connections: 1, bytesIn: 2 },
    ]);
    const run = world.submit();
    world.ok({ type: "egress.try", ...target, tenant: run, address: null, refused: null }, "system");
    expect([...world.agent(agent).reached.values()]).toMatchObject([{ connections: 2 }]);
    expect(world.run(run).reached.size).toBe(0);
    const lost = { ...target, agent: "a_zz", address: null, refused: "not-listed" } as const;
    expect(world.no({ type: "egress.try", ...lost })).toMatchObject({ code: "not-found", kind: "agent" });
  });
});

test("[AW5] the system of an agent is its own, else its project's, and a run in it has the same", () => {
  const world = made();
  const of = (image?: "none" | { readonly name: string }): unknown => {
    const id = world.create([lone], undefined, image === undefined ? {} : { image });
    return agentImageOf(world.state, world.agent(id));
  };
  expect(of()).toEqual({ name: "node:24" });
  expect(of({ name: "python:3" })).toEqual({ name: "python:3" });
  expect(of("none")).toBeNull();
  const id = world.create([lone], undefined, { image: { name: "python:3" } });
  expect(imageOf(world.state, world.run(world.submit({ agent: id })))).toEqual({ name: "python:3" });
});
