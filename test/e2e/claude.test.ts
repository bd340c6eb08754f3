// The real Claude Code in a real cage, with a scripted model behind the relay: what it wants done goes through the door.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { Heard } from "../../src/core/run/heard.ts";
import { isOver } from "../../src/core/run/run-states.ts";
import { canTry, pathWithAssistants } from "../support/assistants.ts";
import { builtProgram } from "../support/built-program.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { shellsWith, standsStill } from "../support/halted.ts";
import { ModelServer } from "../support/model-server/model-server.ts";
import { SampleProject } from "../support/sample-project.ts";
import { tellRuns } from "../support/tell-runs.ts";

const key = "sk-ant-canary-7f3a9c";
const held = `held-by-${process.pid}`;

const scenario = `
conversations:
  - name: first
    match: { marker: "(first)" }
    turns:
      - { say: I begin., call: { tool: mcp__door__claim, with: { units: ["file:greeting.txt"] } } }
      - { expect: { toolResult: yours }, call: { tool: mcp__door__ask_user, with: { question: "Which word?" } } }
      - { expect: { toolResult: moin }, call: { tool: mcp__door__edit_file, with: { path: greeting.txt, find: hello, replace: moin } } }
      - { expect: { toolResult: edited }, say: The greeting is moin. }
  - name: second
    match: { marker: "(second)" }
    turns:
      - call: { tool: mcp__door__edit_file, with: { path: greeting.txt, find: "moin\\n", replace: "moin moin\\n" } }
      - { expect: { toolResult: edited }, call: { tool: mcp__door__finish, with: { message: twice } } }
      - { say: Done. }
  - name: long
    match: { marker: "(long)" }
    turns:
      - { call: { tool: mcp__door__write_file, with: { path: long.txt, content: "1\\n" } } }
      - { say: I think about it., hold: think, again: true }
      # What people say is a turn of its own, or two, or a part of the one before.
      - { say: I left the rest. }
      - { say: I left it. }
      - { say: I have left it. }
  - name: reviewed
    match: { marker: "(reviewed)" }
    turns:
      - { call: { tool: mcp__door__write_file, with: { path: note.txt, content: "a long note\\n" } } }
      - { expect: { toolResult: wrote }, say: I wrote a note. }
      - { expect: { said: "shorter, please" }, call: { tool: mcp__door__write_file, with: { path: note.txt, content: "note\\n" } } }
      - { expect: { toolResult: wrote }, say: It is shorter now. }
  - name: overtaken
    match: { marker: "(overtaken)" }
    turns:
      - { call: { tool: mcp__door__edit_file, with: { path: clock.txt, find: noon, replace: one } } }
      - { expect: { toolResult: edited }, say: It is one. }
      - { expect: { said: "somebody else changed clock.txt in the same place" }, call: { tool: mcp__door__read_file, with: { path: clock.txt } } }
      - { expect: { toolResult: two }, call: { tool: mcp__door__edit_file, with: { path: clock.txt, find: two, replace: one or two } } }
      - { expect: { toolResult: edited }, say: It is one or two. }
  - name: profiled
    match: { marker: "(profiled)", model: claude-haiku-4-5 }
    turns:
      - { expect: { said: "Speak like a signalman.", offers: mcp__door__edit_file }, call: { tool: mcp__door__run_command, with: { command: "echo $GREETING" } } }
      - { expect: { toolResult: moin }, say: All clear. }
  - name: waiting
    match: { marker: "(waiting)" }
    turns:
      - { call: { tool: mcp__door__run_command, with: { command: "echo ran >> ran.txt; trap 'cat ran.txt; exit' USR1; while :; do sleep 0.05; done # ${held}" } } }
      - { expect: { toolResult: ran }, say: It has run. }
  - name: native
    match: { marker: "(native)" }
    turns:
      - { expect: { offers: Edit }, call: { tool: Bash, with: { command: "cat held.txt; echo made > made.txt; echo stolen > held.txt; ESCAPES" } } }
      - { expect: { toolResult: theirs }, call: { tool: Read, with: { file_path: "ROOT/held.txt" } } }
      - { expect: { toolResult: theirs }, call: { tool: Edit, with: { file_path: "ROOT/held.txt", old_string: theirs, new_string: ours } } }
      - { expect: { toolResult: updated }, say: I waited for it. }
  - name: bad
    match: { marker: "(bad)" }
    turns:
      - { call: { tool: Bash, with: { command: "touch /tmp/forged" } } }
      - call: { tool: mcp__door__run_command, with: { command: "env; cat /proc/[0-9]*/environ | tr '\\\\0' '\\\\n'; ls /tmp; find ~ -type f | xargs cat" } }
      - { call: { tool: mcp__door__run_command, with: { command: "curl -sm 5 http://127.0.0.1:31130/v1/messages; curl -sm 5 https://example.com; echo tried" } } }
      - { expect: { toolResult: tried }, say: Nothing to be had. }
  - name: part
    match: { marker: "(a part of it)" }
    turns:
      - { say: I do a part of it., call: { tool: Bash, with: { command: "touch ROOT/handmade.txt" } } }
      - { call: { tool: mcp__door__write_file, with: { path: part.txt, content: "by another\\n" } } }
      - { expect: { toolResult: wrote }, say: The part is there. }
  - name: delegating
    match: { marker: "(delegating)" }
    turns:
      - { call: { tool: Agent, with: { description: part, prompt: "(a part of it)", subagent_type: general-purpose } } }
      - { expect: { toolResult: The part is there }, say: All of it is there. }
  - name: undelegated
    match: { marker: "(undelegated)" }
    turns:
      - { call: { tool: Agent, with: { description: part, prompt: "(a part of it)", subagent_type: general-purpose } } }
      - { say: Nobody is there. }
  - name: readme
    match: { marker: "add a rate limit" }
    turns:
      - { call: { tool: mcp__door__write_file, with: { path: limit.txt, content: "10 a second\\n" } } }
      - { expect: { toolResult: wrote }, say: There is a limit. }
`;

