import { describe, expect, test } from "vitest";
import type { AgentAct } from "../acts.ts";
import { canonical } from "../../base/canonical.ts";
import { evolve } from "../evolve.ts";
import { toPlain } from "../snapshot.ts";
import { makeState } from "../state.ts";
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

describe("an instance that somebody stopped", () => {
  const offered = [31_001, 31_002, 31_003, 31_004, 31_005, 31_006];
  const several = service("web", { instances: 3, overlap: true, health: tcp });

  /** Three are up, and one stands by. */
  function three(world: AgentWorld): string {
    const id = world.create([several], offered);
    world.made(id);
    come(world, id, "web.1", "web.2", "web.3");
    return id;
  }

  function stop(world: AgentWorld, id: string, name: string): void {
    world.ok({ type: "service.stop", agent: id, service: name });
    if (world.states(id)[name] === "stopping") world.ended(id, name);
  }

  /** Those that run, when nothing of the renewal is left to be done. */
  function renewAll(world: AgentWorld, id: string): string[] {
    restart(world, id);
    for (let left = 20; left > 0; left--)
      for (const { spec, state } of [...world.agent(id).services.values()]) {
        if (state === "stopping") world.ended(id, spec.name);
        if (state === "starting") come(world, id, spec.name);
      }
    return Object.entries(world.states(id)).flatMap(([name, state]) => (state === "up" ? [name] : []));
  }

  test("[AG18, SV22] stays down while the others are begun anew, as many as before, each beside the old one", () => {
    const world = new AgentWorld();
    const id = three(world);
    stop(world, id, "web.1");
    expect(world.agent(id).services.get("web.1")).toMatchObject({ stopped: true, because: "somebody stopped it" });
    restart(world, id);
    expect(world.states(id)).toEqual({ "web.1": "down", "web.2": "up", "web.3": "up", "web.4": "starting" });
    come(world, id, "web.4");
    expect(world.states(id)).toEqual({ "web.1": "down", "web.2": "stopping", "web.3": "up", "web.4": "up" });
    world.ended(id, "web.2");
    expect(world.states(id)).toEqual({ "web.1": "down", "web.2": "starting", "web.3": "up", "web.4": "up" });
    expect(renewAll(world, id)).toHaveLength(2);
    expect(world.lifeOf(id, "web.1")).toBe(1);
    expect(world.agent(id).state).toBe("running");
  });

  test("[AG18] comes back with whoever starts it, or all of it", () => {
    const world = new AgentWorld();
    const id = three(world);
    stop(world, id, "web.1");
    world.ok({ type: "service.start", agent: id, service: "web.1" });
    come(world, id, "web.1");
    expect(world.states(id)).toEqual({ "web.1": "up", "web.2": "up", "web.3": "up", "web.4": "down" });
    stop(world, id, "web.2");
    world.ok({ type: "service.start", agent: id, service: "web" });
    come(world, id, "web.2");
    expect(world.states(id)).toEqual({ "web.1": "up", "web.2": "up", "web.3": "up", "web.4": "down" });
    expect([...world.agent(id).services.values()].some(({ stopped }) => stopped)).toBe(false);
    // Of all of them that were stopped, those that are not needed stand by again.
    stop(world, id, "web");
    for (const name of ["web.1", "web.2", "web.3"]) world.ended(id, name);
    expect([...world.agent(id).services.values()].every(({ stopped }) => stopped)).toBe(true);
    world.ok({ type: "service.start", agent: id, service: "web" });
    come(world, id, "web.1", "web.2", "web.3");
    expect(world.agent(id).services.get("web.4")).toMatchObject({ state: "down", stopped: false });
    expect(renewAll(world, id)).toHaveLength(3);
  });

  test("[AG18, SV22] where it stood by, the others are begun anew in turn", () => {
    const world = new AgentWorld();
    const id = three(world);
    stop(world, id, "web.4");
    restart(world, id);
    expect(world.states(id)).toEqual({ "web.1": "stopping", "web.2": "up", "web.3": "up", "web.4": "down" });
    expect(renewAll(world, id)).toEqual(["web.1", "web.2", "web.3"]);
    expect(world.lifeOf(id, "web.4")).toBe(0);
  });

  test("[AG18, SV23] without overlap it stays down, too; and where all are stopped, who restarts the whole starts it", () => {
    const world = new AgentWorld();
    const id = world.create([two]);
    world.made(id);
    come(world, id, "web.1", "web.2");
    stop(world, id, "web.2");
    expect(renewAll(world, id)).toEqual(["web.1"]);
    stop(world, id, "web.1");
    restart(world, id);
    expect(world.states(id)).toEqual({ "web.1": "starting", "web.2": "starting" });
  });

  test("[AG18] is not started for what only takes that whoever runs is begun anew", () => {
    const world = new AgentWorld();
    const id = three(world);
    stop(world, id, "web.1");
    const because = "its template has changed";
    world.ok({ type: "service.restart", agent: id, service: "web.1", because }, "system");
    expect(world.states(id)["web.1"]).toBe("down");
  });

  test("[AG18, SV26] stays so where another number of them is to run", () => {
    const world = new AgentWorld();
    const id = three(world);
    stop(world, id, "web.1");
    const scale = (instances: number): void => {
      const spec = { ...world.agent(id).spec, services: [{ ...several, instances }] };
      world.ok({ type: "agent.reload", agent: id, spec, offered: [31_011, 31_012] });
    };
    scale(4);
    come(world, id, "web.4");
    expect(world.states(id)).toEqual({
      ...{ "web.1": "down", "web.2": "up", "web.3": "up", "web.4": "up", "web.5": "down" },
    });
    scale(2);
    expect(world.states(id)).toEqual({ "web.1": "down", "web.2": "up", "web.3": "up", "web.4": "stopping" });
    expect(world.agent(id).services.get("web.1")).toMatchObject({ stopped: true });
  });

  test("[AG18, LG15] is known from a log that did not tell it apart from one that stands by", () => {
    const world = new AgentWorld();
    const id = three(world);
    stop(world, id, "web.1");
    restart(world, id);
    come(world, id, "web.4");
    world.ended(id, "web.2");
    const folded = makeState();
    for (const event of world.log) {
      const { as: _, ...old } = { as: undefined, ...event };
      evolve(folded, old);
    }
    expect(canonical(toPlain(folded))).toEqual(canonical(toPlain(world.state)));
    expect(world.agent(id).services.get("web.1")).toMatchObject({ stopped: true });
    expect(world.agent(id).services.get("web.2")).toMatchObject({ stopped: false, standsIn: true });
  });
});
