import { expect, test } from "vitest";
import { makeAgent, makeLease, makeLocks, makeRun } from "../../../test/support/wire-samples.ts";
import { emptyState, type LiveState } from "../live/live-state.ts";
import { toPaletteItems } from "./palette-items.ts";

const runs = [makeRun("r_1", { title: "Cache the session lookup" }), makeRun("r_2", { state: "review" })];
const agent = makeAgent("a_3", { name: "shop-1" });
const state: LiveState = {
  ...emptyState,
  link: { is: "live" },
  runs: new Map(runs.map((run) => [run.id, run])),
  agents: new Map([[agent.id, agent]]),
  locks: makeLocks([makeLease("file:src/app.ts", "r_1")], []),
  seq: 900,
};
const places = [{ to: { place: "locks" }, label: "Locks", icon: "locks" }] as const;
const find = (typed: string, more: object = {}) =>
  toPaletteItems({ state, places, found: [], scope: null, ...more }, typed);

test("everything with a name is found, with the command that does the same", () => {
  expect(find("lks")[0]).toMatchObject({ title: "Locks", command: "signalbox locks" });
  expect(find("session")[0]).toMatchObject({ id: "run r_1", command: "signalbox inspect r_1", scope: { run: "r_1" } });
  expect(find("shop")[0]).toMatchObject({ id: "agent a_3", command: "signalbox agent show shop-1" });
  expect(find("app.ts")[0]).toMatchObject({ title: "file:src/app.ts", detail: "held by r_1" });
  expect(find("zzzz")).toEqual([]);
  // Also a run that is on no list any more.
  expect(find("ancient", { found: [makeRun("r_0", { title: "An ancient one" })] })[0]).toMatchObject({ id: "run r_0" });
});

test("a number is an event, and the world after it, as far as there is one", () => {
  expect(find("812").map(({ id }) => id)).toEqual(["event 812", "then 812"]);
  expect(find("#812")[1]).toMatchObject({ command: "signalbox state --at 812 --json", deed: { to: { at: 812 } } });
  expect(find("901")).toEqual([]);
});

test("nothing typed offers places, and first the runs that need somebody", () => {
  const all = find("");
  expect(all[0]?.title).toBe("Locks");
  expect(all.filter(({ kind }) => kind === "Run").map(({ id }) => id)).toEqual(["run r_2", "run r_1"]);
});

test("a thing offers what it allows, with key and command; of the past nothing can be done", () => {
  const acts = find("", { scope: { run: "r_2" } }).filter(({ kind }) => kind === "Act");
  expect(acts.map(({ title, key }) => [title, key])).toContainEqual(["Approve… r_2", "A"]);
  expect(find("reject", { scope: { run: "r_2" } })[0]).toMatchObject({ command: "signalbox reject r_2", key: "X" });
  expect(find("stop", { scope: { agent: "a_3" } })[0]).toMatchObject({ command: "signalbox agent stop shop-1" });
  const past = { ...state, link: { is: "past", seq: 5, atMs: 1 } };
  expect(find("", { state: past, scope: { run: "r_2" } }).filter(({ kind }) => kind === "Act")).toEqual([]);
});
