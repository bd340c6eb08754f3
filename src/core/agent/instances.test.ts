import { describe, expect, test } from "vitest";
import type { AgentAct } from "../acts.ts";
import { AgentWorld, crashed, service } from "../../../test/support/agent-world.ts";

const tcp = { kind: "tcp", port: "main", intervalMs: 1000, timeoutMs: 500, retries: 2, startPeriodMs: 5000 } as const;
const two = service("web", { instances: 2, health: tcp });
const beside = service("web", { overlap: true, health: tcp });
const needy = service("front", { needs: [{ service: "web", until: "healthy" }] });

function come(world: AgentWorld, id: string, ...names: string[]): void {
  for (const name of names) {
    world.began(id, name);
    world.judged(id, name, true);
  }
}

/** The instances that callers are brought to. */
function shared(world: AgentWorld): string | undefined {
  return world.pending().findLast((act): act is AgentAct & { type: "share" } => act.type === "share")?.id;
}

function restart(world: AgentWorld, id: string): void {
  world.ok({ type: "service.restart", agent: id, service: "web" });
}

describe("several instances", () => {
  test("[SV20, SV21] each has a name, a process and ports of its own, beside the port of the whole", () => {
    const world = new AgentWorld();
    const id = world.create([two, needy]);
    world.made(id);
    expect(world.states(id)).toEqual({ "web.1": "starting", "web.2": "starting", front: "waiting" });
    expect([...world.agent(id).ports.keys()]).toEqual(["web.main", "web.1.main", "web.2.main", "front.main"]);
    come(world, id, "web.1");
    expect(shared(world)).toBe(`share:${id}/web:web.1@1`);
    expect(world.states(id)).toMatchObject({ front: "waiting" });
    come(world, id, "web.2");
    expect(shared(world)).toBe(`share:${id}/web:web.1@1+web.2@1`);
    expect(world.states(id)).toMatchObject({ front: "starting" });
    world.judged(id, "web.1", false);
    expect(shared(world)).toBe(`share:${id}/web:web.2@1`);
  });

  test("[SV26] another number of them lets instances come or go, and touches nobody else", () => {
    const world = new AgentWorld();
    const id = world.create([two, needy]);
    world.made(id);
    come(world, id, "web.1", "web.2", "front");
    const scale = (instances: number): void => {
      const { spec } = world.agent(id);
      const services = spec.services.map((each) => (each.name === "web" ? { ...each, instances } : each));
      world.ok({ type: "agent.reload", agent: id, spec: { ...spec, services }, offered: [31_001, 31_002] });
    };
    scale(4);
    const before = { "web.1": "up", "web.2": "up", front: "up" };
    expect(world.states(id)).toEqual({ ...before, "web.3": "starting", "web.4": "starting" });
    expect(world.agent(id)).toMatchObject({ state: "running", life: 1 });
    come(world, id, "web.3", "web.4");
    expect(shared(world)).toBe(`share:${id}/web:web.1@1+web.2@1+web.3@1+web.4@1`);
    scale(2);
    expect(world.states(id)).toEqual({ ...before, "web.3": "stopping", "web.4": "stopping" });
    expect(shared(world)).toBe(`share:${id}/web:web.1@1+web.2@1`);
    world.ended(id, "web.3");
    world.ended(id, "web.4");
    expect(world.states(id)).toEqual(before);
    expect([...world.agent(id).services.values()].map(({ life }) => life)).toEqual([1, 1, 1]);
    expect([...world.agent(id).ports.keys()]).toEqual(["web.main", "web.1.main", "web.2.main", "front.main"]);
  });

  test("[SV26] with overlap, whoever runs goes on, whichever of them that is", () => {
    const world = new AgentWorld();
    const id = world.create([{ ...beside, instances: 2 }]);
    world.made(id);
    come(world, id, "web.1", "web.2");
    world.ok({ type: "service.restart", agent: id, service: "web.1" });
    come(world, id, "web.3");
    world.ended(id, "web.1");
    expect(world.states(id)).toEqual({ "web.1": "down", "web.2": "up", "web.3": "up" });
    const { spec } = world.agent(id);
    world.ok({ type: "agent.reload", agent: id, spec: { ...spec, services: [beside] }, offered: [] });
    expect(world.states(id)).toEqual({ "web.1": "down", "web.2": "up", "web.3": "stopping" });
    expect(world.agent(id).services.get("web.2")).toMatchObject({ wanted: true, life: 1 });
  });

  test("[SV23] are begun anew one after another, each when the others are well", () => {
    const world = new AgentWorld();
    const id = world.create([two]);
    world.made(id);
    come(world, id, "web.1", "web.2");
    restart(world, id);
    expect(world.states(id)).toEqual({ "web.1": "stopping", "web.2": "up" });
    world.ended(id, "web.1");
    world.began(id, "web.1");
    expect(world.states(id)).toEqual({ "web.1": "up", "web.2": "up" });
    world.judged(id, "web.1", true);
    expect(world.states(id)).toEqual({ "web.1": "up", "web.2": "stopping" });
    world.ended(id, "web.2");
    come(world, id, "web.2");
    expect(world.states(id)).toEqual({ "web.1": "up", "web.2": "up" });
    expect(world.agent(id).services.get("web.2")).toMatchObject({ life: 2, outdated: false });
  });

  test("[SV20] are stopped and started together by the name of the whole, and alone by their own", () => {
    const world = new AgentWorld();
    const id = world.create([two]);
    world.made(id);
    come(world, id, "web.1", "web.2");
    world.ok({ type: "service.stop", agent: id, service: "web.2" });
    expect(world.states(id)).toEqual({ "web.1": "up", "web.2": "stopping" });
    world.ended(id, "web.2");
    world.ok({ type: "service.stop", agent: id, service: "web" });
    world.ended(id, "web.1");
    expect(world.states(id)).toEqual({ "web.1": "down", "web.2": "down" });
    world.ok({ type: "service.start", agent: id, service: "web" });
    expect(world.states(id)).toEqual({ "web.1": "starting", "web.2": "starting" });
    expect(world.no({ type: "service.start", agent: id, service: "web.3" })).toMatchObject({ code: "not-found" });
  });
});

