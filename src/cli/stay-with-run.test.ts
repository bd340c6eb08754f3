import { expect, test } from "vitest";
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
  const item = { id: "x_1", run: "r_1", project: "p_1", path: "src/b.txt", why: "somebody else holds it", atMs: 1 };
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
