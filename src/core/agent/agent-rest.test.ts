import { describe, expect, test } from "vitest";
import { AgentWorld, crashed, db, lone, service, web } from "../../../test/support/agent-world.ts";
import { isAtRest, isServiceAtRest } from "./agent-rest.ts";

const changed = { ...db, argv: ["db", "--other"] };

describe("an agent", () => {
  test("[AG84] that was reloaded rests when whatever restarts has been found well, in the order of needs", () => {
    const world = new AgentWorld();
    const id = world.running([db, web]);
    const rests = (): boolean => isAtRest(world.agent(id));
    expect(rests()).toBe(true);
    const spec = { ...world.agent(id).spec, services: [changed, web] };
    world.ok({ type: "agent.reload", agent: id, spec, offered: [] });
    for (const name of ["db", "web"]) if (world.states(id)[name] === "stopping") world.ended(id, name);
    expect(world.agent(id).state).toBe("running");
    expect(world.states(id)).toEqual({ db: "starting", web: "waiting" });
    expect(rests()).toBe(false);
    world.began(id, "db");
    expect(world.states(id)).toEqual({ db: "up", web: "waiting" });
    expect(rests()).toBe(false);
    // The one that was asked for may rest before whoever needs it does.
    world.judged(id, "db", true);
    expect(isServiceAtRest(world.agent(id), "db")).toBe(true);
    expect(rests()).toBe(false);
    world.began(id, "web");
    expect(rests()).toBe(true);
  });

  test("[AG84] rests where a service waits for one that somebody stopped, or is started again later", () => {
    const world = new AgentWorld();
    const id = world.running([db, web]);
    world.ok({ type: "service.stop", agent: id, service: "db" });
    world.ended(id, "db");
    world.ok({ type: "service.restart", agent: id, service: "web" });
    if (world.states(id)["web"] === "stopping") world.ended(id, "web");
    expect(world.states(id)).toEqual({ db: "down", web: "waiting" });
    expect(isAtRest(world.agent(id))).toBe(true);

    const other = world.running([lone]);
    world.ended(other, "web", crashed);
    expect(world.states(other)).toEqual({ web: "delayed" });
    expect(isAtRest(world.agent(other))).toBe(true);
  });

  test("[AG84] whose services are begun anew one after another rests after the last one", () => {
    const world = new AgentWorld();
    const id = world.create([service("web", { instances: 2 })]);
    world.made(id);
    for (const name of ["web.1", "web.2"]) world.began(id, name);
    world.ok({ type: "service.restart", agent: id, service: "web" });
    world.ended(id, "web.1");
    world.began(id, "web.1");
    expect(isServiceAtRest(world.agent(id), "web")).toBe(false);
    world.ended(id, "web.2");
    expect(isAtRest(world.agent(id))).toBe(false);
    world.began(id, "web.2");
    expect(isAtRest(world.agent(id))).toBe(true);
    expect(isServiceAtRest(world.agent(id), "web")).toBe(true);
  });

  test("[AG84] that is being made does not rest for whoever waits for one service", () => {
    const world = new AgentWorld();
    const id = world.create([lone]);
    expect(isServiceAtRest(world.agent(id), "web")).toBe(false);
    world.made(id);
    expect(isServiceAtRest(world.agent(id), "web")).toBe(false);
    world.began(id, "web");
    expect(isServiceAtRest(world.agent(id), "web")).toBe(true);
  });
});
