import { expect, test } from "vitest";
import { makeProject } from "../../../test/support/wire-samples.ts";
import { tryCli } from "../testing/try-cli.ts";

const change = {
  commit: "c".repeat(40),
  wallMs: Date.UTC(2026, 0, 2, 3, 4),
  author: "Eva \u001B[31m",
  title: "Another port",
  run: "r_1a",
  status: "changed",
  binary: false,
  tooLarge: false,
  hunks: [],
  patch: "--- a/signalbox.yaml\n+++ b/signalbox.yaml\n@@ -1 +1 @@\n-old\n+new\n",
} as const;
const answers = {
  "project.list": { projects: [makeProject("track")] },
  "project.get": { project: makeProject("track") },
  "project.history": { commit: change.commit, changes: [change, { ...change, run: null }], more: true },
};

test("history says when, in which run and by whom a file was changed, and that there is more", async () => {
  const { stdout, stderr, calls, exitCode } = await tryCli(
    ["history", "signalbox.yaml", "--project", "track"],
    answers,
  );
  expect(exitCode).toBe(0);
  expect(calls.at(-1)).toEqual(["project.history", { project: "track", path: "signalbox.yaml" }]);
  expect(stdout).toContain("2026-01-02 03:04 UTC");
  expect(stdout).toContain("r_1a");
  expect(stdout).toContain("cccccccccc");
  expect(stdout).not.toContain("\u001B[31m");
  expect(stderr).toContain("older");
});

test("history --patch shows what was replaced by what", async () => {
  const words = ["history", "signalbox.yaml", "--project", "track", "--patch", "--limit", "3"];
  const { stdout, calls } = await tryCli(words, answers);
  expect(calls.at(-1)).toEqual(["project.history", { project: "track", path: "signalbox.yaml", limit: 3 }]);
  expect(stdout).toContain("-old\n+new");
});
