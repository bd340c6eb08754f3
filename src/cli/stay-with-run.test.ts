import { expect, test } from "vitest";
import type { Run } from "../protocol/wire/run.ts";
import { makeEvent, makeProject, makeRun } from "../../test/support/wire-samples.ts";
import { tryCli } from "./testing/try-cli.ts";

const commit = "c".repeat(40);
const done = makeRun("r_1", { state: "done", landed: commit });
const answers = {
  "trash.list": { items: [] },
  "project.list": { projects: [makeProject("shop")] },
  "run.submit": { run: "r_1", task: "t_1", door: null, warnings: [] },
  "run.get": { run: done },
  "run.wait": { run: done, reached: true },
  "run.log": {
    events: [makeEvent(7, "run.landed", { run: "r_1" }), makeEvent(8, "run.moved", { run: "r_1", to: "done" })],
    next: 8,
    more: false,
  },
  "events.read": { events: [], next: 7, more: false },
};
const events = [makeEvent(9, "mainline.published", { project: "p_1" })];

test.each([[[]], [["--json"]]])(
  "run --wait %j ends when what landed is on the branch, or it is known why not",
  async (more) => {
    const isThere = { looks: 0 };
    const project = (): unknown => ({
      project: makeProject("shop", isThere.looks++ === 0 ? {} : { published: commit }),
    });
    const words = ["run", "a task", "--runner", "claude", "--project", "shop", "--wait", ...more];
    const { exitCode, stderr, calls } = await tryCli(words, { ...answers, "project.get": project }, { events });
    expect(exitCode).toBe(0);
    expect(calls.map(([name]) => name)).toContain("events.read");
    expect(isThere.looks).toBeGreaterThan(1);
    expect(stderr.includes("r_1 has landed and is on main.")).toBe(more.length === 0);
  },
);

test("run --wait asks for no publication of what mainline had already", async () => {
  const project = { project: makeProject("shop", { published: commit }) };
  const { exitCode, calls } = await tryCli(["run", "a task", "--runner", "claude", "--project", "shop", "--wait"], {
    ...answers,
    "project.get": project,
  });
  expect(exitCode).toBe(0);
  expect(calls.map(([name]) => name)).not.toContain("events.read");
});

test.each([
  [["run", "a task", "--runner", "claude", "--project", "shop", "--wait"]],
  [["run", "a task", "--runner", "claude", "--project", "shop", "--wait", "--json"]],
  [["wait", "r_1"]],
  [["wait", "r_1", "--json"]],
])("[LD15] whoever waits does not hear of success when some of it is set aside: %j", async (words) => {
  const item = { id: "x_1", run: "r_1", project: "p_1", path: "src/b.txt", why: "taken", held: true, atMs: 1 };
  const project = { project: makeProject("shop", { published: commit }) };
  const { exitCode, stderr } = await tryCli(words, {
    ...answers,
    "project.get": project,
    "trash.list": { items: [{ ...item, base: null, work: "100644:x" }] },
  });
  expect(exitCode).toBe(9);
  const isForPeople = !words.includes("--json");
  expect(stderr.includes("1 of its changes did not land and is set aside: signalbox trash list --run r_1")).toBe(
    isForPeople,
  );
  expect(stderr.includes("A run with --plan file:src/b.txt waits until it is free.")).toBe(isForPeople);
});

const needs: [Partial<Run>, string][] = [
  [{ state: "review" }, "r_1 is in review.\n  Look at it with: signalbox review r_1"],
  [
    { state: "awaiting-input", question: { id: "q_1", text: "which?", leave: null } },
    "r_1 asks: which?\n  Answer with: signalbox answer r_1 TEXT",
  ],
  [
    { state: "awaiting-input", question: { id: "q_1", text: "May it?", leave: { tool: "execute", what: "rm x" } } },
    "r_1 asks leave: May it?\n  Answer with: signalbox allow r_1 --question q_1, or deny",
  ],
  [{ state: "paused" }, "r_1 is paused.\n  Let it go on with: signalbox resume r_1"],
];

test.each(needs)(
  "wait ends where run --wait does, with its words, when only a person gets the run on: %j",
  async (needy, said) => {
    const run = makeRun("r_1", needy);
    const waiting = { ...answers, "run.get": { run }, "run.wait": { run, reached: true } };
    const words = ["run", "a task", "--runner", "claude", "--project", "shop", "--wait", "--json"];
    for (const each of [["wait", "r_1"], words]) {
      const { exitCode, stderr } = await tryCli(each, waiting);
      expect([exitCode, stderr]).toEqual([9, expect.stringContaining(said)]);
    }
    const { exitCode, stdout } = await tryCli(["wait", "r_1", "--json"], waiting);
    expect([exitCode, JSON.parse(stdout)]).toEqual([9, { reached: false, runs: [run] }]);
  },
);

test("wait stays for the other runs, and for one that goes on meanwhile because somebody said so", async () => {
  const review = makeRun("r_1", { state: "review" });
  const other = makeRun("r_2", { state: "done" });
  const looks = { first: 0 };
  const { exitCode, stdout, stderr } = await tryCli(["wait", "r_1", "r_2"], {
    ...answers,
    // In review at first, and again when it was approved while the other one was waited for.
    "run.get": ({ run }: { run: string }) => ({
      run:
        run === "r_2"
          ? makeRun("r_2", { state: "running" })
          : looks.first++ === 0
            ? review
            : makeRun("r_1", { state: "landing" }),
    }),
    "run.wait": ({ run }: { run: string }) => ({
      run: run === "r_2" ? other : makeRun("r_1", { state: "done" }),
      reached: true,
    }),
  });
  expect([exitCode, stdout]).toEqual([0, "r_2 done\nr_1 done\n"]);
  expect(stderr).toContain("r_1 is in review.");
});

test("wait says that a run failed before it says that another one needs somebody", async () => {
  const runs: Record<string, Run> = {
    r_1: makeRun("r_1", { state: "review" }),
    r_2: makeRun("r_2", { state: "failed" }),
  };
  const get = ({ run }: { run: string }): unknown => ({ run: runs[run] });
  const { exitCode } = await tryCli(["wait", "r_1", "r_2"], { ...answers, "run.get": get });
  expect(exitCode).toBe(1);
});

test.each([[[]], [["--json"]]])(
  "wait %j does not end as if what landed were on the branch when it is not",
  async (more) => {
    const notPublished = { commit, why: "the branch has moved", how: "git merge" };
    const { exitCode, stderr } = await tryCli(["wait", "r_1", ...more], {
      ...answers,
      "project.get": { project: makeProject("shop", { published: commit, notPublished }) },
    });
    expect(exitCode).toBe(9);
    expect(stderr.includes("has landed, not published: the branch has moved")).toBe(more.length === 0);
  },
);
