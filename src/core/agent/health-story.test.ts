import { describe, expect, test } from "vitest";
import { AgentWorld, crashed, db, web } from "../../../test/support/agent-world.ts";
import { availabilityOf, startupOf } from "./health-story.ts";

describe("how a service was over time", () => {
  test("[AU40] is the part of the time it was well, of what it was wanted in", () => {
    const world = new AgentWorld();
    const id = world.running([db, web]);
    const fromMs = world.nowMs;
    world.pass(7000);
    world.ended(id, "web", crashed);
    world.pass(100);
    world.pass(2900);
    world.began(id, "web");
    const until = (): { fromMs: number; toMs: number } => ({ fromMs, toMs: world.nowMs });
    expect(availabilityOf(world.log, "web", until())).toBeCloseTo(0.7);
    expect(availabilityOf(world.log, "db", until())).toBe(1);
    expect(availabilityOf(world.log, "none", until())).toBeNull();
    world.ok({ type: "service.stop", agent: id, service: "web" });
    world.ended(id, "web");
    world.pass(90_000);
    expect(availabilityOf(world.log, "web", until())).toBeCloseTo(0.7);
  });
});

describe("how an agent came up", () => {
  test("[AU41] is told by phases, each with when it began and how long it took", () => {
    const world = new AgentWorld();
    const id = world.create([db, web]);
    world.pass(100);
    world.made(id);
    world.pass(50);
    world.began(id, "db");
    world.pass(200);
    world.judged(id, "db", true);
    expect(startupOf(world.log)).toMatchObject({ ms: null, phases: [{}, {}, {}, { phase: "web starts", ms: null }] });
    world.pass(30);
    world.began(id, "web");
    expect(startupOf(world.log)).toMatchObject({
      ms: 380,
      phases: [
        { phase: "place", fromMs: 0, ms: 100 },
        { phase: "db starts", fromMs: 100, ms: 50 },
        { phase: "db healthy", fromMs: 150, ms: 200 },
        { phase: "web starts", fromMs: 350, ms: 30 },
      ],
    });
  });

  test("[AU41] is nothing of one that never began", () => {
    expect(startupOf([])).toBeNull();
  });
});
