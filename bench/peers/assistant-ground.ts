// The real Claude Code against a scripted model: in a run of ours, and alone in a folder as people start it.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { assistantsPath } from "../../scripts/assistants.ts";
import { nativeTools } from "../../src/adapters/assistant/claude/claude-hooks.ts";
import type { Client } from "../../src/client/client.ts";
import { isOver } from "../../src/core/run/run-states.ts";
import { ModelServer } from "../../test/support/model-server/model-server.ts";
import { SampleProject } from "../../test/support/sample-project.ts";
import { commandOf, MemoryWatch, memoryOf, processesNamed, treeOf } from "../harness/memory.ts";
import { type Daemon, startDaemonProcess } from "./daemon.ts";
import {
  callsInRow,
  filesOf,
  type Hands,
  makeScenario,
  questionsInRow,
  questionsMarker,
  type TreeHands,
  treeMarker,
  waitingOf,
} from "./assistant-scenario.ts";

/** What one piece of work took. */
export type Took = {
  readonly ok: boolean;
  readonly ms: number;
  readonly memoryBytes: number;
  /** Tool calls, as its model saw them. */
  readonly calls: number;
  /** From one request to its model to the next. */
  readonly turnsMs: readonly number[];
};

const key = "sk-ant-of-the-bench";
const goneMsMax = 10_000;
/** How long a tree that is stopped may take before it is counted as one that was not. */
const stoppedMsMax = 30_000;
const lookEveryMs = 2;
const program = path.join(assistantsPath, "claude");

export class AssistantGround {
  readonly #model: ModelServer;
  readonly #daemon: Daemon;
  readonly #client: Client;
  readonly #project: string;
  /** The repository of runs, and the folder of a program that is alone. */
  readonly #folders: Readonly<Record<"ours" | "alone", string>>;

  #trees = 0;

  private constructor(parts: {
    readonly model: ModelServer;
    readonly daemon: Daemon;
    readonly client: Client;
    readonly project: string;
    readonly folders: Readonly<Record<"ours" | "alone", string>>;
  }) {
    this.#model = parts.model;
    this.#daemon = parts.daemon;
    this.#client = parts.client;
    this.#project = parts.project;
    this.#folders = parts.folders;
  }

  static isThere(): boolean {
    return fs.existsSync(program);
  }

  static async open(parent: string): Promise<AssistantGround> {
    const sample = new SampleProject({ ...filesOf("door"), ...filesOf("native") }, parent);
    const alone = new SampleProject(filesOf("alone"), parent);
    const folders = { ours: sample.root, alone: alone.root };
    const model = await ModelServer.start(makeScenario((hands) => (hands === "alone" ? folders.alone : folders.ours)));
    const daemon = await startDaemonProcess(parent, {
      ...{ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: key },
      PATH: `${assistantsPath}${path.delimiter}${process.env["PATH"] ?? ""}`,
    });
    const client = daemon.connect();
    for (const tools of ["door", "native"] as const) {
      const settings = { runner: "claude", tools } as const;
      await client.call("profile.set", { name: tools, settings });
      // What shall not be there the next time is looked at, and rejected.
      await client.call("profile.set", { name: thrownAway(tools), settings });
      const scope = { profile: thrownAway(tools) };
      await client.call("policy.set", { name: thrownAway(tools), scope, rules: { approvalRequired: true } });
    }
    const { project } = await client.call("project.add", { root: folders.ours });
    return new AssistantGround({ model, daemon, client, project, folders });
  }

  /** Whether files are as they should be now, for people. */
  has(hands: Hands, files: Readonly<Record<string, string>>): boolean {
    const root = hands === "alone" ? this.#folders.alone : this.#folders.ours;
    return Object.entries(files).every(([file, text]) => fs.readFileSync(path.join(root, file), "utf8") === text);
  }

  get cpuMs(): () => number {
    return this.#daemon.cpuMs;
  }

