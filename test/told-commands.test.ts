// After each act the console tells the command that does the same. A shell and the command line have to agree: what is told is
// read by a shell, then by the command line's own table, and asks the daemon for just what the console asked.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actsOfAgent, toAgentCommand } from "../src/console/model/agent-acts.ts";
import { type ActName, toCommand } from "../src/console/model/run-acts.ts";
import {
  toAttachCommand,
  toCreateAgentCommand,
  toPriceCommand,
  toProjectAddCommand,
  toProjectChangeCommand,
  toRunCommand,
  toRunnerCommand,
  toSetCommand,
  toStartCommand,
  toTaskChangeCommand,
  toTaskCommand,
} from "../src/console/model/told-commands.ts";
import { tryCli, type Answers } from "../src/cli/testing/try-cli.ts";
import { isTest, readSources } from "./support/source-files.ts";
import { makeAgent, makeRun } from "./support/wire-samples.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sb-told-"));
  const stub = `#!/bin/sh\nfor word in "$@"; do printf '%s\\0' "$word"; done > "$OUT/words"\ncat > "$OUT/input"\n`;
  writeFileSync(path.join(folder, "signalbox"), stub, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a shell makes of the line, with what it reads in a file instead of its standard input. */
function readByShell(line: string): string[] {
  const env = { PATH: `${folder}:${process.env["PATH"] ?? ""}`, OUT: folder };
  const { status, stderr } = spawnSync("/bin/sh", ["-c", line], { env, input: "", encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  const words = spawnSync("cat", [path.join(folder, "words")], { encoding: "utf8" })
    .stdout.split("\0")
    .slice(0, -1);
  const input = path.join(folder, "input");
  const isRead = words.includes("--file") || words.includes("--script") || words[1] === "create";
  return words.map((word) => (word === "-" && isRead ? input : word));
}

const project = {
  ...{ id: "p_1", name: "shop", processes: { old: { argv: ["x"], scope: "project" } } },
  ...{ egress: { kind: "list", allow: ["a.example"] }, warm: { "old.lock": "old" } },
};
const answers: Answers = {
  "project.list": { projects: [project] },
  "project.get": { project },
  "run.get": { run: makeRun("r_1", { question: { id: "q_1", text: "?", leave: { tool: "execute", what: "x" } } }) },
};

async function asked(line: string, operation: string): Promise<unknown> {
  const { calls, stderr } = await tryCli(readByShell(line), answers, { cwd: folder });
  const call = calls.find(([name]) => name === operation);
  expect(call, `${line}: ${stderr}`).toBeDefined();
  return call?.[1];
}

describe("what is told asks for what was asked", () => {
  const rules = { maxConcurrent: 2, allowedPaths: ["src/**"], maxRunCostMicros: 2_500_000 };
  const policy = { name: "nightly", priority: 3, enabled: true, scope: { project: "shop" }, rules };
  const settings = { runner: "claude", prompt: ["be 'brief'\nEND"], env: { A: "$HOME" }, maxTurns: 5 };
  const runner = { name: "mine", command: ["my-agent", "acp"], format: "anthropic", env: { A: "b c" } };
  const task = { project: "shop", title: "it's a title", description: "two\nlines", scope: ["src/a b", "docs"] };
  const acceptance = ["npm", "test", "a b"];
  const price = { model: "gpt-5", inputMicros: 1_250_000, outputMicros: 10_000_000, cacheReadMicros: 125_000 };

  test.each([
    ["a policy", toSetCommand("policy", policy), "policy.set", policy],
    ["a profile", toSetCommand("profile", { name: "careful", settings }), "profile.set", { name: "careful", settings }],
    ["a runner", toRunnerCommand(runner), "runner.set", runner],
    ["a price", toPriceCommand(price), "price.set", { ...price, cacheWriteMicros: price.inputMicros }],
    ["a task", toTaskCommand({ ...task, acceptance }), "task.add", { ...task, acceptance }],
    [
      "a change of a task",
      toTaskChangeCommand("t_1", { title: "other", acceptance: null, scope: [] }),
      "task.change",
      { task: "t_1", title: "other", acceptance: null, scope: [] },
    ],
    [
      "a note",
      toAttachCommand("t_1", { kind: "note", name: "why", text: "be=cause\nof that" }, "why"),
      "task.attach",
      { task: "t_1", attachment: { kind: "note", name: "why", text: "be=cause\nof that" } },
    ],
    [
      "a start",
      toStartCommand("t_1", "shop", {
        runner: "command",
        command: ["sh", "-c", "a && b"],
        plan: ["file:a b"],
        tags: ["x"],
      }),
      "run.submit",
      { task: "t_1", runner: "command", command: ["sh", "-c", "a && b"], plan: ["file:a b"], tags: ["x"] },
    ],
  ])("%s", async (_, line, operation, wanted) => {
    expect(await asked(line, operation)).toMatchObject(wanted);
  });

  test("a run of a task that is made with it, with all that can be said of it", async () => {
    const words = {
      ...{ project: "shop", title: "it's wanted", description: "two\nlines", runner: "command", profile: "careful" },
      ...{ agent: "shop-1", scope: ["src/a b"], plan: ["file:src/a.ts"], priority: 3, tags: ["nightly"] },
      ...{ dependsOn: ["r_9"], egress: "none", noCage: true, command: ["npm", "run", "a b"], acceptance },
    };
    expect(await asked(toRunCommand(words), "run.submit")).toMatchObject(words);
    const script = "task: x\nsteps: []\n";
    const scripted = { project: "shop", title: "from a script", script };
    expect(await asked(toRunCommand(scripted), "run.submit")).toMatchObject(scripted);
  });

  test("an agent, of the template as it was edited", async () => {
    const template = "template: mine\nservices:\n  web:\n    command: echo 'END' $HOME\nEND\n";
    const values = [["LOG", "it's on"]] as const;
    const line = toCreateAgentCommand({ template, project: "shop", name: "mine-1", values });
    expect(await asked(line, "agent.create")).toMatchObject({
      ...{ project: "shop", name: "mine-1", values: { LOG: "it's on" } },
      template: expect.stringContaining("echo 'END' $HOME\nEND") as string,
    });
  });

  test("a project", async () => {
    const added = { root: folder, name: "shop", processes: { test: { argv: ["npm", "t"], scope: "agent" } } };
    expect(await asked(toProjectAddCommand(added), "project.add")).toMatchObject(added);
  });

  test("a change of a project, with what is taken away", async () => {
    const value = {
      ...{ foldCase: true, landingTest: ["npm", "run test"], testTimeMs: 90_000, landingBranch: null, image: null },
      processes: { build: { argv: ["make", "a b"], scope: "project" } },
      egress: { kind: "list", allow: ["b.example"] },
      warm: { "package-lock.json": "node_modules" },
    };
    const got = (await asked(toProjectChangeCommand(project as never, value), "project.change")) as typeof value;
    expect(got).toMatchObject({ ...value, egress: { kind: "list", allow: ["b.example"] } });
    expect(Object.keys(got.processes)).toEqual(["build"]);
    expect(Object.keys(got.warm)).toEqual(["package-lock.json"]);
  });
});

test("each act on a run or an agent is told as a command that there is", async () => {
  const texts: Partial<Record<ActName, string>> = { approve: "0f3a5c7e9b1d2468", allow: "q_1", deny: "q_1" };
  const worded: readonly ActName[] = ["answer", "return", "reject", "steer", "interrupt", "continue"];
  const plain: readonly ActName[] = ["approve", "allow", "deny", "pause", "resume", "retry", "stop", "remove"];
  const lines = [
    ...worded.map((name) => toCommand(name, "r_1", "it's -- so")),
    ...(["answer", "steer", "continue"] as const).map((name) => toCommand(name, "r_1", "-1 is enough")),
    ...plain.map((name) => toCommand(name, "r_1", texts[name] ?? "")),
    ...actsOfAgent(makeAgent("a_1")).map(({ name }) => toAgentCommand(name, "shop-1")),
    ...(["start", "stop", "restart"] as const).map((name) => toAgentCommand(name, "shop-1", "web")),
  ];
  for (const line of lines) {
    const { calls, stderr } = await tryCli(readByShell(line), answers);
    expect(calls.length, `${line}: ${stderr}`).toBeGreaterThan(0);
  }
});

test("who tells of what is no act is known: everything else has its command, or does not compile", () => {
  const noting = readSources(["src/console"])
    .filter(({ path: file, text }) => !isTest(file) && text.includes("toasts.note("))
    .map(({ path: file }) => file.replace("src/console/", ""));
  expect(noting.toSorted()).toEqual([
    "acts/perform.ts",
    "overview/use-run-keys.ts",
    "palette/palette-host.tsx",
    "parts/saved-views.tsx",
  ]);
});
