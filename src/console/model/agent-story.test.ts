import { expect, test } from "vitest";
import { makeEvent } from "../../../test/support/wire-samples.ts";
import { firstEventOf, healthOf, specIn, toLadder } from "./agent-story.ts";

const delayed = (seq: number, because: string) =>
  makeEvent(seq, "service.moved", { agent: "a_1", service: "web", to: "delayed", because, dueAtMs: 5000 });
const climbed = (seq: number, rung: string) =>
  makeEvent(seq, "agent.climbed", { agent: "a_1", service: "web", rung, what: "it ended with 3" });

test("the ladder counts what was tried since the agent was last well, with the newest reason", () => {
  const events = [climbed(9, "recreate"), delayed(8, "later"), delayed(7, "sooner")];
  const before = [makeEvent(6, "agent.recovered", { agent: "a_1" }), climbed(5, "ask")];
  const steps = toLadder([...events, ...before]);
  expect(steps.map(({ rung, times }) => [rung, times])).toEqual([
    ["restart", 2],
    ["recreate", 1],
    ["reallocate", 0],
    ["respawn", 0],
    ["ask", 0],
  ]);
  expect(steps[0]?.last).toMatchObject({ seq: 8, why: "web: later" });
  expect(steps[1]?.last).toMatchObject({ seq: 9, why: "web: it ended with 3" });
});

test("the recipe is in the event that made the agent", () => {
  const spec = { template: "shop", services: [] };
  expect(specIn([delayed(2, ""), makeEvent(1, "agent.created", { agent: "a_1", spec })])).toEqual(spec);
  expect(specIn([delayed(2, "")])).toBeNull();
});

test("a service's health is what its events say, one after the other, without repeats", () => {
  const events = [
    makeEvent(1, "service.moved", { service: "web", to: "starting" }),
    makeEvent(2, "service.moved", { service: "web", to: "up" }),
    makeEvent(3, "service.judged", { service: "web", healthy: true }),
    makeEvent(4, "service.judged", { service: "db", healthy: false }),
    makeEvent(5, "service.judged", { service: "web", healthy: false }),
  ];
  expect(healthOf(events.toReversed(), "web").map(({ is }) => is)).toEqual(["off", "well", "ill"]);
});

test("an id tells where in the log its story begins", () => {
  expect(firstEventOf("a_1a")).toBe(46);
  expect(firstEventOf("nonsense")).toBeGreaterThan(0);
});
