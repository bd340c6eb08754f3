import { describe, expect, test } from "vitest";
import { AgentWorld, crashed, db, lone, web } from "../../../test/support/agent-world.ts";
import { availabilityOf, startupsOf } from "./health-story.ts";

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
    expect(startupsOf(world.log)[0]).toMatchObject({
      ms: null,
      phases: [{}, {}, {}, { phase: "web starts", ms: null }],
    });
    world.pass(30);
    world.began(id, "web");
    expect(startupsOf(world.log)[0]).toMatchObject({
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
    expect(startupsOf([])).toEqual([]);
  });

  test("[AU41] has the commands of its own and its assistant in it, and each time that it came up", () => {
    const world = new AgentWorld();
    const hook = { argv: ["x"], cwd: null, timeoutMs: 1000 };
    const assistant = { profile: "p", prompt: "go", start: "each" } as const;
    const id = world.create([lone], undefined, { hooks: { setup: hook, ready: hook }, assistant });
    const ends = (name: "setup" | "ready"): void => {
      const end = { exit: 0, why: "ended", said: "" } as const;
      world.ok({ type: "hook.end", agent: id, hook: name, number: world.agent(id).hooks, end }, "system");
    };
    world.pass(100);
    world.made(id);
    world.pass(20);
    ends("setup");
    world.pass(30);
    world.began(id, "web");
    world.pass(40);
    ends("ready");
    world.pass(5);
    const { number = 0 } = world.agent(id).assistant ?? {};
    world.ok({ type: "assistant.choose", agent: id, number, runner: null, what: "none" }, "system");
    const first = [
      { phase: "place", fromMs: 0, ms: 100 },
      { phase: "setup", fromMs: 100, ms: 20 },
      { phase: "web starts", fromMs: 120, ms: 30 },
      { phase: "ready", fromMs: 150, ms: 40 },
      { phase: "assistant", fromMs: 190, ms: 5 },
    ];
    expect(startupsOf(world.log)).toMatchObject([{ ms: 150, phases: first }]);
    // What a service does later, and an assistant that somebody calls for, is of no start.
    world.pass(60_000);
    world.ended(id, "web", crashed);
    world.pass(2000);
    world.began(id, "web");
    expect(startupsOf(world.log)).toMatchObject([{ ms: 150, phases: first }]);
    world.ok({ type: "agent.stop", agent: id, force: false });
    world.ended(id, "web");
    world.gone(id);
    world.ok({ type: "agent.start", agent: id });
    world.pass(70);
    world.made(id);
    expect(startupsOf(world.log)).toMatchObject([
      { ms: 150, phases: first },
      {
        ms: null,
        phases: [
          { phase: "place", ms: 70 },
          { phase: "web starts", ms: null },
        ],
      },
    ]);
  });
});
