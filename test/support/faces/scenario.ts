// One story, told through any face: every operation at least once with success, and many a no. What comes back is kept
// as a transcript, so that faces can be compared word for word.

import path from "node:path";
import { ExchangeFiles } from "../../../src/node/relay/exchange-files.ts";
import { Artifacts } from "../../../src/node/tool-host/artifacts.ts";
import type { Client } from "../../../src/client/client.ts";
import { ProtocolError } from "../../../src/protocol/errors.ts";
import type { InputOf, OperationName } from "../../../src/protocol/operations.ts";
import { FaceNode } from "./face-node.ts";
import type { FaceWorld } from "./face-world.ts";

export type Line = {
  readonly op: OperationName;
  readonly input: unknown;
  readonly answer: unknown;
  readonly ok: boolean;
};

const script = "task: say hello\nplan: [file:hello.txt]\nsteps:\n  - say: hello\n";

export async function playScenario(world: FaceWorld, client: Pick<Client, "call">): Promise<Line[]> {
  const lines: Line[] = [];
  const call = async <Name extends OperationName>(op: Name, input: InputOf<Name>): Promise<Record<string, unknown>> => {
    try {
      const answer = await client.call(op, input);
      lines.push({ op, input, answer, ok: true });
      return answer;
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      lines.push({ op, input, answer: JSON.parse(JSON.stringify(error.toWire())) as unknown, ok: false });
      return {};
    }
  };
  await playProjects(world, call);
  await playProfiles(call);
  await playModels(call);
  await playAgents(world, call);
  await playClaims(call);
  await playRuns(world, call);
  await playSystem(world, call);
  return lines;
}

type Call = <Name extends OperationName>(op: Name, input: InputOf<Name>) => Promise<Record<string, unknown>>;

async function playProjects(world: FaceWorld, call: Call): Promise<void> {
  await call("project.add", { root: world.folder, name: "demo", processes: { test: { argv: ["true"] } } });
  await call("project.add", { root: world.folder });
  await call("project.add", { root: `${world.folder}/nowhere` });
  await call("project.list", {});
  await call("project.get", { project: "demo" });
  await call("project.get", { project: "nobody" });
  await call("project.change", {
    project: "demo",
    processes: { test: { argv: ["true"], scope: "project" } },
    warm: { "go.sum": "vendor" },
  });
  await call("policy.set", {
    name: "careful",
    priority: -1,
    rules: { approvalRequired: true, deniedPaths: ["secret/**"] },
    scope: { project: "demo" },
  });
  await call("policy.set", { name: "passing", priority: -1, rules: { maxFiles: 3 } });
  await call("policy.list", {});
  await call("policy.get", { name: "careful" });
  await call("policy.remove", { name: "passing" });
  await call("policy.remove", { name: "passing" });
}

async function playProfiles(call: Call): Promise<void> {
  await call("profile.set", { name: "own", settings: { runner: "mcp", maxTurns: 3, deniedTools: ["run_command"] } });
  await call("profile.ensure", { name: "own", settings: {} });
  await call("profile.ensure", { name: "passing", settings: { env: { NODE_ENV: "test" } } });
  await call("profile.list", {});
  await call("profile.get", { name: "own" });
  await call("runner.set", { name: "own", command: ["own-agent"], format: "openai-chat" });
  await call("runner.remove", { name: "own" });
  await call("runner.preset", { runner: "claude", preset: "cheap", model: "house-model" });
  await call("runner.preset", { runner: "script", preset: "cheap", model: "house-model" });
  await call("runner.preset", { runner: "claude", preset: "cheap", model: null });
  await call("profile.remove", { name: "passing" });
  await call("profile.remove", { name: "passing" });
  await call("inbox", {});
  await call("stats", { by: "day" });
  await call("runner.list", {});
  await call("runner.probe", { runner: "claude" });
  await call("runner.probe", { runner: "script" });
}

