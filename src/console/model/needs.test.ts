import { expect, test } from "vitest";
import { makeEntry, makeLease, makeLocks, makeRun } from "../../../test/support/wire-samples.ts";
import type { InboxItem } from "../../protocol/wire/inbox.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { keyOfItem } from "./inbox-kinds.ts";
import { toCurrent, toNeeds } from "./needs.ts";
import { countWaiters } from "./waits.ts";

const makeItem = (kind: InboxItem["kind"], run: string | null, sinceMs: number, title = "one"): InboxItem => ({
  ...{
    kind,
    id: run ?? title,
    canBeSeen: false,
    run,
    project: "p_1",
    projectName: "shop",
    title,
    what: "",
    sinceMs,
    ageMs: 0,
  },
  ...{ escalated: false, command: "", others: [] },
});
const question = { id: "q_1", text: "Which?", leave: null };
const mayIt = { id: "q_2", text: "May it?", leave: { tool: "execute", what: "rm x" } };
const mapOf = (...runs: readonly Run[]): ReadonlyMap<string, Run> => new Map(runs.map((run) => [run.id, run]));

test("what frees others needs a person first, then what is overdue, then what waits longest; foresight comes last", () => {
  const app = "file:src/app.ts";
  const locks = makeLocks([makeLease(app, "r_1")], [makeEntry("r_2", 1, [[app, "r_1"]])]);
  const items = [
    makeItem("warning", null, 0, "disk"),
    makeItem("failure", "r_7", 1),
    makeItem("agent", null, 2, "mailer-1"),
    makeItem("question", "r_1", 9),
    { ...makeItem("review", "r_8", 8), escalated: true },
  ];
  expect(toNeeds(items, countWaiters(locks)).map(({ item, frees }) => [keyOfItem(item), frees])).toEqual([
    ["question r_1", 1],
    ["review r_8", 0],
    ["failure r_7", 0],
    ["agent mailer-1", 0],
    ["warning disk", 0],
  ]);
});

test("what events have told since the inbox was read is in it at once", () => {
  const items = [makeItem("question", "r_1", 1), makeItem("failure", "r_3", 2), makeItem("agent", null, 3)];
  const runs = mapOf(
    makeRun("r_1", { state: "running" }),
    makeRun("r_2", { state: "review", because: "a policy asks for approval" }),
    makeRun("r_3", { state: "failed" }),
  );
  expect(toCurrent(items, runs).map(({ kind, run }) => [kind, run])).toEqual([
    ["failure", "r_3"],
    ["agent", null],
    ["review", "r_2"],
  ]);
});

test("an inbox that nothing has happened to since stays the very same", () => {
  const items = [makeItem("question", "r_1", 1)];
  expect(toCurrent(items, mapOf(makeRun("r_1", { state: "awaiting-input", question })))).toBe(items);
});

test("a question that follows another is what it is, and not what the one before was", () => {
  const items = [makeItem("question", "r_1", 1)];
  const then = (asked: Run["question"]): string[] =>
    toCurrent(items, mapOf(makeRun("r_1", { state: "awaiting-input", question: asked }))).map(({ kind }) => kind);
  expect([then(mayIt), then(null)]).toEqual([["permission"], ["question"]]);
});

test("before it was read, runs say for themselves what they need", () => {
  const runs = mapOf(
    makeRun("r_1", { state: "review", sinceMs: 5 }),
    makeRun("r_2", { state: "awaiting-input", question, sinceMs: 2 }),
    makeRun("r_3", { state: "failed" }),
    makeRun("r_4", { state: "awaiting-input", question: mayIt, sinceMs: 3 }),
    // What it asks is not read yet.
    makeRun("r_5", { state: "awaiting-input", question: null, sinceMs: 4 }),
  );
  expect(toCurrent(null, runs).map(({ kind, run, what }) => [kind, run, what])).toEqual([
    ["question", "r_2", "Which?"],
    ["permission", "r_4", "May it?"],
    ["review", "r_1", ""],
  ]);
});
