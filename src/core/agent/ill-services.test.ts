// A check that fails where nothing is started again: a failure like any other, whose process goes on.

import { describe, expect, test } from "vitest";
import { AgentWorld, crashed, db, service } from "../../../test/support/agent-world.ts";
import { restartDefaults, type ServiceSpec } from "./agent-spec.ts";
import { isAtRest } from "./agent-rest.ts";

const never = { ...restartDefaults, policy: "never" } as const;
const once = service("once", { health: db.health, restart: never });
const follower = service("follower", { needs: [{ service: "once", until: "healthy" }] });

/** Up, with a first word of its check that is bad. */
function ill(services: readonly ServiceSpec[]): { readonly world: AgentWorld; readonly id: string } {
  const world = new AgentWorld();
  const id = world.create(services);
  world.made(id);
  world.began(id, "once");
  world.judged(id, "once", false);
  return { world, id };
}

describe("a check that fails where nothing is started again", () => {
  test("[AG20, AG22, AG71] is a failure with all that is known, and a person is asked at once", () => {
    const world = new AgentWorld();
    const id = world.create([once, follower]);
    world.made(id);
    world.began(id, "once");
    expect(isAtRest(world.agent(id))).toBe(false);
    const use = {
      ...{ memoryBytes: 900, memoryBytesPeak: 1000, cpu: 0.5, files: 9, processes: 2, agoMs: 3000 },
      diskFreeBytes: 5,
    };
    const base = { agent: id, service: "once", life: 1 } as const;
    world.ok({ type: "service.judge", ...base, healthy: false, what: "nothing answers", use }, "system");
    const what = "it is not healthy: nothing answers";
    expect(world.lastOf("service.failed")).toMatchObject([
      { ...base, failure: "service", found: "unhealthy", what, end: null, use, before: { count: 0 } },
    ]);
    expect(world.lastOf("agent.climbed")).toMatchObject([{ rung: "ask", service: "once", what }]);
    expect(world.agent(id)).toMatchObject({ state: "error", because: `once: ${what}`, rung: "ask" });
    expect(world.agent(id).services.get("once")).toMatchObject({ healthy: false, because: what });
    // Whoever waits for the agent is told; whoever stands on the service waits for a person.
    expect(isAtRest(world.agent(id))).toBe(true);
    expect(world.states(id)).toEqual({ once: "up", follower: "waiting" });
  });

  test("[AG25] leaves its process to be looked at; if it passes later everything goes on", () => {
    const { world, id } = ill([once, follower]);
    expect(world.todo()).toEqual([`bound:${id}`, `serve:${id}/once`]);
    world.judged(id, "once", true);
    expect(world.agent(id).services.get("once")).toMatchObject({ state: "up", life: 1, because: null });
    expect(world.states(id)).toEqual({ once: "up", follower: "starting" });
    world.began(id, "follower");
    expect(world.agent(id)).toMatchObject({ state: "running", because: null });
    // Unwell later it is the same again, and whoever has begun goes on.
    world.judged(id, "once", false);
    expect(world.agent(id).state).toBe("error");
    expect(world.states(id)).toEqual({ once: "up", follower: "up" });
    expect(world.lastOf("service.failed")).toMatchObject([{ before: { count: 1 } }]);
    world.ended(id, "once", crashed);
    expect(world.states(id)).toEqual({ once: "failed", follower: "up" });
  });

  test("[AG20] who starts the agent again begins it anew, and it is judged afresh", () => {
    const { world, id } = ill([once]);
    world.ok({ type: "agent.start", agent: id });
    expect(world.states(id)).toEqual({ once: "stopping" });
    expect(world.agent(id)).toMatchObject({ state: "spawning", rung: null });
    world.ended(id, "once");
    world.began(id, "once");
    expect(world.agent(id).services.get("once")).toMatchObject({ life: 2, healthy: null });
    world.judged(id, "once", false);
    expect(world.agent(id).state).toBe("error");
    world.ok({ type: "service.restart", agent: id, service: "once" });
    world.ended(id, "once");
    world.began(id, "once");
    world.judged(id, "once", true);
    expect(world.agent(id).state).toBe("running");
  });

  test("[SV23] an instance that is not well is begun anew without waiting for the others", () => {
    const world = new AgentWorld();
    const id = world.create([{ ...once, instances: 2 }]);
    world.made(id);
    for (const name of ["once.1", "once.2"]) world.began(id, name);
    for (const name of ["once.1", "once.2"]) world.judged(id, name, false);
    expect(world.agent(id).state).toBe("error");
    world.ok({ type: "service.restart", agent: id, service: "once" });
    expect(world.states(id)).toEqual({ "once.1": "stopping", "once.2": "stopping" });
  });

  test("[AG20] what is told of a check that its template does not have any more changes nothing", () => {
    const world = new AgentWorld();
    const id = world.running([{ ...once, health: null }]);
    world.judged(id, "once", false);
    expect(world.last).toEqual([]);
  });
});

describe("another check of a service that runs", () => {
  const reload = (world: AgentWorld, id: string, now: Partial<ServiceSpec>): void => {
    const { spec } = world.agent(id);
    const services = spec.services.map((each) => (each.name === "once" ? { ...each, ...now } : each));
    world.ok({ type: "agent.reload", agent: id, spec: { ...spec, services }, offered: [] });
  };

  test("[AW13, AW14] is made while it goes on, and what the old one has said counts no more", () => {
    const world = new AgentWorld();
    const id = world.running([once]);
    reload(world, id, { health: { ...once.health, kind: "log", text: "ready" } as ServiceSpec["health"] });
    expect(world.agent(id).services.get("once")).toMatchObject({ state: "up", life: 1, healthy: null });
    expect(isAtRest(world.agent(id))).toBe(false);
    expect(world.acts().map((act) => act.id.replace(/@.*/, ""))).toContain(`adapt:${id}/once`);
    world.judged(id, "once", true);
    expect(world.agent(id).services.get("once")).toMatchObject({ healthy: true, unwellSinceMs: null });
    // One that has not been well is that no more where nobody looks.
    world.judged(id, "once", false);
    expect(world.agent(id).state).toBe("error");
    reload(world, id, { health: null });
    expect(world.agent(id).services.get("once")).toMatchObject({ healthy: null, because: null, unwellSinceMs: null });
    expect(world.agent(id).state).toBe("running");
  });

  test("[AW14, SV41] other files are listened for, also by a daemon that comes back, and for one that has ended", () => {
    const world = new AgentWorld();
    const id = world.running([{ ...once, health: null, watch: ["src/**"] }]);
    world.ended(id, "once", crashed);
    reload(world, id, { watch: ["lib/**"] });
    expect(world.acts().map((act) => act.id.replace(/@.*/, ""))).toContain(`adapt:${id}/once`);
    world.ok({ type: "engine.open", version: "2", wallMs: 5 }, "system");
    expect(world.todo()).toContain(`listen:${id}/once`);
    expect(world.agent(id).services.get("once")).toMatchObject({ state: "failed", life: 1 });
  });
});
