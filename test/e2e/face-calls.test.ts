// Runs that call faces of living agents: those that their profile names, and nothing else of the machine.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { isOver } from "../../src/core/run/run-states.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { SampleProject } from "../support/sample-project.ts";

/** Answers with what it heard. */
const server = `
require("http").createServer(async (asked, answer) => {
  let body = "";
  for await (const piece of asked) body += piece;
  answer.end([process.argv[2], asked.method, asked.url, body, JSON.stringify(asked.headers)].join(" "));
}).listen(Number(process.env.PORT), "127.0.0.1");
`;

const template = `
template: shop
services:
  one: { command: node server.js one, ports: [http], health: { http: /, interval: 200ms, timeout: 150ms } }
  two: { command: node server.js two, ports: [http], health: { http: /, interval: 200ms, timeout: 150ms } }
faces: { page: { service: one }, tools: { service: one, kind: mcp }, other: { service: two } }
`;

describe.skipIf(noCages)("faces that are called from a cage", () => {
  let daemon: DaemonProcess;
  let client: Client;
  const sample = new SampleProject({ "server.js": server });

  beforeAll(async () => {
    daemon = await DaemonProcess.start();
    client = await daemon.connect();
    await client.call("project.add", { root: sample.root, name: "shop" });
    const { agent } = await client.call("agent.create", { project: "shop", template });
    const made = await settledAgent(client, agent.id);
    if (made?.state !== "running") throw new Error(JSON.stringify(made, null, 1));
    const settings = { runner: "script", egress: "none" as const, faces: ["shop-*/page", "shop-1/tools"] };
    await client.call("profile.set", { name: "caller", settings });
  });

  afterAll(async () => {
    await removeAgents(client);
    client.close();
    await daemon.remove();
    sample.remove();
  });

  /** What each of the commands says, run one after the other in a cage. */
  async function said(profile: string | null, ...commands: string[]): Promise<{ run: string; texts: string[] }> {
    const steps = commands.map((each) => `- run: ${JSON.stringify(`${each} 2>&1 || true`)}`).join("\n");
    const script = `task: call\nsteps:\n${steps}\n`;
    const { run } = await client.call("run.submit", { project: "shop", script, profile });
    for (;;) {
      const answer = await client.call("run.wait", { run, waitMs: 20_000 });
      if (answer.reached && isOver(answer.run.state)) break;
    }
    const { events } = await client.call("run.log", { run, limit: 1000 });
    const finished = events.filter(({ type }) => type === "call.finished");
    return { run, texts: finished.map((event) => String(event["summary"])) };
  }

  test("[FC15, PF12] a run reaches those that its profile names, by name, and what opens them is not seen by anybody", async () => {
    const { run, texts } = await said(
      "caller",
      "curl -s -d hello http://shop-1-page.faces/path?a=1",
      "curl -s -H 'signalbox-face-key: mine' -H 'authorization: Bearer its-own' http://shop-1-tools.faces/mcp",
      `node -e 'fetch("http://shop-1-page.faces/node").then((a) => a.text()).then(console.log)'`,
      "curl -s http://shop-1-other.faces/",
      "curl -s http://nobody-page.faces/",
    );
    expect(texts[0]).toContain("one POST /path?a=1 hello");
    expect(texts[1]).toContain("one GET /mcp");
    expect(texts[1]).toContain("its-own");
    expect(texts[2]).toContain("one GET /node");
    expect(texts.join(" ")).not.toMatch(/signalbox-face-key"|signalbox_face_/);
    expect(texts[3]).toContain("there is no face shop-1-other that");
    expect(texts[4]).toContain("there is no face nobody-page that");
    const { hosts } = await client.call("run.egress", { run });
    expect(hosts.map(({ host, connections, refusals }) => [host, connections > 0, refusals > 0])).toEqual([
      ["shop-1-page.faces", true, false],
      ["shop-1-tools.faces", true, false],
      ["shop-1-other.faces", false, true],
      ["nobody-page.faces", false, true],
    ]);
  });

  test("[FC15] nothing but the face is reached by it: not the API, not the machine, not the network", async () => {
    const { port } = new URL((await client.call("status", {})).url);
    const { texts } = await said(
      "caller",
      `curl -s -H 'host: 127.0.0.1:${port}' http://shop-1-page.faces/api/v1/status`,
      `curl -s -H 'host: shop-1-other.localhost:${port}' http://shop-1-page.faces/`,
      `curl -s --noproxy '' http://127.0.0.1:${port}/api/v1/status`,
      "curl -s http://example.org/",
      `curl -s -p http://shop-1-page.faces:${port}/tunnel`,
    );
    expect(texts[0]).toContain("one GET /api/v1/status");
    expect(texts[1]).toContain("one GET /");
    expect(texts[2]).toContain("has no network");
    expect(texts[3]).toContain("has no network");
    expect(texts[4]).toContain("one GET /tunnel");
    const { texts: none } = await said(null, "curl -s http://shop-1-page.faces/ || echo no way");
    expect(none[0]).not.toContain("one GET");
  });
});