async function playModels(call: Call): Promise<void> {
  await call("price.set", { model: "house-model", inputMicros: 3_000_000, outputMicros: 15_000_000 });
  await call("price.list", {});
  await call("price.remove", { model: "house-model" });
  await call("price.remove", { model: "house-model" });
  await call("cost", { by: "model", days: 2 });
  await call("cost", { run: "r_zz" });
  await call("image.list", {});
  await call("image.prune", {});
  await call("secret.set", { name: "OPENAI_API_KEY", value: "not-a-real-one" });
  await call("secret.list", {});
  await call("secret.remove", { name: "OPENAI_API_KEY" });
  await call("secret.remove", { name: "OPENAI_API_KEY" });
  await call("maintain", { dryRun: true });
  await call("subscription.set", { runner: "claude", file: "not-a-real-login" });
  await call("subscription.set", { runner: "codex", file: "not-a-real-login" });
  await call("subscription.list", {});
  await call("subscription.remove", { runner: "claude" });
  await call("subscription.remove", { runner: "claude" });
}

const template = `template: shop
services: { web: { command: sleep 1, ports: [http] } }
hooks: { setup: "true" }
faces: { page: { service: web }, tools: { service: web, kind: mcp } }
assistant: { profile: helper, prompt: Mend it., start: never }
`;

/** Nobody does anything about them here. */
async function playAgents(world: FaceWorld, call: Call): Promise<void> {
  await call("template.list", {});
  await call("template.check", { template });
  await call("template.check", { template: "template: [" });
  await call("agent.create", { project: "demo", template });
  await call("profile.set", { name: "helper", settings: { runner: "script" } });
  await call("agent.create", { project: "demo", template });
  await call("profile.set", { name: "helper", settings: { runner: "claude" } });
  await call("agent.create", { project: "demo", template });
  await call("agent.create", { project: "demo", template, name: "shop-1" });
  await call("agent.create", { project: "nowhere", template });
  await call("agent.create", { project: "demo", template: "template: shop\nservice: {}\n" });
  await call("agent.scale", { project: "demo", template: "shop", count: 1 });
  await call("agent.scale", { project: "demo", template: "nothing", count: 1 });
  await call("agent.list", {});
  await call("agent.get", { agent: "shop-1" });
  await call("agent.stats", {});
  await call("agent.stats", { agents: ["shop-9"] });
  await call("agent.top", { agent: "shop-1" });
  await call("agent.failures", { agent: "shop-1" });
  await call("agent.logs", { agent: "shop-1", text: "ERROR" });
  await call("agent.history", { agent: "shop-1" });
  await call("agent.get", { agent: "shop-9" });
  await call("agent.wait", { agent: "shop-1", waitMs: 0 });
  await call("agent.exec", { agent: "shop-1", argv: ["true"] });
  const exec = "00000000-0000-4000-8000-000000000000";
  await call("exec.start", { agent: "shop-1", argv: ["true"] });
  await call("exec.output", { agent: "shop-1", exec });
  await call("exec.input", { agent: "shop-1", exec, end: true, tag: "1" });
  await call("exec.stop", { agent: "shop-1", exec: "none" });
  await call("exec.stop", { agent: "shop-9", exec });
  await call("service.stop", { agent: "shop-1", service: "web" });
  await call("service.start", { agent: "shop-1", service: "web" });
  await call("service.restart", { agent: "shop-1", service: "web" });
  await call("service.start", { agent: "shop-1", service: "nobody" });
  await call("service.output", { agent: "shop-1", service: "web" });
  await call("service.search", { agent: "shop-1", text: "ERROR" });
  await call("service.search", { agent: "shop-1", text: "ERROR", services: ["nobody"] });
  for (const name of ["service.get", "service.stats", "service.top"] as const) {
    await call(name, { agent: "shop-1", service: "web" });
    await call(name, { agent: "shop-1", service: "nobody" });
  }
  await call("service.exec", { agent: "shop-1", service: "web", argv: ["true"] });
  await call("service.scale", { agent: "shop-1", service: "web", instances: 2 });
  await call("service.reload", { agent: "shop-1", service: "web", template, dryRun: true });
  await call("service.reload", { agent: "shop-1", service: "web", template });
  await call("service.reload", { agent: "shop-1", service: "web", template: "template: other" });
  await call("face.list", {});
  await call("face.list", { agent: "shop-9" });
  await call("face.open", { agent: "shop-1", face: "page" });
  await call("face.open", { agent: "shop-1", face: "tools" });
  await call("face.open", { agent: "shop-1", face: "nobody" });
  await call("agent.egress", { agent: "shop-1" });
  await call("agent.create", { project: "demo", template: "template: other" });
  await call("agent.join", { agent: "shop-1", with: "other-1" });
  await call("agent.join", { agent: "shop-1", with: "shop-1" });
  await call("agent.part", { agent: "shop-1", with: "other-1" });
  await call("agent.part", { agent: "shop-1", with: "other-1" });
  await call("agent.assist", { agent: "shop-1", prompt: "Sing." });
  await call("agent.assist", { agent: "shop-1" });
  await call("agent.stop", { agent: "shop-1" });
  await call("agent.start", { agent: "shop-1" });
  await call("agent.restart", { agent: "shop-1" });
  await call("hook.output", { agent: "shop-1", hook: "setup" });
  await call("hook.output", { agent: "shop-1", hook: "ready" });
  await call("agent.reload", { agent: "shop-1", template: "template: other", dryRun: true });
  await call("agent.reload", { agent: "shop-1", template: "template: other" });
  await call("agent.reload", { agent: "shop-1", template });
  await call("agent.refresh", { agent: "shop-1" });
  await call("agent.refresh", { agent: "shop-9" });
  await call("agent.archive", { agent: "shop-1" });
  await call("agent.restore", { agent: "shop-1" });
  await call("agent.remove", { agent: "shop-1", force: true });
  await call("agent.remove", { agent: "other-1", force: true });
  for (const { id: agent, life } of [...world.engine.state.agents.values()]) {
    const ended = { type: "agent.ended", agent, life, cleared: true } as const;
    await new Promise((resolve) => world.engine.submit({ actor: "system", input: ended }, resolve));
  }
}

