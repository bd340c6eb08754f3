import { expect, test } from "vitest";
import { makeAgent, makeEvent, makeRun } from "../../../test/support/wire-samples.ts";
import { evolveTracks } from "../live/tracks.ts";
import { countRuns } from "./counts.ts";
import { inOrder, toLaneGroups } from "./lanes.ts";
import { chooseWindow, sinceMost, toLane, toTicks } from "./segments.ts";
import { signalOf } from "./signals.ts";
import { toWires } from "./wires.ts";

const all = { project: null, tone: null, find: "" };

test("lanes come by start, then by priority, then by end, and do not move while a run works", () => {
  const runs = [
    makeRun("r_5", { state: "done", endedAtMs: 50 }),
    makeRun("r_4", { state: "queued", startedAtMs: null, priority: 5 }),
    makeRun("r_3", { state: "queued", startedAtMs: null }),
    makeRun("r_2", { startedAtMs: 20 }),
    makeRun("r_1", { startedAtMs: 10, state: "blocked" }),
    makeRun("r_6", { state: "failed", endedAtMs: 60 }),
  ];
  const [group] = toLaneGroups({ runs, agents: [] }, [], all);
  expect(group?.runs.map(({ id }) => id)).toEqual(["r_1", "r_2", "r_4", "r_3", "r_6", "r_5"]);
});

test("of the ended runs only the newest are shown, unless one asks for them", () => {
  const runs = Array.from({ length: 10 }, (_, at) => makeRun(`r_${at}`, { state: "done", endedAtMs: at }));
  expect(toLaneGroups({ runs, agents: [] }, [], all)).toMatchObject([{ left: 4, runs: { length: 6 } }]);
  expect(toLaneGroups({ runs, agents: [] }, [], { ...all, tone: "rest" })).toMatchObject([
    { left: 0, runs: { length: 10 } },
  ]);
});

test("living agents have lanes of their own, unless their run has one that they share", () => {
  const runs = [makeRun("r_1", { agent: "shop-a_1" }), makeRun("r_2", { state: "done", endedAtMs: 50 })];
  const agents = [
    makeAgent("a_1", { run: "r_1", activity: "working" }),
    makeAgent("a_2", { run: "r_2" }),
    makeAgent("a_3"),
    makeAgent("a_4", { state: "stopped" }),
    makeAgent("a_5", { state: "error" }),
    makeAgent("a_6", { project: "p_2" }),
  ];
  const shown = (filter: object): string[][] =>
    toLaneGroups({ runs, agents: inOrder(agents) }, [], { ...all, ...filter }).map((group) =>
      group.agents.map(({ id }) => id),
    );
  expect(shown({ project: "p_1" })).toEqual([["a_5", "a_2", "a_3"]]);
  expect(shown({ project: "p_2" })).toEqual([["a_6"]]);
  expect(shown({ tone: "stop" })).toEqual([["a_5"]]);
  expect(shown({ find: "stopped" })).toEqual([["a_4"]]);
});

test("a filter looks at project, signal and words", () => {
  const runs = [makeRun("r_1", { tags: ["Slow"] }), makeRun("r_2", { project: "p_2", state: "review" })];
  const found = (filter: object): string[] =>
    toLaneGroups({ runs, agents: [] }, [], { ...all, ...filter }).flatMap((group) => group.runs.map(({ id }) => id));
  expect(found({ find: "slow" })).toEqual(["r_1"]);
  expect(found({ tone: "you" })).toEqual(["r_2"]);
  expect(found({ project: "p_2" })).toEqual(["r_2"]);
});

test("a run that is stuck looks it from when it was, for as long as it is at work", () => {
  const stuck = { why: "silent", what: "no sign of work for 10m", policy: "usual", act: "tell", atMs: 600 } as const;
  const run = makeRun("r_1", { submittedAtMs: 100, sinceMs: 200, state: "running", stuck });
  const legs = [{ state: "running", fromMs: 200 }] as const;
  const { segments } = toLane(run, legs, 1000, 1000);
  expect(segments.map(({ state, left }) => [state, Math.round(left)])).toEqual([
    [undefined, 10],
    ["running", 20],
    ["stuck", 60],
  ]);
  expect(signalOf(run)).toMatchObject({ word: "Stuck", icon: "stuck", tone: "stop" });
  const asks = { ...run, state: "awaiting-input" } as const;
  expect(toLane(asks, legs, 1000, 1000).segments.some(({ state }) => state === "stuck")).toBe(false);
  expect(signalOf(asks).word).toBe("Awaiting input");
});

test("a lane has a stretch for each state, and says where it knows nothing", () => {
  const run = makeRun("r_1", { submittedAtMs: 100, sinceMs: 400, state: "blocked" });
  const tracks = evolveTracks(new Map(), [
    makeEvent(2, "run.moved", { run: "r_1", to: "running" }),
    makeEvent(4, "run.moved", { run: "r_1", to: "blocked" }),
    makeEvent(5, "run.moved", { run: "r_1", to: "no such state" }),
  ]);
  const lane = toLane(run, tracks.get("r_1") ?? [], 500, 1000);
  expect(lane.segments).toEqual([
    { state: undefined, left: 60, width: 10 },
    { state: "running", left: 70, width: 20 },
    { state: "blocked", left: 90, width: 10 },
  ]);
  expect(lane.turnout).toBe(60);
});

test("a lane ends where its run ended, and one from before the window starts at its edge", () => {
  const run = makeRun("r_1", { submittedAtMs: 0, sinceMs: 1600, endedAtMs: 1600, state: "done" });
  const lane = toLane(run, [], 2000, 1000);
  expect(lane.segments).toEqual([{ state: undefined, left: 0, width: 60 }]);
  expect(lane).toMatchObject({ turnout: undefined, end: 60 });
});

test("nothing ended after now, however far the clock of lanes is behind", () => {
  const run = makeRun("r_1", { submittedAtMs: 1500, sinceMs: 2300, endedAtMs: 2300, state: "done" });
  expect(toLane(run, [], 2000, 1000).end).toBe(100);
});

test("the window shows where most runs began; its ticks are round and keep apart", () => {
  const runs = [10, 20, 25, 26, 28, 3_600].map((seconds) => makeRun("r_1", { submittedAtMs: 1e7 - seconds * 1000 }));
  expect(chooseWindow(sinceMost(runs), 1e7)).toBe(30_000);
  expect(chooseWindow(sinceMost(runs.slice(5)), 1e7)).toBe(120 * 60_000);
  const ticks = toTicks(30 * 60_000, Date.UTC(2026, 0, 1, 12, 3));
  expect(ticks.map(({ wallMs }) => new Date(wallMs).getUTCMinutes())).toEqual([40, 50]);
});

test("a wire leads from the row that waits to the row that holds", () => {
  const runs = [makeRun("r_1"), makeRun("r_2", { behind: ["r_1"] }), makeRun("r_3", { behind: ["elsewhere"] })];
  expect(toWires(runs, 30, 28)).toEqual([
    { path: "M12 73H22Q26 73 26 69V47Q26 43 22 43H18", arrow: "M11 43l8-4.5v9Z" },
  ]);
});

test("what is over is counted by the daemon, the rest by the page", () => {
  const runs = [makeRun("r_1"), makeRun("r_2", { state: "paused" }), makeRun("r_3", { state: "done" })];
  expect(countRuns(runs, { active: 2, failed: 7, rest: 40 })).toEqual({
    you: 0,
    stop: 7,
    wait: 0,
    go: 1,
    rest: 41,
    paused: 1,
    queued: 0,
  });
});
