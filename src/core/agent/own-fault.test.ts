import { describe, expect, test } from "vitest";
import { AgentWorld, crashed, db, service, web } from "../../../test/support/agent-world.ts";
import { restartDefaults } from "./agent-spec.ts";
import type { ServiceEnd } from "./agent-state.ts";

const bug = service("bug", { restart: { ...restartDefaults, limit: 2 } });
const segfault: ServiceEnd = { exit: 139, why: "ended", said: "", signal: "SIGSEGV" };
const unreachable: ServiceEnd = { exit: 1, why: "ended", said: "connect ECONNREFUSED 127.0.0.1:5432" };

/** Beside two that are well. */
function beside(more: Partial<typeof bug> = {}): { world: AgentWorld; id: string } {
  const world = new AgentWorld();
  return { world, id: world.running([db, web, { ...bug, ...more }]) };
}

describe("what is done to siblings", () => {
  test("[AG90] for one that was never well in this place and always ends alike is nothing: a person is asked at once", () => {
    const { world, id } = beside();
    expect(world.wearOut(id, "bug")).toBe(2);
    expect(world.agent(id)).toMatchObject({ state: "error", rung: "ask", because: "bug: it ended with 1" });
    expect(world.states(id)).toEqual({ db: "up", web: "up", bug: "failed" });
    expect(world.lifeOf(id, "db")).toBe(1);
    // Nor for two of them: that both were never well tells nothing of the place.
    const other = new AgentWorld();
    const both = other.running([db, bug, { ...bug, name: "bug2" }]);
    other.ended(both, "bug2", segfault);
    other.wearOut(both, "bug");
    expect(other.agent(both)).toMatchObject({ state: "error", rung: "ask" });
  });

  test("[AG90] for one that was well here it may be the place, and so it is for one whose ends differ", () => {
    const { world, id } = beside({ health: db.health });
    world.wearOut(id, "bug");
    expect(world.agent(id)).toMatchObject({ state: "stopping", rung: "recreate" });
    const long = beside();
    long.world.pass(restartDefaults.windowMs);
    long.world.wearOut(long.id, "bug");
    expect(long.world.agent(long.id).rung).toBe("recreate");
    const odd = beside();
    odd.world.ended(odd.id, "bug", segfault);
    odd.world.pass(100);
    odd.world.began(odd.id, "bug");
    odd.world.wearOut(odd.id, "bug");
    expect(odd.world.agent(odd.id).rung).toBe("recreate");
  });

  test("[AG90] the class may say that the place is at fault, and so may a sibling that was well and is not any more", () => {
    const { world, id } = beside();
    world.wearOut(id, "bug", unreachable);
    expect(world.agent(id).rung).toBe("recreate");
    const sick = beside();
    sick.world.judged(sick.id, "db", false);
    sick.world.wearOut(sick.id, "bug");
    expect(sick.world.agent(sick.id).rung).toBe("recreate");
    // One that is unwell for want of it says nothing of the place.
    const needs = [{ service: "bug", until: "started" }] as const;
    const user = new AgentWorld();
    const own = user.running([db, bug, service("user", { needs, health: db.health })]);
    user.judged(own, "user", false);
    user.wearOut(own, "bug");
    expect(user.agent(own)).toMatchObject({ state: "error", rung: "ask" });
  });

  test("[AG90] in a place that is new, or with a template that is, what was so before says nothing", () => {
    const { world, id } = beside();
    world.pass(restartDefaults.windowMs);
    world.ok({ type: "agent.restart", agent: id });
    for (const name of ["bug", "web", "db"]) world.ended(id, name);
    world.gone(id);
    world.made(id);
    world.began(id, "db");
    world.judged(id, "db", true);
    for (const name of ["web", "bug"]) world.began(id, name);
    world.wearOut(id, "bug", crashed);
    expect(world.agent(id)).toMatchObject({ state: "error", rung: "ask" });
  });

  test("[AG75] between one rung and the next passes some time, whatever the template says of the first", () => {
    const world = new AgentWorld();
    const id = world.running([db, { ...bug, restart: { ...restartDefaults, limit: 0 } }]);
    world.pass(restartDefaults.windowMs);
    world.ended(id, "bug", crashed);
    expect(world.agent(id)).toMatchObject({ state: "stopping", rung: "recreate" });
    world.ended(id, "db");
    world.ok({ type: "agent.ended", agent: id, life: world.agent(id).life, cleared: false, session: true }, "system");
    world.made(id);
    world.began(id, "db");
    world.judged(id, "db", true);
    world.began(id, "bug");
    world.ended(id, "bug", crashed);
    expect(world.states(id)).toEqual({ db: "up", bug: "delayed" });
    world.pass(1999);
    expect(world.agent(id).rung).toBe("recreate");
    world.pass(1);
    expect(world.agent(id)).toMatchObject({ state: "stopping", rung: "respawn" });
  });
});

describe("one whose end others wait for", () => {
  const install = service("install", { restart: { ...restartDefaults, policy: "on-failure", limit: 3 } });
  const needs = [{ service: "install", until: "completed" }] as const;
  const offline: ServiceEnd = { exit: 1, why: "ended", said: "getaddrinfo EAI_AGAIN registry.npmjs.org" };

  test("[AG21] is tried as often as its limit says while its agent comes up, however long each try takes", () => {
    const world = new AgentWorld();
    const id = world.create([install, { ...web, needs }]);
    world.made(id);
    let tries = 0;
    for (; world.agent(id).rung === null; tries++) {
      world.began(id, "install");
      world.pass(2 * restartDefaults.windowMs);
      world.ended(id, "install", offline);
      world.pass(restartDefaults.delayMsMax);
    }
    // Whom it cannot reach may come back, so there are twice as many, and the first.
    expect(tries).toBe(7);
  });

  test("[AG70] is told that its agent has no network where it looked for a name outside", () => {
    const world = new AgentWorld();
    const id = world.create([install, { ...web, needs }]);
    world.made(id);
    world.began(id, "install");
    world.ended(id, "install", offline);
    const what =
      "it ended with 1: it could not reach what it connects to, and its agent has no network (its template has no egress)";
    expect(world.lastOf("service.failed")).toMatchObject([{ failure: "network", found: "unreachable", what }]);
  });
});
