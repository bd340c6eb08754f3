import { expect, test } from "vitest";
import type { Event } from "../../src/core/events.ts";
import { oneRunInAnAgent } from "./ag41-one-run-in-an-agent.ts";
import { History, moved, opened, submitted } from "./history.ts";

const agent = "a1";
const spec = { template: "shop", env: {}, services: [], faces: [] };
const created = {
  type: "agent.created",
  v: 1,
  agent,
  name: "shop-1",
  project: "p",
  node: "n1",
  spec,
  ports: {},
} as const;
const made: Event = { type: "agent.made", v: 1, agent, life: 1 };
const ended: Event = { type: "agent.ended", v: 1, agent, life: 1 };
const removed: Event = { type: "agent.removed", v: 1, agent };
const stop: Event = { type: "agent.wished", v: 1, agent, wish: "stop", force: true };
type State = (Event & { type: "agent.moved" })["to"];

function went(from: State, to: State): Event {
  return { type: "agent.moved", v: 1, agent, from, to, life: 1, because: null };
}

function entered(run: string): Event {
  return { type: "run.entered", v: 1, run, agent, commit: "m0" };
}

function acts(run: string): Event {
  return { type: "call.started", v: 1, run, call: 0, tool: "run", units: [], bytes: 0, fences: [], taken: null };
}

function stopped(run: string): Event {
  return { type: "run.stopped", v: 1, run, works: [] };
}

/** An agent that runs, with two runs that are to work in it. */
function waiting(): History {
  const runs = ["r1", "r2"].flatMap((run) => [submitted(run, { agent }), opened(`${run}.1`, "run")]);
  const up = [created, went("stopped", "spawning"), made, went("spawning", "running")];
  return new History(oneRunInAnAgent()).begin().add(...up, ...runs);
}

const begun = [moved("r1", "queued", "starting"), moved("r1", "starting", "running"), entered("r1")];
const over = [moved("r1", "running", "failed"), stopped("r1")];
const revived: Event = { type: "run.revived", v: 1, run: "r1", family: "r1.2", incarnation: 2 };
const second = moved("r2", "queued", "starting");

const cases: readonly (readonly [string, readonly string[], (history: History) => History])[] = [
  ["one after the other", [], (history) => history.add(...begun, acts("r1"), ...over, second)],
  ["side by side", ["AG41"], (history) => history.add(...begun, second)],
  [
    "before the first is proven gone",
    ["AG41"],
    (history) => history.add(...begun, moved("r1", "running", "failed"), second),
  ],
  ["in an agent that goes down", ["AG42", "AG42"], (history) => history.add(went("running", "stopping"), second)],
  ["before the workspace is theirs", ["AG44"], (history) => history.add(moved("r1", "queued", "starting"), acts("r1"))],
  ["while the place is gone", ["AG45"], (history) => history.add(...begun, went("running", "stopping"), ended)],
  [
    "parked while the place is gone",
    [],
    (history) => history.add(...begun, went("running", "stopping"), moved("r1", "running", "parked"), ended),
  ],
  [
    "paused while they are in it",
    ["AG41"],
    (history) => history.add(...begun, moved("r1", "running", "paused"), second),
  ],
  [
    "continued, and paused before they begin again",
    [],
    (history) =>
      history.add(...begun, ...over, revived, moved("r1", "failed", "parked"), moved("r1", "parked", "paused"), second),
  ],
  [
    "unsaved when the agent goes",
    ["AG46"],
    (history) => history.add(...begun, stop, went("running", "stopping"), moved("r1", "running", "terminated"), ended),
  ],
  ["when the agent is gone", ["AG46", "AG46"], (history) => history.add(removed)],
];

test.each(cases)("runs that work in an agent %s are judged: %j", (_, expected, tell) => {
  expect(tell(waiting()).reports.map((report) => report.split(":")[0])).toEqual(expected);
});