async function playClaims(call: Call): Promise<void> {
  const first = await call("claim.make", { project: "demo", units: ["file:a", "process:test"], as: "ann", key: "k1" });
  await call("claim.make", { project: "demo", units: ["file:a", "process:test"], as: "ann", key: "k1" });
  await call("claim.make", { project: "demo", units: ["file:b"], as: "ann", key: "k1" });
  await call("claim.make", { project: "demo", units: ["file:../x"], as: "ann" });
  await call("claim.make", { project: "demo", units: ["file:a"], as: "bob", mode: "try" });
  const held = await call("claim.make", { project: "demo", units: ["dir:b"], as: "bob" });
  const second = await call("claim.make", {
    project: "demo",
    units: ["file:a"],
    as: "bob",
    deadlineMs: 600_000,
    waitMs: 1,
  });
  await call("claim.make", { project: "demo", units: ["file:b/c"], as: "ann" });
  await call("claim.get", { claim: String(second["claim"]), waitMs: 1 });
  await call("locks", { project: "demo" });
  await call("claim.cancel", { claim: String(second["claim"]) });
  await call("claim.renew", { claim: String(first["claim"]), ttlMs: 120_000 });
  await call("claim.release", { claim: String(first["claim"]), units: ["file:a"] });
  await call("claim.release", { claim: String(first["claim"]) });
  await call("claim.release", { claim: String(first["claim"]) });
  await call("claim.release", { claim: String(held["claim"]) });
  await call("claim.get", { claim: "c_zzz" });
  await call("unit.clear", { project: "demo", unit: "process:test" });
}

