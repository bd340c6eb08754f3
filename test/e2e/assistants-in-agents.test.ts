// Real assistants in a living agent, beside its server.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AssistantRig } from "../support/assistant-rig.ts";
import { canTry } from "../support/assistants.ts";
import type { AssistantView } from "../../src/protocol/wire/agent.ts";
import { settledAgent } from "../support/living-agents.ts";

const runners = ["claude", "codex"] as const;

const server = `
const { createServer } = require("http");
const { readFileSync } = require("fs");
createServer((asked, answer) => {
  console.log("asked for " + asked.url);
  answer.end(readFileSync("index.html"));
}).listen(Number(process.env.PORT), "127.0.0.1");
`;

const template = `
template: shop
services:
  web: { command: node web.js, ports: [http], health: { http: /, interval: 500ms, timeout: 400ms } }
`;

const inAgent = (runner: string): string => `
  - name: ${runner} in an agent
    match: { marker: "(${runner} in an agent)" }
    turns:
      - call: { tool: run_command, with: { command: "echo served: $(curl -s $WEB_URL/by-${runner})" } }
      - expect: { toolResult: "served: " }
        call: { tool: read_output, with: { name: web } }
      - expect: { toolResult: "asked for /by-${runner}" }
        call: { tool: read_file, with: { path: index.html } }
      - expect: { toolResult: "made by" }
        call: { tool: write_file, with: { path: index.html, content: "made by ${runner}" } }
      - expect: { toolResult: wrote }
        call: { tool: run_command, with: { command: "echo served: $(curl -s $WEB_URL)" } }
      - expect: { toolResult: "served: made by ${runner}" }
        call: { tool: finish, with: { message: "the page is ${runner}'s" } }
      - { say: Done. }
`;

/** What its template tells it, and what somebody tells it later. */
const byItself = (marker: string): string => `
  - name: ${marker}
    match: { marker: "(${marker})" }
    turns:
      - call: { tool: write_file, with: { path: ${marker}.txt, content: "by itself" } }
      - expect: { toolResult: wrote }
        call: { tool: finish, with: { message: done } }
      - { say: Done. }
`;

const assisted = `
template: kept
services: { idle: { command: sleep 1000 } }
hooks: { ready: "true" }
assistant:
  profile: helper
  prompt: "Write a file. (first)"
  permissions: { deny: [run_command] }
`;

describe.skipIf(!runners.every(canTry))("assistants in a living agent", () => {
  let rig: AssistantRig;

  beforeAll(async () => {
    rig = await AssistantRig.open(
      `conversations:${runners.map(inAgent).join("")}${["first", "second"].map(byItself).join("")}`,
      {
        ...{ "web.js": server, "index.html": "made by a person" },
      },
    );
    const { agent } = await rig.client.call("agent.create", { project: rig.project, template });
    for (;;) {
      const { rests, agent: now } = await rig.client.call("agent.wait", { agent: agent.id });
      if (rests && now?.state === "running") return;
      if (rests) throw new Error(JSON.stringify(now, null, 1));
    }
  });

  afterAll(async () => {
    await rig?.client.call("agent.remove", { agent: "kept-1", force: true, discard: true });
    await rig?.client.call("agent.remove", { agent: "shop-1", force: true, discard: true });
    await rig?.close();
  });

  test("[AG41, AG47] are told of its services, reach them and read what they say, one after the other", async () => {
    const runs: string[] = [];
    for (const runner of runners) {
      const about = { title: `Page of ${runner}`, description: `(${runner} in an agent)`, runner, agent: "shop-1" };
      runs.push((await rig.client.call("run.submit", { project: rig.project, ...about })).run);
    }
    for (const run of runs) await rig.inState(run, "done");
    expect(rig.model.problems).toEqual([]);
    expect(rig.model.wasSent("# Running beside you")).toBe(true);
    expect(rig.model.wasSent("web (up, healthy): http at 127.0.0.1:")).toBe(true);
    const { lines } = await rig.client.call("project.blame", { project: rig.project, path: "index.html" });
    expect(lines).toMatchObject([{ text: "made by codex", run: runs[1] }]);
  });

  test("[AW18, AW19, AW20] the assistant of a template begins by itself, once, lands its work, and again when somebody asks", async () => {
    const { client, project } = rig;
    const made = client.call("agent.create", { project, template: assisted });
    await expect(made).rejects.toMatchObject({ code: "not-found" });
    await client.call("profile.set", { name: "helper", settings: { runner: "claude" } });
    const { agent } = await client.call("agent.create", { project, template: assisted });
    const look = async (): Promise<AssistantView | null> =>
      (await client.call("agent.get", { agent: agent.id })).agent.assistant;
    await expect.poll(look, { timeout: 60_000 }).toMatchObject({ state: "begun" });
    const first = (await look())?.run ?? "";
    await rig.inState(first, "done");
    const { run } = await client.call("run.get", { run: first });
    expect(run).toMatchObject({ agent: "kept-1", profile: "helper", title: "Write a file. (first)" });
    await client.call("agent.restart", { agent: agent.id });
    await settledAgent(client, agent.id);
    expect(await look()).toMatchObject({ state: "begun", run: first });
    await client.call("agent.assist", { agent: agent.id, prompt: "Write another. (second)" });
    await expect.poll(look, { timeout: 60_000 }).not.toMatchObject({ run: first });
    await expect.poll(look).toMatchObject({ state: "begun" });
    await rig.inState((await look())?.run ?? "", "done");
    const { lines } = await client.call("project.blame", { project, path: "second.txt" });
    expect(lines).toMatchObject([{ text: "by itself" }]);
    expect(rig.model.problems).toEqual([]);
    // The model has no tool that its agent's template took away.
    const shown = rig.model.received.filter(({ body }) => body.includes("(first)"));
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.some(({ body }) => body.includes("__write_file"))).toBe(true);
    expect(shown.some(({ body }) => body.includes("__run_command"))).toBe(false);
  });
});
