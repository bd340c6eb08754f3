// What the pictures show: a morning at three projects, two living agents, a terminal and a recording. All of it is real.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Client } from "../../src/client/client.ts";
import type { ConsoleRig } from "../../test/support/console-rig.ts";
import { settledAgent } from "../../test/support/living-agents.ts";
import { closeUnit, submitDelayed, submitSpent, submitStuck } from "../../test/support/troubled-runs.ts";
import { startSamples } from "../sample-runs.ts";

export type World = {
  /** Runs, by what they do. */
  readonly review: string;
  readonly question: string;
  readonly busy: string;
  readonly agent: string;
  readonly broken: string;
  /** Open in the busy run. */
  readonly terminal: string;
  /** A terminal of the busy run that has ended. */
  readonly recording: string;
  /** Open in the agent. */
  readonly window: string;
  readonly task: string;
  /** Failed, with a plan of steps. */
  readonly failed: string;
  /** Rejected: what it wrote is in the trash. */
  readonly rejected: string;
  /** Number of an event in the middle of the morning, and of one when all agents were there. */
  readonly moment: number;
  readonly late: number;
};

const server = `const words = ["GET /products 200 4 ms", "GET /cart 200 2 ms", "POST /checkout 202 31 ms", "GET /health 200"];
let at = 0;
require("http").createServer((asked, answer) => {
  if (asked.url !== "/health") console.log(asked.method + " " + asked.url + " 200");
  answer.end("<h1>Storefront</h1>");
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("\\u001b[32mlistening\\u001b[0m on " + process.env.PORT));
setInterval(() => console.log(words[at++ % words.length]), 900);
`;

const stack = `template: storefront
services:
  web:
    command: node web.js
    ports: [http]
    health: { http: /health, interval: 1s, timeout: 500ms }
  queue:
    command: 'while :; do echo "took a job, 12 are left"; sleep 2; done'
    depends_on: [web]
  images:
    command: 'echo "warming 240 thumbnails"; exec sleep 1000'
faces:
  shop: { service: web, title: The shop }
`;

const broken = `template: mailer
services:
  smtp:
    command: 'echo "connect ECONNREFUSED 127.0.0.1:5432: no database here" >&2; exit 3'
    restart: { delay: 10ms, limit: 1 }
`;

const edge = `template: edge
services:
  proxy:
    command: node proxy.js
    ports: [http]
`;

const edgeHealth = `${edge}    health: { http: /health, interval: 5s }
`;

export async function makeWorld(rig: ConsoleRig, client: Client): Promise<World> {
  await startSamples(client, (name) => folderOf(rig, name));
  const agent = await makeAgent(client, stack);
  const failing = await makeAgent(client, broken);
  await untilReady(client);
  const { runs } = await client.call("run.list", { limit: 100 });
  const runCalled = (title: string): string => runs.find((run) => run.title.startsWith(title))?.id ?? "";
  const busy = runCalled("Checkout");
  const rejected = await reject(client);
  await landTemplate(client);
  const { seq } = await client.call("status", {});
  return {
    review: runCalled("Rate limits"),
    question: runCalled("Cache the"),
    failed: runCalled("Fix the flaky"),
    rejected,
    busy,
    agent,
    broken: failing,
    terminal: (await client.call("terminal.open", { run: busy, cols: 120, rows: 30 })).terminal,
    recording: await record(client, busy),
    window: (await client.call("terminal.open", { agent, cols: 80, rows: 30 })).terminal,
    task: await addTask(client),
    moment: Math.floor(seq * 0.6),
    late: seq - 1,
  };
}

async function folderOf(rig: ConsoleRig, name: string): Promise<string> {
  const folder = await rig.makeFolder(name);
  if (name === "storefront") await writeFile(path.join(folder, "web.js"), server);
  if (name === "infra") await writeFile(path.join(folder, "signalbox.yaml"), edge);
  return folder;
}

/** A result that nobody wanted. */
async function reject(client: Client): Promise<string> {
  const steps = [
    { write: { path: "src/icons/cart.svg", content: "<svg/>\n" } },
    { write: { path: "src/icons/user.svg", content: "<svg/>\n" } },
  ];
  const script = JSON.stringify({ task: "icons", steps });
  const { run } = await client.call("run.submit", { project: "storefront", title: "Inline all icons", script });
  await client.waitForRun(run, { states: ["review"] });
  await client.call("run.reject", { run, message: "A sprite is smaller." });
  return run;
}

