// Living agents as wholes: what they are given beside their services, and what is done with them as one thing.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { FakeRegistry } from "../support/fake-registry.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { SampleProject } from "../support/sample-project.ts";

describe.skipIf(noCages)("agents as wholes", () => {
  let daemon: DaemonProcess;
  let client: Client;
  const sample = new SampleProject({ "hello.txt": "hello\n" });

  beforeAll(async () => {
    daemon = await DaemonProcess.start();
    client = await daemon.connect();
    await client.call("project.add", { root: sample.root, name: "shop" });
  });

  afterAll(async () => {
    await removeAgents(client);
    client.close();
    await daemon.remove();
    sample.remove();
  });

  const create = async (template: string): Promise<AgentView | null> => {
    const { agent } = await client.call("agent.create", { project: "shop", template, file: "stack.yaml" });
    return settledAgent(client, agent.id);
  };

  async function up(template: string): Promise<AgentView> {
    const agent = await create(template);
    if (agent?.state !== "running") throw new Error(JSON.stringify(agent, null, 1));
    return agent;
  }

  const exec = async (agent: AgentView, script: string): Promise<string> =>
    (await client.call("agent.exec", { agent: agent.id, argv: ["sh", "-c", script] })).output;

  test("[AW1, AW2] a secret is there for its service, for nobody else, and in no file of ours", async () => {
    const value = "open-sesame-4711";
    await client.call("secret.set", { name: "STRIPE_KEY", value });
    const agent = await up(`
template: sealed
services:
  api:
    command: 'echo "key $KEY"; echo -n $KEY | od -An -tx1 | tr -d "[:space:]"; echo; exec sleep 1000'
    env: { KEY: { secret: STRIPE_KEY } }
    health: { log: "key" }
  other: { command: 'echo "other $KEY"; exec sleep 1000', health: { log: other } }
`);
    const said = async (service: string): Promise<string> =>
      (await client.call("service.output", { agent: agent.id, service })).text;
    await expect.poll(() => said("api")).toBe(`key ${"*".repeat(16)}\n${"*".repeat(32)}\n`);
    expect(await said("other")).toBe("other \n");
    expect(await exec(agent, 'echo "exec ${KEY-none}"')).toBe("exec none\n");
    const peek = `for file in /proc/[0-9]*/environ; do tr '\\0' '\\n' < $file | grep ^KEY=; done; true`;
    expect(await exec(agent, peek)).toMatch(/^(KEY=\*{16}\n)*$/);
    expect(filesWith(daemon.home, value)).toEqual([]);
    await client.call("secret.remove", { name: "STRIPE_KEY" });
    await client.call("service.restart", { agent: agent.id, service: "api" });
    await expect.poll(async () => (await client.call("agent.get", { agent: agent.id })).agent.state).toBe("error");
    const { agent: failed } = await client.call("agent.get", { agent: agent.id });
    expect(failed.services[0]?.end?.said).toContain("signalbox secret set STRIPE_KEY");
  });

  test("[AW6, AW7, AW8, AW9, AW10] hooks come in their turn, and an agent is put away and brought back around its files", async () => {
    const agent = await up(`
template: hooked
hooks:
  setup: 'echo set up $SIGNALBOX_AGENT; echo setup >> .git/order'
  ready: { command: 'echo ready >> order', cwd: .git, timeout: 5s }
  archive: 'test -e .git/dumped && echo archive $WEB_PORT >> .git/order'
services:
  web: { command: 'echo web >> .git/order; exec sleep 1000', ports: [http] }
`);
    const at = async (): Promise<AgentView> => (await client.call("agent.get", { agent: agent.id })).agent;
    const [before] = agent.services.flatMap(({ ports }) => ports.map(({ port }) => port));
    await expect.poll(async () => (await at()).hooks.map(({ state }) => state)).toEqual(["done", "done", "waiting"]);
    expect((await client.call("hook.output", { agent: agent.id, hook: "setup" })).text).toBe("set up hooked-1\n");
    await client.call("agent.archive", { agent: agent.id });
    expect(await settledAgent(client, agent.id)).toMatchObject({ state: "running", archived: false });
    expect((await at()).hooks.at(-1)).toMatchObject({ state: "failed", end: { exit: 1 } });
    await exec(agent, "touch .git/dumped");
    await client.call("agent.archive", { agent: agent.id });
    expect(await settledAgent(client, agent.id)).toMatchObject({ state: "stopped", archived: true });
    const listed = async (archived: boolean): Promise<string[]> =>
      (await client.call("agent.list", { archived })).agents.map(({ id }) => id);
    expect(await listed(true)).toEqual([agent.id]);
    expect(await listed(false)).not.toContain(agent.id);
    await client.call("agent.restore", { agent: agent.name });
    expect(await settledAgent(client, agent.id)).toMatchObject({ state: "running", archived: false, life: 2 });
    await expect
      .poll(async () => exec(agent, "cat .git/order"))
      .toBe(`setup\nweb\nready\narchive ${before}\nweb\nready\n`);
    await client.call("agent.archive", { agent: agent.id, force: true });
    await settledAgent(client, agent.id);
    await client.call("agent.remove", { agent: agent.id });
    expect(await settledAgent(client, agent.id)).toBeNull();
    expect((await client.call("audit", {})).findings).toEqual([]);
  });

  test("[AW13, AW14] an agent becomes what its template says now: one service restarts, another keeps its process", async () => {
    const said = (word: string, rest = ""): string => `
template: changing
services:
  db: { command: 'echo $$ > .git/db; exec sleep 1000' }
  web: { command: 'echo ${word} > .git/web; exec sleep 1000', health: { command: 'grep ${word} .git/web' }${rest} }
`;
    const agent = await up(said("before"));
    const pid = await exec(agent, "cat .git/db");
    const given = { agent: agent.id, template: said("after", ", ports: [http]") };
    expect(await client.call("agent.reload", { ...given, dryRun: true })).toMatchObject({ effect: "place" });
    const drift = await client.call("agent.reload", { ...given, template: said("after"), dryRun: true });
    expect(drift.changes.map(({ path }) => path)).toEqual(["services.web.argv", "services.web.health"]);
    expect(drift).toMatchObject({ effect: "service", restarts: ["web"] });
    await client.call("agent.reload", { ...given, template: said("after") });
    const webs = async (): Promise<unknown> =>
      (await client.call("agent.get", { agent: agent.id })).agent.services.find(({ name }) => name === "web");
    await expect.poll(webs).toMatchObject({ life: 2, healthy: true });
    expect(await exec(agent, "cat .git/web .git/db")).toBe(`after\n${pid}`);
    await client.call("agent.reload", given);
    expect(await settledAgent(client, agent.id)).toMatchObject({ state: "running", life: 2 });
    expect(await webs()).toMatchObject({ ports: [{ name: "http" }] });
  });

  test("[AW4] services reach whom their template lists and nobody else, and it is written down as the agent's", async () => {
    const registry = await FakeRegistry.start();
    try {
      const agent = await up(`
template: online
egress: { allow: ["${registry.place}"] }
services: { idle: { command: sleep 1000 } }
`);
      const asking = (url: string): string =>
        `node -e 'const { hostname: host, port } = new URL(process.env.HTTP_PROXY); require("http").get({ host, port, path: "${url}" }, async (a) => console.log(a.statusCode, String(await a.toArray())))'`;
      expect(await exec(agent, asking(`${registry.url}/nothing`))).toMatch(/^404 /);
      expect(await exec(agent, asking("http://example.org/"))).toContain("not on the list of agent online-1");
      const { egress, hosts } = await client.call("agent.egress", { agent: agent.name });
      expect(egress).toMatchObject({ kind: "list", policy: null });
      expect(hosts).toMatchObject([
        { host: registry.host, connections: 1, refusals: 0 },
        { host: "example.org", connections: 0, refusals: 1, refused: "not-listed" },
      ]);
    } finally {
      registry.close();
    }
  });
});

/** Files below a folder in which a text is. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true && readFileSync(path).includes(text);
  });
}
