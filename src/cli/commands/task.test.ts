import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { protocolError } from "../../protocol/errors.ts";
import { limits } from "../../protocol/limits.ts";
import { tryCli } from "../testing/try-cli.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sbt-"));
  await writeFile(join(folder, "my design.md"), "# Limits\n");
  await writeFile(join(folder, "large"), "x".repeat(limits.attachmentBytesMax + 1));
  await mkdir(join(folder, "folder"));
  await writeFile(join(folder, "folder", "my design.md"), "another");
  await writeFile(join(folder, `${"d".repeat(60)}.md`), "text");
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

test.each([
  [["--file", "my design.md", "--file", "folder/my design.md"], "Two attachments would be called my-design.md"],
  [["--file", "my design.md", "--note", "my-design.md=text"], "Two attachments would be called my-design.md"],
  [["--link", "-=https://example.org"], '"-" is no name of an attachment'],
  [["--note", `${"n".repeat(49)}=text`], "at most 48"],
  [Array.from({ length: 33 }, (_, at) => ["--note", `n${at}=text`]).flat(), "33 attachments are too many: at most 32"],
])("[TK4] what cannot come along with the others is refused before there is a task: %j", async (words, why) => {
  const tried = await tryCli(["task", "add", "limit", ...words], answers, { cwd: folder });
  expect(tried).toMatchObject({ exitCode: 2, calls: [] });
  expect(tried.stderr).toContain(why);
});

test("a file with a long name comes along under a shorter one", async () => {
  const words = ["task", "add", "limit", "--project", "p_1", "--file", `${"d".repeat(60)}.md`];
  const { calls } = await tryCli(words, answers, { cwd: folder });
  const attachment = { kind: "file", name: `${"d".repeat(45)}.md`, base64: "dGV4dA==" };
  expect(calls.at(-1)).toEqual(["task.attach", { task: "t_1", attachment }]);
});

test.each([[[]], [["--json"]]])("a task whose file was refused by the daemon is named: %j", async (more) => {
  const refused = { ...answers, "task.attach": protocolError("task-cancelled", { task: "t_1" }) };
  const words = ["task", "add", "limit", "--project", "p_1", "--file", "my design.md", ...more];
  const { exitCode, stderr } = await tryCli(words, refused, { cwd: folder });
  expect(exitCode).toBe(3);
  expect(stderr).toContain("t_1 is made, but not every file is with it: signalbox task attach t_1 --file PATH");
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
