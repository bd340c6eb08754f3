import { describe, expect, test } from "vitest";
import { CoreWorld } from "../../../test/support/core-world.ts";
import { defaultRules } from "../policy/policy.ts";

const spec = { template: "shop", env: {}, services: [], faces: [] };

class LimitWorld extends CoreWorld {
  readonly shop = this.project();

  create(project = this.shop, node = "local"): string {
    const outcome = this.give({ type: "agent.create", name: null, project, node, spec, offered: [] });
    return (outcome.ok && outcome.value.of === "ids" ? outcome.value.ids[0] : undefined) ?? JSON.stringify(outcome);
  }

  turnedAway(project = this.shop, node = "local"): unknown {
    return this.no({ type: "agent.create", name: null, project, node, spec, offered: [] });
  }
}

describe("one more agent", () => {
  test("[AG60] is refused where a limit has no room, with the policy; one that is stopped takes room until it is gone", () => {
    const world = new LimitWorld();
    world.policy("few", { maxAgents: 2 });
    const [first] = [world.create(), world.create()];
    const before = world.log.length;
    expect(world.turnedAway()).toEqual({
      ...{ code: "policy-denied", policy: "few", rule: "maxAgents", what: "3 agents, where 2 may be" },
    });
    expect(world.log.length).toBe(before);
    const agent = world.state.agents.get(first ?? "");
    world.ok({ type: "agent.stop", agent: agent?.id ?? "", force: true });
    const ended = { type: "agent.ended", agent: agent?.id ?? "", life: agent?.life ?? 0 } as const;
    world.ok({ ...ended, cleared: false }, "system");
    expect(agent?.state).toBe("stopped");
    expect(world.turnedAway()).toMatchObject({ policy: "few" });
    world.ok({ type: "agent.remove", agent: agent?.id ?? "", force: true });
    expect(world.state.agents.size).toBe(2);
    world.ok({ ...ended, cleared: true }, "system");
    expect(world.state.agents.size).toBe(1);
    expect(world.create()).toMatch(/^a_/);
  });

  test("[AG60] needs room under every limit that speaks of it, whatever their priorities", () => {
    const world = new LimitWorld();
    world.policy("many", { maxAgents: 50 }, {}, 9);
    world.policy("here", { maxAgents: 1 }, { node: "n2" });
    world.policy("runs alone", { maxAgents: 0 }, { runner: "claude" });
    expect(world.create(world.shop, "n2")).toMatch(/^a_/);
    expect(world.turnedAway(world.shop, "n2")).toMatchObject({ policy: "here", what: "2 agents, where 1 may be" });
    expect(world.create(world.shop, "n1")).toMatch(/^a_/);
    world.policy("none of these", { maxAgents: 0 }, { project: world.shop });
    expect(world.turnedAway(world.shop, "n1")).toMatchObject({ policy: "none of these" });
  });

  test("[AG60] is bounded where nobody says anything; a model's word tightens that and does not lift it", () => {
    const world = new LimitWorld();
    for (let at = 0; at < defaultRules.maxAgents; at++) world.create();
    expect(world.turnedAway()).toMatchObject({ policy: "built-in", rule: "maxAgents" });
    world.policy("generous", { maxAgents: 10_000 }, {}, -1);
    expect(world.turnedAway()).toMatchObject({ policy: "built-in" });
    world.policy("generous", { maxAgents: 10_000 }, {}, 0);
    expect(world.create()).toMatch(/^a_/);
  });

  test("[AG60] a limit below what there is ends nothing", () => {
    const world = new LimitWorld();
    world.create();
    world.create();
    world.policy("few", { maxAgents: 1 });
    expect(world.state.agents.size).toBe(2);
    expect(world.turnedAway()).toMatchObject({ policy: "few", what: "3 agents, where 1 may be" });
  });
});
