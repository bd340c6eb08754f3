import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { limits } from "../../protocol/limits.ts";
import { tryCli } from "../testing/try-cli.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sbt-"));
  await writeFile(join(folder, "my design.md"), "# Limits\n");
  await writeFile(join(folder, "large"), "x".repeat(limits.attachmentBytesMax + 1));
  await mkdir(join(folder, "folder"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const project = { "project.list": { projects: [] }, "project.get": { project: { id: "p_1" } } };
const answers = { ...project, "task.add": { task: "t_1" }, "task.attach": {} };

test("a task is made with its words, and files come along one by one", async () => {
  const words = ["--project", "p_1", "--scope", "src/api", "--scope", "docs", "--accept", "npm test", "--key", "k"];
  const more = ["--note", "why=Too much, a=b.", "--file", join(folder, "my design.md")];
  const { calls, stdout } = await tryCli(["task", "add", "limit", ...words, ...more], answers);
  expect(calls.slice(-2)).toEqual([
    [
      "task.add",
      {
        ...{ project: "p_1", title: "limit", acceptance: ["npm", "test"], scope: ["src/api", "docs"], key: "k" },
        attachments: [{ kind: "note", name: "why", text: "Too much, a=b." }],
      },
    ],
    ["task.attach", { task: "t_1", attachment: { kind: "file", name: "my-design.md", base64: "IyBMaW1pdHMK" } }],
  ]);
  expect(stdout).toContain("t_1");
});

test.each([
  ["folder", "it is no regular file"],
  ["large", `it has ${limits.attachmentBytesMax + 1} bytes`],
  ["none", "there is no such file"],
])("[TK4] %s cannot come along, and nothing is asked of the daemon", async (name, why) => {
  const tried = await tryCli(["task", "add", "limit", "--file", join(folder, name)], answers);
  expect(tried).toMatchObject({ exitCode: 2, calls: [] });
  expect(tried.stderr).toContain(why);
});

test("a task is changed in what is named, run, listed and removed", async () => {
  const task = {
    ...{ id: "t_1", project: "p_1", projectName: "shop", title: "limit", description: "", acceptance: null },
    ...{ scope: ["src"], attachments: [], by: "person:eva", kept: true, cancelled: false, runs: [], atMs: 0 },
  };
  const change = { "task.change": {}, "task.get": { task } };
  const changed = await tryCli(["task", "change", "t_1", "--no-accept", "--everywhere"], change);
  expect(changed.calls[0]).toEqual(["task.change", { task: "t_1", acceptance: null, scope: [] }]);
  expect(await tryCli(["task", "change", "t_1", "--scope", "a", "--everywhere"])).toMatchObject({ exitCode: 2 });
  const submit = { "run.submit": { run: "r_1", task: "t_1", door: null, warnings: [] }, "task.get": { task } };
  const run = await tryCli(["run", "--task", "t_1", "--runner", "mcp"], submit);
  expect(run.calls.at(-1)).toMatchObject(["run.submit", { task: "t_1", project: "p_1", runner: "mcp" }]);
  expect(await tryCli(["run", "title", "--task", "t_1", "--runner", "mcp"])).toMatchObject({ exitCode: 2, calls: [] });
  const listed = await tryCli(["task", "ls"], { "task.list": { tasks: [task], next: null, total: 1 } });
  expect(listed.stdout).toMatch(/t_1 +shop +limit +src +0/);
  const removed = await tryCli(["task", "rm", "t_1", "t_2"], { "task.remove": {} });
  expect(removed.calls.map(([name]) => name)).toEqual(["task.remove", "task.remove"]);
});
