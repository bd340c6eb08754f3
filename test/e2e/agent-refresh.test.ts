// A living agent whose files are brought to mainline's newest commit, while a service of it runs on them.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { SampleProject } from "../support/sample-project.ts";

const template = `
template: shop
services:
  web: { command: 'cat app.js; exec sleep 1000', watch: [app.js] }
  other: { command: sleep 1000 }
`;

describe.skipIf(noCages)("agent.refresh", () => {
  let daemon: DaemonProcess;
  let client: Client;
  let agent: AgentView;
  const sample = new SampleProject({ "app.js": "old", "page.html": "old", "gone.txt": "old" });

  beforeAll(async () => {
    daemon = await DaemonProcess.start();
    client = await daemon.connect();
    await client.call("project.add", { root: sample.root, name: "shop" });
    const made = await client.call("agent.create", { project: "shop", template });
    agent = (await settledAgent(client, made.agent.id)) ?? made.agent;
    if (agent.state !== "running") throw new Error(JSON.stringify(agent, null, 1));
  });

  afterAll(async () => {
    await removeAgents(client);
    client.close();
    await daemon.remove();
    sample.remove();
  });

  const run = async (line: string): Promise<string> =>
    (await client.call("agent.exec", { agent: agent.id, argv: ["sh", "-c", line] })).output;
  const lives = async (): Promise<readonly number[]> =>
    (await client.call("agent.get", { agent: agent.id })).agent.services.map(({ life }) => life);

  test("[AG82] brings what was committed since, leaves what was changed in it, and services notice", async () => {
    await run("echo mine > page.html; echo data > scratch.txt");
    sample.write({ "app.js": "new", "page.html": "new", "added/b.txt": "new" });
    sample.git("rm", "--quiet", "gone.txt");
    const commit = sample.commit("the next");
    const before = await lives();
    const answer = await client.call("agent.refresh", { agent: agent.id });
    expect(answer).toMatchObject({ commit, movedCount: 3, kept: ["page.html", "scratch.txt"], keptCount: 2 });
    expect(answer.moved).toEqual(["added/b.txt", "app.js", "gone.txt"]);
    expect(await run("cat app.js added/b.txt; ls gone.txt 2>&1 || cat page.html scratch.txt")).toMatch(
      /^newnew.*gone\.txt.*\nmine\ndata\n$/s,
    );
    // The one that watches has begun anew with what is there now, and nobody else has.
    const [web = 0, other = 0] = before;
    await expect.poll(lives).toEqual([web + 1, other]);
    await expect
      .poll(async () => (await client.call("service.output", { agent: agent.id, service: "web" })).text)
      .toBe("new");
    const { events } = await client.call("events.read", { after: 0, limit: 1000, types: ["agent.refreshed"] });
    expect(events).toMatchObject([{ agent: agent.id, commit, count: 3 }]);
    const again = await client.call("agent.refresh", { agent: agent.id });
    expect(again).toMatchObject({ from: commit, commit, movedCount: 0 });
  });

  test("[AG82] is refused while a run is in the agent, and where it is stopped", async () => {
    const script = "task: ask\nsteps:\n  - ask: go on?\n";
    const asked = await client.call("run.submit", { project: "shop", script, agent: agent.name });
    await client.waitForRun(asked.run, { states: ["awaiting-input"] });
    const refused = await client.call("agent.refresh", { agent: agent.id }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "in-use", data: { by: asked.run } });
    await client.call("run.stop", { run: asked.run });
    await client.call("agent.stop", { agent: agent.id, force: true });
    await settledAgent(client, agent.id);
    const down = await client.call("agent.refresh", { agent: agent.id }).catch((error: unknown) => error);
    expect(down).toMatchObject({ code: "agent-down" });
  });
});
