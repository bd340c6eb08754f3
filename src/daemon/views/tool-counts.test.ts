import { expect, test } from "vitest";
import { Tallies } from "./tally.ts";
import { ToolCounts } from "./tool-counts.ts";

type Told = readonly [run: string, type: string, tool: string, atMs: number, more?: object];

function rowsOf(told: readonly Told[], over: readonly string[] = []): object[] {
  const tallies = new Tallies();
  const counts = new ToolCounts(tallies);
  for (const [run, type, tool, atMs, more] of told) counts.take(run, { type, tool, atMs, ...more });
  counts.finish((run) => over.includes(run));
  return tallies.rows().map(({ name, count, statuses, successRate }) => ({ name, count, statuses, successRate }));
}

test("a call counts with how it came out, and how long it took", () => {
  const told: Told[] = [
    ["r_1", "call.started", "run", 10],
    ["r_2", "call.started", "run", 20],
    ["r_2", "call.finished", "run", 40, { ok: false }],
    ["r_1", "call.finished", "run", 50, { ok: true }],
    ["r_1", "call.refused", "write", 60],
  ];
  expect(rowsOf(told)).toEqual([
    { name: "run", count: 2, statuses: { failed: 1, ok: 1 }, successRate: 0.5 },
    { name: "write", count: 1, statuses: { refused: 1 }, successRate: 0 },
  ]);
});

test("[RN46] calls that only its program tells of count too, any number at a time, and end with the program", () => {
  const heard = (life: number, atMs: number, ...items: object[]): Told => [
    "r_1",
    "run.heard",
    "",
    atMs,
    { life, items },
  ];
  const bash = { call: "t1", tool: "Bash", parent: null };
  const read = { call: "t2", tool: "Read", parent: null };
  const told: Told[] = [
    heard(1, 10, { is: "tool", ...bash, input: "ls" }, { is: "tool", ...read, input: "a" }),
    heard(1, 30, { is: "result", ...bash, ok: false, exit: 1, text: "", output: null }),
    // What the door has a record of is counted there.
    heard(1, 40, { is: "tool", call: "t3", tool: "mcp__door__claim", parent: null }),
    heard(2, 50, { is: "tool", ...bash, input: "ls" }),
  ];
  expect(rowsOf(told)).toEqual([
    { name: "Bash", count: 2, statuses: { failed: 1, open: 1 }, successRate: 0 },
    { name: "Read", count: 1, statuses: { "cut off": 1 }, successRate: null },
  ]);
});

test("our own looks at the workspace are no calls, however they come out", () => {
  const told: Told[] = [
    ["r_1", "call.started", "sweep", 10],
    ["r_1", "call.finished", "sweep", 20, { ok: true }],
    ["r_1", "call.started", "sweep", 30],
  ];
  expect(rowsOf(told)).toEqual([]);
});

test("a call that has ended with its run is not open any more, and says nothing of its tool", () => {
  const told: Told[] = [
    ["r_1", "call.started", "run", 10],
    ["r_2", "call.started", "run", 10],
  ];
  expect(rowsOf(told, ["r_1"])).toEqual([
    { name: "run", count: 2, statuses: { "cut off": 1, open: 1 }, successRate: null },
  ]);
});
