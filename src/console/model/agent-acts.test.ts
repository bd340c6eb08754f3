import { expect, test } from "vitest";
import { makeAgent, makeService } from "../../../test/support/wire-samples.ts";
import { agentStateNames } from "../../protocol/wire/agent.ts";
import {
  actsOfAgent,
  actsOfAgentInNeed,
  actsOfService,
  keysOfAgentActs,
  toAgentCommand,
  toLogsCommand,
  toRefreshed,
} from "./agent-acts.ts";

test.each(agentStateNames)("in %s an agent can be removed, and what goes can be stopped", (state) => {
  const names = actsOfAgent(makeAgent("a_1", { state })).map(({ name }) => name);
  expect(names).toContain("remove");
  expect(names.includes("stop")).toBe(state !== "stopped" && state !== "stopping");
  expect(names.includes("start")).toBe(state !== "running" && state !== "spawning");
});

test("files are brought up where no run does that by itself", () => {
  const namesOf = (run: string | null): string[] => actsOfAgent(makeAgent("a_1", { run })).map(({ name }) => name);
  expect(namesOf(null)).toContain("refresh");
  expect(namesOf("r_1")).not.toContain("refresh");
});

test("one that needs somebody is helped, not removed, by its buttons and by their letters", () => {
  const namesOf = (state: "running" | "error"): string[] =>
    actsOfAgentInNeed(makeAgent("a_1", { state, run: null })).map(({ name }) => name);
  expect(namesOf("running")).toEqual(["restart", "stop"]);
  expect(namesOf("error")).toEqual(["start", "restart", "stop"]);
});

test("one that is being removed is left alone, and so are services of one that is down", () => {
  expect(actsOfAgent(makeAgent("a_1", { removing: true }))).toEqual([]);
  expect(actsOfService(makeAgent("a_1", { state: "stopped" }), makeService("web"))).toEqual([]);
});

test("a service is started where it is down or over, and else stopped or restarted", () => {
  const namesOf = (given: Parameters<typeof makeService>[1]): string[] =>
    actsOfService(makeAgent("a_1"), makeService("web", given)).map(({ name }) => name);
  expect(namesOf({})).toEqual(["restart", "stop"]);
  expect(namesOf({ state: "delayed" })).toEqual(["stop"]);
  expect(namesOf({ state: "failed" })).toEqual(["start"]);
  expect(namesOf({ state: "down", wanted: false })).toEqual(["start"]);
});

test("no two acts have one key, and none the keys that move", () => {
  const keys = keysOfAgentActs().map(({ key }) => key);
  expect(new Set([...keys, "J", "K", "L", "U"]).size).toBe(keys.length + 4);
});

test("what came of a refresh is how much is new, and what was changed here and stays", () => {
  expect(toRefreshed({ movedCount: 0, kept: [], keptCount: 0 })).toBe("Nothing new");
  expect(toRefreshed({ movedCount: 1, kept: ["a"], keptCount: 1 })).toBe("1 file came; changed here, and left: a");
  expect(toRefreshed({ movedCount: 2, kept: ["a", "b", "c", "d"], keptCount: 5 })).toBe(
    "2 files came; changed here, and left: a, b, c and 2 more",
  );
});

test("commands are ones that a shell understands", () => {
  expect(toAgentCommand("stop", "shop-1")).toBe("signalbox agent stop shop-1");
  expect(toAgentCommand("restart", "shop-1", "web")).toBe("signalbox service restart shop-1 web");
  expect(toLogsCommand("shop-1", null, "")).toBe("signalbox agent logs shop-1 -f");
  expect(toLogsCommand("shop-1", "web", "it's")).toBe(`signalbox agent logs shop-1 web -f --find 'it'\\''s'`);
});
