// The real Claude Code against a scripted model: in a run of ours, and alone in a folder as people start it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { assistantsPath } from "../../scripts/assistants.ts";
import { nativeTools } from "../../src/adapters/assistant/claude/claude-hooks.ts";
import type { Client } from "../../src/client/client.ts";
import { isOver } from "../../src/core/run/run-states.ts";
import { ModelServer } from "../../test/support/model-server/model-server.ts";
import { SampleProject } from "../../test/support/sample-project.ts";
import { MemoryWatch, memoryOf, processesNamed } from "../harness/memory.ts";
import { type Daemon, startDaemonProcess } from "./daemon.ts";
import { callsInRow, filesOf, type Hands, makeScenario } from "./assistant-scenario.ts";

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
const program = path.join(assistantsPath, "claude");

export class AssistantGround {
  readonly #model: ModelServer;
  readonly #daemon: Daemon;
  readonly #client: Client;
  readonly #project: string;
  /** The repository of runs, and the folder of a program that is alone. */
  readonly #folders: Readonly<Record<"ours" | "alone", string>>;

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
    const tools = nativeTools.join(",");
    const args = [
      ...["-p", marker, "--output-format", "stream-json", "--verbose", "--tools", tools, "--allowedTools", tools],
      ...["--strict-mcp-config", "--setting-sources=", "--permission-mode", "dontAsk"],
    ];
    const env = {
      ...{ PATH: process.env["PATH"], HOME: folder, CLAUDE_CONFIG_DIR: path.join(folder, ".git", "config-of-claude") },
      ...{ ANTHROPIC_BASE_URL: this.#model.url, ANTHROPIC_API_KEY: key },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", ENABLE_TOOL_SEARCH: "false" },
    };
    const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
    const watch = new MemoryWatch(() => [child.pid ?? -1]);
    const [code] = (await once(child, "close")) as [number | null];
    return { ok: code === 0, memoryBytes: watch.end() };
  }
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