async function playRuns(world: FaceWorld, call: Call): Promise<void> {
  const { run, task } = await call("run.submit", { project: "demo", script, tags: ["blue"], key: "r1" });
  const first = String(run);
  await call("run.submit", { project: "demo", script, tags: ["blue"], key: "r1" });
  await call("run.submit", { project: "demo", script: "steps: [{dance: 1}]" });
  await call("run.submit", { project: "demo", runner: "nobody", title: "x" });
  await call("run.submit", { project: "demo", script, plan: ["file:secret/key"] });
  await call("run.get", { run: first });
  await call("run.list", { project: "demo", tag: "blue" });
  await call("task.get", { task: String(task) });
  const wanted = await call("task.add", { project: "demo", title: "wanted", scope: ["src"] });
  const named = { task: String(wanted["task"]), name: "why" };
  await call("task.change", { task: named.task, title: "wanted more" });
  await call("task.attach", { task: named.task, attachment: { kind: "note", name: named.name, text: "because" } });
  await call("task.attachment", named);
  await call("task.detach", named);
  await call("task.remove", { task: named.task });
  await call("task.list", { project: "demo", limit: 5 });
  await call("run.pause", { run: first });
  await call("run.resume", { run: first });
  await call("run.approve", { run: first });
  const node = new FaceNode(world);
  await node.start(first);
  const family = node.familyOf(first);
  await world.submit({ type: "run.ask", run: first, family, call: 0, text: "which colour?" });
  await call("run.wait", { run: first, states: ["awaiting-input"], waitMs: 1000 });
  await call("run.answer", { run: first, text: "blue" });
  await node.write(first, { "hello.txt": "hello\n" });
  const step = await node.command(first, "it went well\n");
  await call("run.output", { run: first, step });
  await call("run.output", { run: first, step: 99 });
  await node.finish(first);
  await call("run.wait", { run: first, states: ["review"], waitMs: 1000 });
  await call("run.egress", { run: first });
  await call("run.diff", { run: first });
  await call("run.diff", { run: first, step: 0 });
  await call("run.diff", { run: first, step: 99 });
  const rewound = node.rewound(first);
  await call("run.rewind", { run: first, step });
  await rewound;
  await call("run.rewind", { run: first, step: 99 });
  const fork = String((await call("run.fork", { run: first, step, message: "the other way" }))["run"]);
  await call("run.stop", { run: fork });
  await call("run.return", { run: first, message: "once more" });
  await node.finish(first);
  await call("run.approve", { run: first, files: ["nowhere.txt"] });
  await call("run.approve", { run: first, hunks: { "hello.txt": ["7"] } });
  await call("run.approve", { run: first, seen: "0".repeat(16) });
  await call("run.approve", { run: first, hunks: { "hello.txt": ["1"] } });
  await call("landing.list", { project: "demo" });
  await node.land(first);
  await call("run.wait", { run: first, waitMs: 1000 });
  await call("run.diff", { run: first });
  await call("project.blame", { project: "demo", path: "hello.txt" });
  await call("project.blame", { project: "demo", path: "nowhere.txt" });
  await call("run.plan", { run: first });
  await call("run.story", { run: first, drawn: 2, limit: 2 });
  await call("project.history", { project: "demo", path: "hello.txt" });
  await call("project.history", { project: "demo", path: "nowhere.txt" });
  await call("run.continue", { run: first, message: "and now the other one" });
  await node.start(first);
  await node.write(first, { "other.txt": "other\n" });
  await node.finish(first);
  await call("run.reject", { run: first, message: "no" });
  await world.submit({ type: "run.stopped", run: first, works: [] });
  const { items = [] } = (await call("trash.list", { run: first })) as { items?: { id: string }[] };
  await call("trash.list", { project: "nobody" });
  await call("trash.get", { id: items[0]?.id ?? "" });
  await call("trash.purge", { ids: items.map(({ id }) => id) });
  await call("trash.purge", { ids: items.map(({ id }) => id) });
  await call("trash.get", { id: "x_zzz" });
  const again = String((await call("run.retry", { run: first }))["run"]);
  await call("run.stop", { run: again, because: "enough" });
  await call("run.stop", { run: again });
  const third = String((await call("run.submit", { project: "demo", title: "third", script }))["run"]);
  await call("run.kill", { run: third });
  const { run: failing } = await call("run.submit", { project: "demo", script });
  await node.start(String(failing));
  const end = { run: String(failing), family: node.familyOf(String(failing)), ok: false, message: "it broke" };
  await world.submit({ type: "run.finish", ...end });
  await call("inbox", { kind: "failure" });
  await call("run.see", { run: String(failing) });
  await call("inbox.see", { item: String(failing), undo: true });
  await call("inbox.see", { item: String(failing) });
  await call("inbox", { kind: "failure" });
  await call("run.submit", { project: "demo", script, tags: ["red"] });
  await call("run.stop-by-tag", { tag: "red" });
  const fifth = await call("run.submit", { project: "demo", script });
  await call("run.stop-all", { project: "demo" });
  await call("task.cancel", { task: String(fifth["task"]) });
  await call("run.remove", { run: String(fifth["run"]) });
  await world.submit({ type: "run.stopped", run: String(fifth["run"]), works: [] });
  await call("run.remove", { run: String(fifth["run"]) });
  await playDoors(world, call);
  await call("run.log", { run: first, limit: 5 });
  await call("run.log", { run: "r_zzz" });
}

