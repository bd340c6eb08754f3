import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtProgram } from "../support/built-program.ts";
import { type Ended, Sandbox } from "./cli-process.ts";

const box = new Sandbox();
const says = box.script("says.yaml", "task: say\nsteps:\n  - say: hello\n");
const asks = box.script("asks.yaml", "task: ask\nsteps:\n  - ask: go on?\n  - say: thanks\n");
beforeAll(async () => {
  await box.ok("up", "-d", "--port", "0");
  await box.ok("project", "add", ".");
});
afterAll(() => box.close());

test("events are followed without a gap, and filtered", async () => {
  const { seq } = await box.json<{ seq: number }>("status");
  const all = box.start(["events", "-f", "--after", "0", "--json"]);
  const granted = box.start(["events", "-f", "--after", "0", "--type", "lease.granted", "--json"]);
  await all.line((line) => (JSON.parse(line) as { seq: number }).seq === seq);
  const { claim } = await box.json<{ claim: string }>("claim", "--unit", "file:a");
  await all.line((line) => line.includes(claim) && line.includes("lease.granted"));
  await granted.line((line) => line.includes(claim));
  await box.ok("release", claim);
  all.signal("SIGINT");
  granted.signal("SIGINT");
  const { code, stdout } = await all.ended;
  expect(code).toBe(130);
  const numbers = stdout
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { seq: number }).seq);
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  const types = (await granted.ended).stdout
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { type: string }).type);
  expect(new Set(types)).toEqual(new Set(["lease.granted"]));
});

test("leaving ends the watching and nothing else", async () => {
  const sleeps = box.script("sleeps.yaml", "task: sleep\nsteps:\n  - run: sleep 1000\n");
  const watching = box.start(["run", "--script", sleeps, "--wait"]);
  await watching.line((line) => line.includes("step 0 run"));
  watching.signal("SIGINT");
  const { code, stderr } = await watching.ended;
  expect(code).toBe(130);
  const run = /Run (r_\w+) goes on/.exec(stderr)?.[1] ?? "";
  expect(await box.json("inspect", run)).toMatchObject({ run: { state: "running" } });
  await box.ok("stop", run);
});

test("waiting with a run ends when it needs somebody, and says what to do", async () => {
  const { code, stdout, stderr } = await box.run("run", "--script", asks, "--wait");
  expect(code).toBe(9);
  expect(stdout).toContain("asks: go on?");
  const run = /signalbox answer (r_\w+) TEXT/.exec(stderr)?.[1] ?? "";
  await box.ok("answer", run, "yes");
  await box.ok("wait", run);
  const quiet = await box.run("run", "--script", asks, "--wait", "--json");
  expect(quiet.code).toBe(9);
  const { id, state } = JSON.parse(quiet.stdout) as { id: string; state: string };
  expect(state).toBe("awaiting-input");
  await box.ok("stop", id);
});

test("waiting survives a daemon that is killed and started again", async () => {
  const { pid } = await box.json<{ pid: number }>("status");
  const { run } = await box.json<{ run: string }>("run", "--script", asks);
  const { run: next } = await box.json<{ run: string }>("run", "--script", says, "--after", run);
  const waiting = box.start(["wait", run, next]);
  const following = box.start(["logs", "-f", run]);
  await following.line((line) => line.includes("asks: go on?"));
  await waiting.note((line) => line.includes("asks: go on?"));
  process.kill(pid, "SIGKILL");
  const up = await box.json<{ pid: number }>("up", "-d", "--port", "0");
  expect(up.pid).not.toBe(pid);
  await box.ok("answer", run, "yes");
  const { code: waited, stdout: ends } = await waiting.ended;
  expect([waited, ends.split("\n").toSorted()]).toEqual([
    0,
    ["", `${next} done (it changed nothing)`, `${run} done (it changed nothing)`].toSorted(),
  ]);
  const { code, stdout } = await following.ended;
  expect(code).toBe(0);
  expect(stdout).toContain("says: thanks");
  expect(stdout.split("asks: go on?")).toHaveLength(2);
});

test("a reader that has seen enough is no error", async () => {
  const main = builtProgram("cli");
  const ended = await shell(`"${process.execPath}" "${main}" events --json | head -n 1`);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(ended.stdout)).toMatchObject({ seq: 1 });
});

test("[BG17] a secret comes on standard input and is nowhere to be read", async () => {
  const canary = "sk-canary-of-the-command-line";
  const setting = box.start(["secret", "set", "ANTHROPIC_API_KEY"]);
  setting.write(`${canary}\n`);
  setting.closeInput();
  expect(await setting.ended).toEqual({ code: 0, stdout: "ANTHROPIC_API_KEY is kept.\n", stderr: "" });
  const { secrets } = await box.json<{ secrets: object[] }>("secret", "list");
  expect(secrets[0]).toMatchObject({ name: "ANTHROPIC_API_KEY", from: "store" });
  expect(await shell(`grep -rl "${canary}" "${box.home}"`)).toMatchObject({ code: 1, stdout: "" });
  expect(await box.json("secret", "remove", "ANTHROPIC_API_KEY")).toMatchObject({ secrets: ["ANTHROPIC_API_KEY"] });
  expect((await box.run("secret", "set", "OPENAI_API_KEY")).stderr).toContain("No value was given");
});

test("MCP is served until the pipe is closed", async () => {
  const served = box.start(["mcp"]);
  const hello = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  };
  served.write(`${JSON.stringify(hello)}\n`);
  expect(await served.line((line) => line.includes('"id":1'))).toContain("signalbox");
  served.closeInput();
  expect((await served.ended).code).toBe(0);
});

function shell(command: string): Promise<Ended> {
  const child = spawn("/bin/sh", ["-c", command], { env: { ...process.env, SIGNALBOX_HOME: box.home } });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...said })));
}