/** What tools of its own try beside their work: other people's files, the machine, the network, the key. */
const escapes = [
  "(touch ROOT/../out-of-it-$$ && ls ROOT/.. | grep out-of-it; touch /etc/out-of-it /usr/out-of-it /proc/sys/out-of-it) 2>&1",
  "git -C ROOT push -q origin HEAD:refs/heads/out-of-it 2>&1",
  "curl -sm 5 https://example.com && echo out-of-it",
  "env",
  "cat /proc/[0-9]*/environ | tr '\\\\0' '\\\\n'",
  "find ~ /tmp -type f | xargs cat",
].join("; ");

/** The block of the README that has a line, as it stands. */
function readmeBlockWith(text: string): string {
  const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
  const blocks = [...readme.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block ?? "");
  return blocks.find((block) => block.includes(text)) ?? "";
}

describe.skipIf(!canTry("claude"))("Claude Code", () => {
  let model: ModelServer;
  let daemon: DaemonProcess;
  let client: Client;
  let sample: SampleProject;
  let project: string;

  beforeAll(async () => {
    sample = new SampleProject({
      "greeting.txt": "hello\n",
      "held.txt": "theirs\n",
      "clock.txt": "it is noon\n",
      "AGENTS.md": "Greet politely.\n",
    });
    model = await ModelServer.start(scenario.replaceAll("ESCAPES", escapes).replaceAll("ROOT", sample.root));
    const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: key, PATH: pathWithAssistants() };
    daemon = await DaemonProcess.start(env);
    client = await daemon.connect();
    ({ project } = await client.call("project.add", { root: sample.root }));
  });

  afterEach(async ({ task }) => {
    if (task.result?.state !== "fail") return;
    await tellRuns(client);
    console.error([...model.begun, ...model.problems].join("\n"));
  });

  afterAll(async () => {
    client?.close();
    await daemon?.remove();
    await model?.close();
    sample?.remove();
  });

  /** The marker is in what is wanted only: a title is also in the history that it sees. */
  const submit = async (title: string, description: string): Promise<string> =>
    (await client.call("run.submit", { project, title, description, runner: "claude" })).run;

  const inState = async (run: string, state: string): Promise<void> => {
    for (;;) {
      const answer = await client.call("run.wait", { run, states: [state as "done"], waitMs: 20_000 });
      if (answer.reached) return;
      if (isOver(answer.run.state)) throw new Error(`${run} is ${answer.run.state}: ${answer.run.because}`);
    }
  };

  const heardOf = async (run: string): Promise<readonly Heard[]> => {
    const { events } = await client.call("run.log", { run, limit: 1000 });
    return events.flatMap((event) => (event.type === "run.heard" ? (event["items"] as Heard[]) : []));
  };

  const said = async (run: string): Promise<string> => {
    const { events } = await client.call("run.log", { run, limit: 1000 });
    return JSON.stringify(events.filter(({ type }) => type === "run.heard"));
  };

  test("two of them change one file one after the other: the second waits, and both land", async () => {
    const first = await submit("First greeting", "(first)");
    await inState(first, "awaiting-input");
    const second = await submit("Second greeting", "(second)");
    await inState(second, "blocked");
    await client.call("run.answer", { run: first, text: "moin" });
    await inState(first, "done");
    await inState(second, "done");
    const { runs } = await client.call("run.list", { project });
    expect(runs.map(({ state }) => state)).toEqual(["done", "done"]);
    expect(model.problems).toEqual([]);
    expect(await said(first)).toContain("The greeting is moin.");
    const { lines } = await client.call("project.blame", { project, path: "greeting.txt" });
    expect(lines).toMatchObject([{ text: "moin moin", run: second }]);
    // The project's conventions were part of what it was told, and the money is counted by run.
    expect(model.wasSent("Greet politely.")).toBe(true);
  });

  test("is told what people say in the middle of its work, outlives the daemon and a pause, and goes on", async () => {
    const run = await submit("Takes long", "(long)");
    await model.until(() => model.begun.includes("long 1"));
    await client.call("run.steer", { run, message: "leave the rest" });
    client.close();
    await daemon.kill();
    await daemon.up();
    client = await daemon.connect();
    await client.call("run.pause", { run });
    await inState(run, "paused");
    await client.call("run.resume", { run });
    model.release("think");
    await inState(run, "done");
    expect(await said(run)).toContain("I think about it.");
    // It heard that after its turn, or, where the pause had ended its program before, in its next life.
    expect(model.wasSent("leave the rest")).toBe(true);
    expect(model.problems).toEqual([]);
  });

  test("stands still while it is paused, and hears in the same call what its command said after the daemon was away", async () => {
    const run = await submit("Wait for it", "(waiting)");
    const shells = (): number[] => shellsWith(held);
    await expect.poll(shells, { timeout: 20_000 }).toHaveLength(1);
    const isHalted = (): boolean => shells().every(standsStill);
    await client.call("run.pause", { run });
    await expect.poll(isHalted, { timeout: 20_000 }).toBe(true);
    client.close();
    await daemon.kill();
    await daemon.up();
    client = await daemon.connect();
    expect(isHalted()).toBe(true);
    await client.call("run.resume", { run });
    await expect.poll(isHalted, { timeout: 20_000 }).toBe(false);
    for (const pid of shells()) process.kill(pid, "SIGUSR1");
    await inState(run, "done");
    expect(model.problems).toEqual([]);
    expect(model.begun.filter((turn) => turn.startsWith("waiting"))).toHaveLength(2);
    const { lines } = await client.call("project.blame", { project, path: "ran.txt" });
    expect(lines).toMatchObject([{ text: "ran" }]);
  });

  test("[PF20, RN46] has tools of its own where its profile says so: they wait for files that others have, and steal none", async () => {
    await client.call("profile.set", { name: "own", settings: { runner: "claude", tools: "native" } });
    const { claim } = await client.call("claim.make", { project, units: ["file:held.txt"], as: "ann" });
    const { run } = await client.call("run.submit", {
      ...{ project, title: "Wait and edit", description: "(native)", profile: "own" },
    });
    await inState(run, "blocked");
    expect(model.begun.filter((turn) => turn.startsWith("native"))).toHaveLength(3);
    client.close();
    await daemon.kill();
    await daemon.up();
    client = await daemon.connect();
    await client.call("claim.release", { claim });
    await inState(run, "done");
    expect(model.problems).toEqual([]);
    const held = await client.call("project.blame", { project, path: "held.txt" });
    expect(held.lines).toMatchObject([{ text: "ours", run }]);
    const made = await client.call("project.blame", { project, path: "made.txt" });
    expect(made.lines).toMatchObject([{ text: "made", run }]);
    // All of what its command said is kept, though the door knew nothing of it.
    const results = (await heardOf(run)).filter((item) => item.is === "result");
    expect(results.map(({ tool, ok }) => [tool, ok])).toEqual([
      // One of the files that it wanted to see was not for it.
      ["Bash", false],
      ["Read", true],
      ["Edit", true],
    ]);
    const { output = null, text = "" } = results[0] ?? {};
    expect(text).toContain("characters left out");
    const { base64, totalBytes } = await client.call("run.artifact", { run, name: output ?? "" });
    expect(String(Buffer.from(base64, "base64"))).toMatch(/^theirs\n/);
    expect(totalBytes).toBeGreaterThan(text.length);
    const { rows } = await client.call("stats", { by: "tool" });
    expect(rows.filter(({ name }) => ["Bash", "Read", "Edit", "sweep"].includes(name))).toMatchObject([
      { name: "Bash", statuses: { failed: 1 } },
      { name: "Edit", statuses: { ok: 1 } },
      { name: "Read", statuses: { ok: 1 } },
    ]);
    const { items } = await client.call("trash.list", { run });
    expect(items.map(({ path }) => path)).toContain("held.txt");
    // Beside the workspace there is a place of its own; on the machine there is nothing.
    expect(readdirSync(dirname(sample.root)).filter((name) => name.startsWith("out-of-it"))).toEqual([]);
    for (const folder of ["/etc", "/usr"]) expect(existsSync(join(folder, "out-of-it"))).toBe(false);
    expect(model.received.some(({ body }) => body.includes(key))).toBe(false);
  });

  test("[BG1] is refused before the request where its budget has no room, and fails by that", async () => {
    const asked = model.received.length;
    await client.call("profile.set", { name: "poor", settings: { runner: "claude", maxCostMicros: 1 } });
    const wanted = { project, title: "Too dear", description: "(dear)", profile: "poor" };
    const { run } = await client.call("run.submit", wanted);
    await inState(run, "failed");
    const failed = (await client.call("run.get", { run })).run;
    expect([failed.failure, failed.because, failed.spend.requests]).toEqual([
      "budget",
      "claude: budget: profile poor keeps it from its model: what one run may cost is spent",
      0,
    ]);
    expect(model.received.slice(asked).filter(({ target }) => target.startsWith("/v1/messages?"))).toEqual([]);
  });

  test("a real assistant is one command away, as the README says", async () => {
    const commands = readmeBlockWith("--runner claude --wait");
    const script = `signalbox() { "$NODE" "$MAIN" "$@"; }\n${commands}`;
    const env = { ...process.env, SIGNALBOX_HOME: daemon.home, NODE: process.execPath, MAIN: builtProgram("cli") };
    const child = spawn("/bin/sh", ["-c", script], { cwd: sample.root, env, stdio: ["pipe", "pipe", "pipe"] });
    child.stdin.end(key);
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece: Buffer) => said.push(piece.toString()));
    const [code] = (await once(child, "exit")) as [number];
    expect([code, said.join("")]).toEqual([0, expect.stringContaining("done")]);
    expect(said.join("")).not.toContain(key);
    const { lines } = await client.call("project.blame", { project, path: "limit.txt" });
    expect(lines).toMatchObject([{ text: "10 a second" }]);
    expect(model.problems).toEqual([]);
  });

  test("goes on in its conversation when a person sends its result back", async () => {
    await client.call("policy.set", { name: "look", scope: { project }, rules: { approvalRequired: true } });
    const run = await submit("Write a note", "(reviewed)");
    await inState(run, "review");
    await client.call("run.return", { run, message: "shorter, please" });
    await model.until(() => model.begun.includes("reviewed 3"));
    await inState(run, "review");
    await client.call("run.approve", { run });
    await inState(run, "done");
    await client.call("policy.remove", { name: "look" });
    const { lines } = await client.call("project.blame", { project, path: "note.txt" });
    expect(lines).toMatchObject([{ text: "note" }]);
    expect(model.problems).toEqual([]);
  });

  test("[LD20, LD33] makes its change again where somebody else was faster while its result waited for a person", async () => {
    const rules = { holdPatienceMs: 1000 };
    await client.call("policy.set", { name: "look", scope: { project }, rules: { ...rules, approvalRequired: true } });
    const run = await submit("Say what time it is", "(overtaken)");
    await inState(run, "review");
    await client.call("policy.set", { name: "look", scope: { project }, rules });
    const script = "task: Two\nsteps:\n  - edit: { path: clock.txt, find: noon, replace: two }\n";
    await inState((await client.call("run.submit", { project, title: "Two", script })).run, "done");
    await client.call("run.approve", { run });
    await inState(run, "done");
    await client.call("policy.remove", { name: "look" });
    const { lines } = await client.call("project.blame", { project, path: "clock.txt" });
    expect(lines).toMatchObject([{ text: "it is one or two", run }]);
    expect(model.problems).toEqual([]);
  });

  test("[PF3, PF6] works with the model, the words, the variables and the tools of its profile", async () => {
    const prompt = ["Speak like a signalman."];
    const settings = { runner: "claude", preset: "cheap", maxTurns: 5, deniedTools: ["write_file"] } as const;
    const own = { ...settings, deniedTools: [...settings.deniedTools], prompt, env: { GREETING: "moin" } };
    await client.call("profile.set", { name: "signalman", settings: own });
    const wanted = { title: "Look", description: "(profiled)", profile: "signalman" };
    const { run } = await client.call("run.submit", { project, ...wanted });
    await inState(run, "done");
    expect(await said(run)).toContain("All clear.");
    const asked = model.received.filter(({ body }) => body.includes("(profiled)")).map(({ body }) => body);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.some((body) => body.includes("mcp__door__write_file"))).toBe(false);
    expect(model.problems).toEqual([]);
    const { runners } = await client.call("runner.list", {});
    const found = runners.find(({ name }) => name === "claude");
    expect(found).toMatchObject({ missing: null, warning: null, credential: { name: "ANTHROPIC_API_KEY" } });
  });

  test("[RN19, RN48] lets others of its kind work for it, by the door and under its leases, told apart; unless its profile denies that", async () => {
    const run = await submit("Delegate", "(delegating)");
    await inState(run, "done");
    const heard = await heardOf(run);
    const delegated = heard.find((item) => item.is === "tool" && item.tool === "Agent");
    const parent = delegated?.is === "tool" ? delegated.call : "";
    // All that it says is heard, and once.
    expect(heard.filter((item) => item.is === "message" && item.parent !== null)).toEqual([
      { is: "message", text: "I do a part of it.", parent },
      { is: "message", text: "The part is there.", parent },
    ]);
    const written = heard.find((item) => item.is === "tool" && item.tool === "mcp__door__write_file");
    expect(written).toMatchObject({ parent });
    // The door's record of that is known by the same name.
    const { events } = await client.call("run.log", { run, limit: 1000 });
    const atDoor = events.filter((event) => event.type === "call.queued" && event["tool"] === "write");
    expect(atDoor.flatMap(({ use }) => use ?? [])).toEqual([written?.is === "tool" ? written.call : ""]);
    expect(heard.filter(({ is }) => is === "turn")).toMatchObject([{ ok: true, text: "All of it is there." }]);
    const { lines } = await client.call("project.blame", { project, path: "part.txt" });
    expect(lines).toMatchObject([{ text: "by another", run }]);
    // Who works for it has no other hands either, and what they ask their model is its run's.
    const { run: done } = await client.call("run.get", { run });
    expect(done.spend.requests).toBe(5);
    expect(existsSync(join(sample.root, "handmade.txt"))).toBe(false);
    const settings = { runner: "claude", deniedTools: ["start_subrun"] };
    await client.call("profile.set", { name: "alone", settings });
    const about = { project, title: "Alone", description: "(undelegated)", profile: "alone" };
    await inState((await client.call("run.submit", about)).run, "done");
    expect(model.begun.filter((turn) => turn.startsWith("part "))).toHaveLength(3);
    expect(model.problems).toEqual([]);
  });

  test("has no tools but the door's, no key and no network", async () => {
    const run = await submit("Do bad things", "(bad)");
    await inState(run, "done");
    const ofIt = model.received.filter(({ body }) => body.includes("(bad)"));
    const results = ofIt.map(({ body }) => body).join("\n");
    expect(results).toContain("mcp__door__run_command");
    expect(model.received.some(({ body }) => body.includes(key))).toBe(false);
    expect(results).not.toMatch(/tool_result[^}]*forged/);
    const log = await readFile(join(daemon.home, "log.db"), "latin1");
    expect(log.includes(key)).toBe(false);
    expect(model.problems).toEqual([]);
  });
});