async function playDoors(world: FaceWorld, call: Call): Promise<void> {
  const driven = String((await call("run.submit", { project: "demo", title: "by a model", runner: "mcp" }))["run"]);
  await call("run.door", { run: driven });
  await new Artifacts(path.join(world.home, "calls", driven)).publish("report.md", Buffer.from("all is well\n"));
  await keepExchange(world, driven);
  await call("run.artifacts", { run: driven });
  await call("run.artifacts", { run: driven, exchanges: false });
  await call("run.artifact", { run: driven, name: "exchange-q_1", limit: 20 });
  await call("run.artifact", { run: driven, name: "exchange-q_2" });
  await call("run.artifact", { run: driven, name: "report.md", from: 4 });
  await call("run.artifact", { run: driven, name: "nothing.md" });
  await new FaceNode(world).start(driven);
  await call("run.steer", { run: driven, message: "leave the rest" });
  await call("run.stop", { run: driven });
  await call("run.door", { run: driven });
  await call("run.door", { run: "r_zzz" });
  await playRaise(call);
}

async function playRaise(call: Call): Promise<void> {
  const submitted = await call("run.submit", { project: "demo", title: "bounded", runner: "mcp", profile: "own" });
  const run = String(submitted["run"]);
  await call("run.raise", { run, limit: "maxTurns", to: 6 });
  await call("run.raise", { run, limit: "maxTurns", to: 6 });
  await call("run.raise", { run, limit: "maxTurns", to: 1_000_000 });
  await call("run.raise", { run, limit: "maxCostMicros", to: 6 });
  await call("run.stop", { run });
  await call("run.raise", { run, limit: "maxTurns", to: 7 });
  await call("run.raise", { run: "r_zzz", limit: "maxTurns", to: 7 });
}

/** What is kept of one request to a model. */
async function keepExchange(world: FaceWorld, run: string): Promise<void> {
  const about = { request: "q_1", method: "POST", target: "/v1/messages", status: 200, contentType: "", isCut: false };
  const exchange = { ...about, body: Buffer.from("asked"), answer: Buffer.from("answered") };
  await new ExchangeFiles(path.join(world.home, "models")).keep(run, exchange, []);
}

async function playSystem(world: FaceWorld, call: Call): Promise<void> {
  await call("status", {});
  await call("events.read", { after: 2, limit: 3, types: ["project.", "policy."] });
  await call("events.read", { before: 6, limit: 2, unit: "dir:", find: "a" });
  await call("events.at", { atMs: 0 });
  await call("locks", {});
  await call("doctor", {});
  await call("disk", {});
  await call("gc", {});
  await call("state", {});
  await call("audit", {});
  await call("audit.reap", {});
  await call("login", {});
  await call("status", { nonsense: 1 } as never);
  await call("project.remove", { project: "demo" });
  await call("demo.start", { folder: world.folder });
  await call("demo.start", { folder: `${world.folder}-sample`, stay: true });
  await call("run.stop-all", {});
  await call("shutdown", {});
}

/** Hides what differs between two daemons that do the same. */
export function withoutChance(lines: readonly Line[], world: FaceWorld): unknown {
  const text = JSON.stringify(lines, (name, value: unknown) =>
    name.endsWith("Ms") && typeof value === "number" ? 0 : value,
  );
  const plain = text
    .replaceAll(world.home, "HOME")
    .replaceAll(world.folder, "FOLDER")
    .replaceAll(world.server.url, "URL")
    .replaceAll(`.localhost:${world.server.port}`, ".localhost:PORT")
    // Whichever was free.
    .replaceAll(/("port":|"own":|"web(?:\.\d)?\.http":|127\.0\.0\.2:)\d+/g, "$10");
  const masked = plain.replaceAll(/once=[\w-]+/g, "once=CODE").replaceAll(/"token":"[\w.-]+"/g, '"token":"TOKEN"');
  return JSON.parse(masked) as unknown;
}
