import { expect, test } from "vitest";
import { makeRun } from "../../../test/support/wire-samples.ts";
import { tryCli } from "../testing/try-cli.ts";

const leave = { tool: "execute", what: "rm -rf build" };
const question = {
  id: "q_7",
  text: "May it use a tool of its own (execute): rm -rf build?\n\ncommand: rm -rf build",
  leave,
};
const asks = makeRun("r_1", { state: "awaiting-input", question });

test.each([
  [["allow", "r_1", "--question", "q_7"], "allow", "q_7", "r_1 has leave for that (rm -rf build)."],
  [["allow", "r_1", "--question", "q_5"], "allow", "q_5", "r_1 has leave for that"],
  [["deny", "r_1", "--question", "q_7"], "deny", "q_7", "r_1 may not do that (rm -rf build)."],
  [["deny", "r_1", "--question", "q_7", "-m", "use it"], "deny: use it", "q_7", "r_1 may not do that"],
])("[RN26] %j is for what was read, and for nothing that comes meanwhile", async (words, text, id, sentence) => {
  const { exitCode, stdout, stderr, calls } = await tryCli(words, { "run.get": { run: asks }, "run.answer": {} });
  expect(calls).toContainEqual(["run.answer", { run: "r_1", text, question: id }]);
  expect([exitCode, stdout]).toEqual([0, "r_1\n"]);
  expect(stderr).toContain(sentence);
});

test.each([
  [
    "asks something that has no yes",
    makeRun("r_1", { state: "awaiting-input", question: { ...question, leave: null } }),
  ],
  ["asks nothing", makeRun("r_1", { state: "running" })],
])("a run that %s is not allowed anything", async (_, run) => {
  const { exitCode, stderr, calls } = await tryCli(["allow", "r_1"], { "run.get": { run }, "run.answer": {} });
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain("this needs a run that is asking leave");
  expect(calls.map(([name]) => name)).not.toContain("run.answer");
});

test.each(["allow", "deny"])(
  "[RN11] %s without the question that was read does nothing, and says how to name it",
  async (word) => {
    const { exitCode, stderr, calls } = await tryCli([word, "r_1"], { "run.get": { run: asks }, "run.answer": {} });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Run r_1 asks leave (rm -rf build)");
    expect(stderr).toContain("signalbox allow r_1 --question q_7, or deny");
    expect(calls.map(([name]) => name)).not.toContain("run.answer");
  },
);

test("what it asks leave for is shown whole, line by line", async () => {
  const answers = { "run.get": { run: asks }, status: { nowMs: 0, openings: [] } };
  const { stdout } = await tryCli(["inspect", "r_1"], answers);
  expect(stdout).toMatch(/asks leave +May it use .* rm -rf build\?\n +command: rm -rf build\n *question +q_7\n/);
});
