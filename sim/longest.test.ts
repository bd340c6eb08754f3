import { expect, test } from "vitest";
import { AgentWorld, lone } from "../test/support/agent-world.ts";
import { LadderTimes } from "./world/ladder-times.ts";
import { longestOf, toLine } from "./longest.ts";

test("of all worlds the longest of each is told, with its seed", () => {
  const found = longestOf([
    { span: "heal", ms: 1000, seed: 1 },
    { span: "ladder", ms: 65_500, seed: 2 },
    { span: "heal", ms: 2000, seed: 3 },
  ]);
  expect(found.map(toLine)).toEqual([
    "longest: 1 min 6 s from the first rung of a ladder until its agent was up, in error or gone (seed 2)",
    "longest: 2 s from the end of all faults until everything that was begun had ended (seed 3)",
  ]);
});

test("[AG22] a ladder lasts from its first rung until a person is asked, however many rungs there were", () => {
  const world = new AgentWorld();
  const times = new LadderTimes();
  const agent = world.running([lone]);
  world.wearOut(agent, "web");
  const beganMs = world.nowMs;
  expect(world.agent(agent).state).toBe("stopping");
  for (let rungs = 0; world.agent(agent).state !== "error"; rungs++) {
    expect(rungs).toBeLessThan(20);
    world.pass(1000);
    world.gone(agent);
    if (world.agent(agent).state === "spawning") world.made(agent);
    world.wearOut(agent, "web");
  }
  expect(times.longestMs).toBeUndefined();
  for (const event of world.log) times.hear(event);
  expect(times.longestMs).toBe(world.nowMs - beganMs);
  expect(times.longestMs).toBeGreaterThan(0);
});
