import { expect, test } from "vitest";
import { makeAgent, makeService } from "../../../test/support/wire-samples.ts";
import { countStates, findAgent, toAgentRows } from "./agent-rows.ts";

const port = { name: "http", port: 24_916, address: "127.0.0.2:24916", own: null };
const agents = [
  makeAgent("a_1", { name: "shop-10", services: [makeService("web", { ports: [port] })] }),
  makeAgent("a_2", { name: "shop-9", project: "p_2" }),
  makeAgent("a_3", { name: "blog", state: "error" }),
  makeAgent("a_4", { name: "zoo", services: [makeService("web", { state: "delayed" })] }),
];
const all = { project: null, state: null, find: "" };
const namesOf = (filter: Partial<typeof all>): string[] =>
  toAgentRows(agents, { ...all, ...filter }).map(({ name }) => name);

test("what is in error comes first, then what is in trouble, then the rest by name, numbers as numbers", () => {
  expect(namesOf({})).toEqual(["blog", "zoo", "shop-9", "shop-10"]);
});

test("agents are found by name, id, service and port, within a project", () => {
  expect(namesOf({ find: "SHOP-" })).toEqual(["shop-9", "shop-10"]);
  expect(namesOf({ find: "24916" })).toEqual(["shop-10"]);
  expect(namesOf({ find: "a_3" })).toEqual(["blog"]);
  expect(toAgentRows(agents, { ...all, project: "p_2" }).map(({ id }) => id)).toEqual(["a_2"]);
  expect(toAgentRows(agents, { ...all, state: "error" }).map(({ id }) => id)).toEqual(["a_3"]);
});

test("states are counted, also those that nothing is in", () => {
  expect(Object.fromEntries(countStates(agents, "p_1"))).toEqual({
    error: 1,
    spawning: 0,
    running: 2,
    stopping: 0,
    stopped: 0,
  });
});

test("an address may have the id or the name", () => {
  const byId = new Map(agents.map((agent) => [agent.id, agent]));
  expect(findAgent(byId, "a_2")?.name).toBe("shop-9");
  expect(findAgent(byId, "blog")?.id).toBe("a_3");
  expect(findAgent(byId, "nobody")).toBeUndefined();
});
