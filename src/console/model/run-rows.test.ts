import { expect, test } from "vitest";
import { makeRun } from "../../../test/support/wire-samples.ts";
import { type RunFilter, toRunRows, withFirstPage } from "./run-rows.ts";

const any: RunFilter = { project: null, states: [], runner: null, tag: null, find: "" };
const fetched = { runs: [makeRun("r_1a"), makeRun("r_9"), makeRun("r_5")], next: "r_5", total: 9 };
const live = (...runs: ReturnType<typeof makeRun>[]) => new Map(runs.map((run) => [run.id, run]));
const ids = (runs: readonly { id: string }[]): string[] => runs.map(({ id }) => id);

test("what was heard since takes the place of what was fetched, and newer runs come on top", () => {
  const rows = toRunRows(fetched, live(makeRun("r_9", { state: "done" }), makeRun("r_zz")), any, new Set());
  expect(ids(rows)).toEqual(["r_zz", "r_1a", "r_9", "r_5"]);
  expect(rows[2]?.state).toBe("done");
});

test("a run further down than was read stays away, and one that was removed goes", () => {
  expect(ids(toRunRows(fetched, live(makeRun("r_2")), any, new Set(["r_9"])))).toEqual(["r_1a", "r_5"]);
  expect(ids(toRunRows({ ...fetched, next: null }, live(makeRun("r_2")), any, new Set()))).toContain("r_2");
});

test.each([
  [{ states: ["done" as const] }, ["r_9"]],
  [{ tag: "api" }, ["r_1a"]],
  [{ runner: "claude" }, []],
  [{ project: "p_2" }, []],
  [{ find: "title of r_5" }, ["r_5"]],
])("%j lets only its own through", (filter, expected) => {
  const rows = toRunRows(
    fetched,
    live(makeRun("r_9", { state: "done" }), makeRun("r_1a", { tags: ["api"] })),
    { ...any, ...filter },
    new Set(),
  );
  expect(ids(rows)).toEqual(expected);
});

test("the first page read anew keeps what was read below it", () => {
  const page = { runs: [makeRun("r_1b"), makeRun("r_1a")], next: "r_1a", total: 10 };
  expect(withFirstPage(fetched, page)).toMatchObject({ next: "r_5", total: 10 });
  expect(ids(withFirstPage(fetched, page).runs)).toEqual(["r_1b", "r_1a", "r_9", "r_5"]);
  const all = { ...page, next: null };
  expect(withFirstPage(fetched, all)).toBe(all);
});