  /** Does what the conversation of this name says, to its end; what it changed is kept, or not. */
  async work(hands: Hands, marker: string, end: "lands" | "thrown away"): Promise<Took> {
    const { received, problems } = this.#model;
    const [from, wrong] = [received.length, problems.length];
    const startMs = performance.now();
    const { ok, memoryBytes } = await (hands === "alone" ? this.#alone(marker) : this.#inRun(hands, marker, end));
    const ms = performance.now() - startMs;
    const mine = received.slice(from).filter(({ method, body }) => method === "POST" && body.includes(marker));
    const turnsMs = mine.slice(1).map(({ atMs }, at) => atMs - (mine[at]?.atMs ?? atMs));
    const isAsWritten = problems.length === wrong;
    if (!isAsWritten) console.error(problems.slice(wrong).join("\n"));
    return { ok: ok && isAsWritten, ms, memoryBytes, calls: resultsIn(mine.at(-1)?.body ?? ""), turnsMs };
  }

  /** For each of several questions, how long it took from its model's answer until a person finds it in the inbox. */
  async questions(): Promise<{ ok: boolean; delaysMs: readonly number[] }> {
    const client = this.#client;
    const from = this.#model.received.length;
    const about = { title: "questions", description: questionsMarker, profile: "door" };
    const { run } = await client.call("run.submit", { project: this.#project, ...about });
    const seenMs: number[] = [];
    while (seenMs.length < questionsInRow) {
      const { reached, run: now } = await client.call("run.wait", { run, states: ["awaiting-input"], waitMs: 20_000 });
      if (!reached && isOver(now.state)) break;
      if (!reached) continue;
      const { items } = await client.call("inbox", {});
      if (items.some((item) => item.run === run)) seenMs.push(performance.now());
      await client.call("run.answer", { run, text: "this one" });
    }
    await client.call("run.wait", { run, states: ["done"], waitMs: 20_000 });
    const asked = this.#model.received.slice(from).filter(({ body }) => body.includes(questionsMarker));
    const delaysMs = seenMs.map((ms, at) => ms - (asked[at]?.atMs ?? ms));
    return { ok: delaysMs.length === questionsInRow, delaysMs };
  }

  /** How long it takes until nothing is left of a tree that is at work: told to stop, in a run; killed, where it is alone. */
  async stopTree(hands: TreeHands): Promise<{ ok: boolean; ms: number }> {
    const first = treeMarker(hands, this.#trees++);
    const waiting = (): number[] => processesNamed(waitingOf[hands].join("\0"));
    const programs: ChildProcess[] = [];
    let run = "";
    if (hands === "door") {
      const about = { title: "tree", description: first, profile: "door" };
      ({ run } = await this.#client.call("run.submit", { project: this.#project, ...about }));
    } else {
      const tools = [...nativeTools, "Agent"];
      for (const marker of [first, treeMarker("alone", "second")]) programs.push(this.#start(marker, tools));
    }
    const isAtWork = await lookUntil(() => waiting().length === 2);
    const tree = hands === "door" ? inCageOf(waiting()[0] ?? -1) : treeOf(programs.map(({ pid }) => pid ?? -1));
    const startMs = performance.now();
    if (hands === "door") await this.#client.call("run.stop", { run });
    else for (const pid of tree) process.kill(pid, "SIGTERM");
    const ok = await lookUntil(() => tree.every((pid) => !fs.existsSync(`/proc/${pid}`)));
    const ms = performance.now() - startMs;
    if (!ok || !isAtWork)
      console.error(`${hands}: ${isAtWork ? "stayed" : "was never at work"}: ${tree.map(commandOf).join("; ")}`);
    return { ok: ok && isAtWork, ms };
  }

  async stop(): Promise<void> {
    // A keeper outlives its daemon, and would be left behind: a run can be removed once nothing of it is left.
    const { runs } = await this.#client.call("run.list", { limit: 1000 });
    for (const { id: run } of runs) await this.#whenGone(run);
    this.#client.close();
    await this.#daemon.stop();
    await this.#model.close();
  }

  async #inRun(
    hands: Exclude<Hands, "alone">,
    marker: string,
    end: "lands" | "thrown away",
  ): Promise<{ ok: boolean; memoryBytes: number }> {
    const { keepers } = this.#daemon;
    const project = this.#project;
    // Keepers that wait for a run are there without it, too.
    const beforeBytes = memoryOf(processesNamed(keepers));
    const watch = new MemoryWatch(() => processesNamed(keepers));
    const profile = end === "lands" ? hands : thrownAway(hands);
    const wanted = end === "lands" ? "done" : "review";
    const { run } = await this.#client.call("run.submit", { project, title: "work", description: marker, profile });
    for (;;) {
      const { run: now } = await this.#client.call("run.wait", { run, states: [wanted], waitMs: 20_000 });
      if (now.state !== wanted && !isOver(now.state)) continue;
      const memoryBytes = Math.max(0, watch.end() - beforeBytes);
      if (now.state === "review") await this.#client.call("run.reject", { run, message: "it was for the bench" });
      if (now.landed !== null) await this.#whenPublished();
      // What changed nothing is done without anybody who looks at it.
      const ok = now.state === wanted || (now.state === "done" && now.landed === null);
      if (!ok) console.error(`${run} is ${now.state}: ${now.because}`);
      return { ok, memoryBytes };
    }
  }

  async #whenGone(run: string): Promise<void> {
    for (const untilMs = performance.now() + goneMsMax; performance.now() < untilMs;) {
      const isGone = await this.#client.call("run.remove", { run }).then(
        () => true,
        () => false,
      );
      if (isGone) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** What has landed is on the person's branch a moment later. */
  async #whenPublished(): Promise<void> {
    for (;;) {
      const { mainline, published } = (await this.#client.call("project.get", { project: this.#project })).project;
      if (mainline === published) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async #alone(marker: string): Promise<{ ok: boolean; memoryBytes: number }> {
    const folder = this.#folders.alone;
    for (let at = 0; at < callsInRow; at++) fs.rmSync(path.join(folder, `written-${at}.txt`), { force: true });
    const child = this.#start(marker, nativeTools);
    const watch = new MemoryWatch(() => [child.pid ?? -1]);
    const [code] = (await once(child, "close")) as [number | null];
    return { ok: code === 0, memoryBytes: watch.end() };
  }

  #start(marker: string, tools: readonly string[]): ChildProcess {
    const folder = this.#folders.alone;
    const named = tools.join(",");
    const args = [
      ...["-p", marker, "--output-format", "stream-json", "--verbose", "--tools", named, "--allowedTools", named],
      ...["--strict-mcp-config", "--setting-sources=", "--permission-mode", "dontAsk"],
    ];
    const env = {
      ...{ PATH: process.env["PATH"], HOME: folder, CLAUDE_CONFIG_DIR: path.join(folder, ".git", "config-of-claude") },
      ...{ ANTHROPIC_BASE_URL: this.#model.url, ANTHROPIC_API_KEY: key },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", ENABLE_TOOL_SEARCH: "false" },
    };
    return spawn(program, args, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
  }
}

/** Programs and commands that are in one cage with a process. */
function inCageOf(pid: number): number[] {
  const cage = namespaceOf(pid);
  const names = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return names.map(Number).filter((each) => namespaceOf(each) === cage && /claude|tail/.test(commandOf(each)));
}

function namespaceOf(pid: number): string {
  try {
    return fs.readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return "";
  }
}

/** Whether it came to be so in time. */
async function lookUntil(isSo: () => boolean): Promise<boolean> {
  for (const untilMs = performance.now() + stoppedMsMax; performance.now() < untilMs;) {
    if (isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
  return false;
}

function thrownAway(hands: string): string {
  return `${hands}-thrown-away`;
}

/** How many tool calls its model has the results of. */
function resultsIn(body: string): number {
  const { messages = [] } = JSON.parse(body === "" ? "{}" : body) as { messages?: { content: unknown }[] };
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as { type: string }[]) : []));
  return blocks.filter(({ type }) => type === "tool_result").length;
}
