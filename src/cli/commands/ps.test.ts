import { expect, test } from "vitest";
import { makeRun } from "../../../test/support/wire-samples.ts";
import { tryCli } from "../testing/try-cli.ts";

test("a tree shows each run below the one that started it, over or not", async () => {
  const runs = [
    makeRun("r_4", { parent: "r_1" }),
    makeRun("r_3", { parent: "r_2", state: "done" }),
    makeRun("r_2", { parent: "r_1", runner: "codex" }),
    makeRun("r_1", { parent: null, runner: "claude" }),
  ];
  const answers = { "run.list": { runs, next: null, total: 4, nowMs: 9000 } };
  const { stdout, calls } = await tryCli(["ps", "--tree", "r_3"], answers);
  expect(calls).toEqual([["run.list", { tree: "r_3", limit: 1000 }]]);
  expect(stdout.match(/^ *r_\d/gm)).toEqual(["r_1", "  r_2", "    r_3", "  r_4"]);
});