describe("one that is replaced beside itself", () => {
  function running(world: AgentWorld): string {
    const id = world.create([beside]);
    world.made(id);
    come(world, id, "web.1");
    expect(world.agent(id).state).toBe("running");
    expect(world.states(id)).toEqual({ "web.1": "up", "web.2": "down" });
    return id;
  }

  test("[SV22] the new one is well before the old one goes", () => {
    const world = new AgentWorld();
    const id = running(world);
    restart(world, id);
    expect(world.states(id)).toEqual({ "web.1": "up", "web.2": "starting" });
    world.began(id, "web.2");
    expect(world.states(id)).toEqual({ "web.1": "up", "web.2": "up" });
    world.judged(id, "web.2", true);
    expect(world.states(id)).toEqual({ "web.1": "stopping", "web.2": "up" });
    expect(world.agent(id).services.get("web.1")?.because).toBe("another stands in for it");
    expect(shared(world)).toBe(`share:${id}/web:web.2@1`);
    world.ended(id, "web.1");
    expect(world.states(id)).toEqual({ "web.1": "down", "web.2": "up" });
    restart(world, id);
    expect(world.states(id)).toEqual({ "web.1": "starting", "web.2": "up" });
  });

  test.each([
    ["ends", (world: AgentWorld, id: string) => world.ended(id, "web.2", crashed)],
    [
      "never comes to be well",
      (world: AgentWorld, id: string) => {
        world.began(id, "web.2");
        world.judged(id, "web.2", false);
        world.ended(id, "web.2");
      },
    ],
  ])("[SV24] where the new one %s, the old one goes on, and no ladder is climbed", (_, fail) => {
    const world = new AgentWorld();
    const id = running(world);
    restart(world, id);
    fail(world, id);
    expect(world.states(id)).toEqual({ "web.1": "up", "web.2": "down" });
    expect(world.agent(id)).toMatchObject({ state: "running", rung: null });
    expect(world.agent(id).services.get("web.1")).toMatchObject({
      outdated: false,
      renewal: expect.stringContaining("web.2 did not come up in its place: it ") as string,
    });
    restart(world, id);
    expect(world.states(id)).toEqual({ "web.1": "up", "web.2": "starting" });
  });

  test("[SV22] an old one that ends meanwhile is started again, and one of both goes when both are well", () => {
    const world = new AgentWorld();
    const id = running(world);
    restart(world, id);
    world.ended(id, "web.1", crashed);
    world.pass(1000);
    come(world, id, "web.1");
    expect(world.states(id)).toEqual({ "web.1": "up", "web.2": "starting" });
    come(world, id, "web.2");
    expect(world.states(id)).toEqual({ "web.1": "stopping", "web.2": "up" });
  });

  test("[SV22] after its agent was begun anew there is one of it", () => {
    const world = new AgentWorld();
    const id = running(world);
    restart(world, id);
    world.ok({ type: "agent.restart", agent: id });
    world.ended(id, "web.1");
    world.ended(id, "web.2");
    world.gone(id);
    world.made(id);
    come(world, id, "web.1", "web.2");
    world.ended(id, "web.1");
    expect(world.states(id)).toEqual({ "web.1": "down", "web.2": "up" });
    expect(world.agent(id).state).toBe("running");
  });
});