/** A template that has a history. */
async function landTemplate(client: Client): Promise<void> {
  const script = JSON.stringify({
    task: "health",
    steps: [{ write: { path: "signalbox.yaml", content: edgeHealth } }],
  });
  const title = "Health checks for the edge";
  const { run } = await client.call("run.submit", { project: "infra", title, script });
  await client.waitForRun(run, { states: ["done", "review", "failed"] });
}

async function makeAgent(client: Client, template: string): Promise<string> {
  const { agent } = await client.call("agent.create", { project: "storefront", template });
  await settledAgent(client, agent.id);
  return agent.id;
}

/** Until the last of the samples has come where it stays: two questions, a review, a failure and four that wait. */
async function untilReady(client: Client): Promise<void> {
  for await (const _ of client.batches()) {
    const { runs } = await client.call("run.list", { limit: 100 });
    const count = (state: string): number => runs.filter((run) => run.state === state).length;
    const waiting = runs.filter((run) => run.behind.length > 0).length;
    if (count("awaiting-input") === 2 && count("review") === 1 && count("failed") === 1 && waiting === 4) return;
  }
}

/** A program that has said something and is over. */
async function record(client: Client, run: string): Promise<string> {
  const says = "for n in 1 2 3 4 5 6; do printf '\\033[32m ok \\033[0m cart %s\\n' $n; sleep 0.2; done; echo 6 passed";
  const argv = ["sh", "-c", says];
  const { terminal } = await client.call("terminal.open", { run, argv, window: "tests", cols: 100, rows: 24 });
  for await (const event of client.events({ types: ["terminal.ended"] }))
    if (event["terminal"] === terminal) return terminal;
  return terminal;
}

/** More units than a phone shows at once, all held by one person. */
export async function holdMany(client: Client): Promise<void> {
  const units = Array.from({ length: 60 }, (_, at) => `file:src/pages/page-${String(at + 1).padStart(2, "0")}.tsx`);
  await client.call("claim.make", { project: "storefront", units, as: "noor", ttlMs: 900_000 });
}

/** What needs a person for what does not happen every morning. */
export async function makeTroubles(client: Client): Promise<void> {
  const project = "infra";
  await submitSpent(client, project, "Move the queue to its own node");
  await submitStuck(client, project, { title: "Rotate the certificates", onSilent: "pause" });
  await submitStuck(client, project, { title: "Drain the old node", onSilent: "tell" });
  await submitDelayed(client, project, "Write the runbook for the edge");
  await closeUnit(client, project, "process:deploy");
  await client.call("policy.set", { name: "keep-out", scope: { project }, rules: { deniedPaths: ["prod/**"] } });
  const script = JSON.stringify({ task: "prod", steps: [{ run: "mkdir prod && echo 3 > prod/replicas" }] });
  const { run } = await client.call("run.submit", { project, title: "Three replicas in production", script });
  await client.waitForRun(run);
}

/** With names that nobody should give: it asks, and holds what has no end. */
export async function submitLong(client: Client): Promise<string> {
  await client.call("policy.set", { name: "n".repeat(60), scope: {}, rules: { maxFiles: 1000 } });
  const steps = [
    { claim: `file:${"deep/".repeat(60)}${"long".repeat(40)}.txt` },
    { say: "x".repeat(2000) },
    { ask: `${"Verylongquestion".repeat(40)} and so on?` },
  ];
  const { run } = await client.call("run.submit", {
    project: "infra",
    title: `${"Verylongword".repeat(12)} and so on`,
    script: JSON.stringify({ task: "names", steps }),
    tags: ["t".repeat(60)],
    priority: -1000,
  });
  await client.waitForRun(run, { states: ["awaiting-input"] });
  return run;
}

async function addTask(client: Client): Promise<string> {
  await client.call("profile.set", { name: "careful", settings: { runner: "script" } });
  const { task } = await client.call("task.add", {
    project: "storefront",
    title: "Gift cards at checkout",
    description: "Customers pay with a gift card, alone or together with a saved card.\nThe balance is shown first.",
    acceptance: ["npm", "test", "--", "checkout"],
    scope: ["src/checkout", "test/checkout"],
    attachments: [
      { kind: "note", name: "tone.md", text: "Short sentences. No exclamation marks." },
      { kind: "link", name: "design", url: "https://example.org/gift-cards" },
    ],
  });
  return task;
}
