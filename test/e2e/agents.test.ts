// Living agents, from a template to nothing left: real services in real cages, on ports of this machine.

import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { outerHost } from "../../src/protocol/keeper/outer-host.ts";
import type { AgentView, ServiceView } from "../../src/protocol/wire/agent.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { noCages } from "../support/keeper-rig.ts";
import { processesWith } from "../support/processes-with.ts";
import { SampleProject } from "../support/sample-project.ts";

const server = `
const { createServer } = require("http");
const { connect } = require("net");
createServer((asked, answer) => {
  if (asked.url === "/pid") return answer.end(String(process.pid));
  if (asked.url === "/die") return process.exit(3);
  const db = connect(Number(process.env.DB_PORT), "127.0.0.1");
  db.once("data", (word) => answer.end(process.env.GREETING + " " + word));
  db.once("error", (error) => { answer.statusCode = 500; answer.end(error.message); });
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("listening"));
`;
const database = `require("net").createServer((c) => c.end("from " + process.env.SIGNALBOX_AGENT)).listen(process.argv[2], "127.0.0.1");`;

/** Tells which it is, and finishes what it has begun. */
const instance = `
const server = require("http").createServer((asked, answer) => answer.end(process.env.SIGNALBOX_INSTANCE));
server.listen(Number(process.env.PORT), "127.0.0.1");
process.on("SIGTERM", () => server.close(() => process.exit(0)));
`;

const stack = `
template: shop
env:
  GREETING: hello
  SECRET: { generate: hex, bytes: 16 }
external:
  db:
    command: [node, db.js, "\${self.port}"]
    ports: [main]
    health: { tcp: main, interval: 200ms, timeout: 100ms }
services:
  web:
    command: node web.js
    ports: [http]
    env: { DB_PORT: "\${db.port}" }
    health: { http: /, interval: 200ms, timeout: 150ms }
    restart: { delay: 10ms }
  queue:
    command: sleep 1000
    env: { READY: "yes" }
    health: { command: 'test "$READY $GREETING" = "yes hello"', interval: 200ms }
  once:
    command: echo "secret has \${#SECRET} letters"
    restart: on-failure
`;

describe.skipIf(noCages)("living agents", () => {
  let daemon: DaemonProcess;
  let client: Client;
  const sample = new SampleProject({ "web.js": server, "db.js": database, "many.js": instance });

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

  const create = async (template: string): Promise<AgentView> =>
    (await client.call("agent.create", { project: "shop", template, file: "stack.yaml" })).agent;

  const settled = (agent: string): Promise<AgentView | null> => settledAgent(client, agent);

  async function up(template: string): Promise<AgentView> {
    const agent = await settled((await create(template)).id);
    if (agent?.state !== "running") throw new Error(JSON.stringify(agent, null, 1));
    return agent;
  }

  async function get(agent: string): Promise<AgentView> {
    return (await client.call("agent.get", { agent })).agent;
  }

  const serviceIn = ({ services }: AgentView, name: string): ServiceView =>
    services.find((service) => service.name === name) as ServiceView;
  const portOf = (agent: AgentView, name: string): number => serviceIn(agent, name).ports[0]?.port ?? 0;
  const ask = async (agent: AgentView, path = "/"): Promise<string> =>
    (await fetch(`http://${outerHost}:${portOf(agent, "web")}${path}`)).text();

  test("[AG12, AG13, AG14] two of one template come up side by side, each with its own ports, and are reached from outside", async () => {
    const [first, second] = await Promise.all([up(stack), up(stack)]);
    expect([first.name, second.name].toSorted()).toEqual(["shop-1", "shop-2"]);
    expect(await ask(first)).toBe(`hello from ${first.name}`);
    expect(await ask(second)).toBe(`hello from ${second.name}`);
    const once = async (): Promise<ServiceView> => serviceIn(await get(first.id), "once");
    await expect.poll(once).toMatchObject({ state: "completed", end: { exit: 0 } });
    const { text } = await client.call("service.output", { agent: first.id, service: "once" });
    expect(text).toBe("secret has 32 letters\n");
    const inside = { agent: first.id, argv: ["sh", "-c", 'echo "$GREETING $SIGNALBOX_AGENT"'] };
    expect((await client.call("agent.exec", inside)).output).toBe(`hello ${first.name}\n`);
    await client.call("agent.remove", { agent: second.id });
    expect(await settled(second.id)).toBeNull();
    await expect(ask(second)).rejects.toThrow("fetch failed");
  });

  test("[AG26] kill -9 of the daemon takes no service with it, and the next one finds them as they are", async () => {
    const agent = await up(stack);
    const before = await ask(agent, "/pid");
    client.close();
    await daemon.kill();
    expect(await ask(agent)).toBe(`hello from ${agent.name}`);
    await daemon.up();
    client = await daemon.connect();
    expect(await ask(agent, "/pid")).toBe(before);
    expect(await get(agent.id)).toMatchObject({ state: "running", life: 1 });
    // What happens from now on is seen.
    await expect(ask(agent, "/die")).rejects.toThrow("fetch failed");
    await expect.poll(async () => serviceIn(await get(agent.id), "web")).toMatchObject({ life: 2, healthy: true });
    expect(serviceIn(await get(agent.id), "web").end).toMatchObject({ exit: 3, why: "ended" });
    expect(await ask(agent, "/pid")).not.toBe(before);
  });

  test("[AG26] of a service that ended while no daemon was there, the next one learns how", async () => {
    const agent = await up(stack);
    client.close();
    await daemon.kill();
    await expect(ask(agent, "/die")).rejects.toThrow("fetch failed");
    await daemon.up();
    client = await daemon.connect();
    await expect.poll(async () => serviceIn(await get(agent.id), "web")).toMatchObject({ life: 2, healthy: true });
    expect(serviceIn(await get(agent.id), "web").end).toMatchObject({ exit: 3 });
  });

  test("[AG16, AG18] is stopped in order and started again; a single service is stopped, and stays so", async () => {
    const agent = await up(stack);
    await client.call("service.stop", { agent: agent.id, service: "web" });
    await expect.poll(async () => serviceIn(await get(agent.id), "web").state).toBe("down");
    await client.call("agent.restart", { agent: agent.id });
    expect(await settled(agent.id)).toMatchObject({ state: "running", life: 2 });
    expect(serviceIn(await get(agent.id), "web").state).toBe("down");
    await client.call("service.start", { agent: agent.id, service: "web" });
    await expect.poll(async () => serviceIn(await get(agent.id), "web").healthy).toBe(true);
    await client.call("agent.stop", { agent: agent.id });
    expect(await settled(agent.id)).toMatchObject({ state: "stopped" });
    await expect(ask(agent)).rejects.toThrow("fetch failed");
    await client.call("agent.start", { agent: agent.id });
    expect(await settled(agent.id)).toMatchObject({ state: "running" });
    expect(await ask(agent)).toBe(`hello from ${agent.name}`);
  });

  test("[AG22, AG25] what fails again and again climbs the ladder to a person, who mends it", async () => {
    const broken = `
template: broken
services:
  web: { command: "test -e mended || exit 1; exec sleep 1000", restart: { delay: 10ms, limit: 2 } }
  other: { command: sleep 1000 }
`;
    const agent = await create(broken);
    // It is up for a moment each time.
    await expect
      .poll(() => get(agent.id))
      .toMatchObject({ state: "error", because: "web: it ended with 1", rung: "ask" });
    await expect.poll(async () => serviceIn(await get(agent.id), "other").state).toBe("up");
    const { events } = await client.call("events.read", { after: 0, limit: 1000, types: ["agent.climbed"] });
    const climbed = events.filter((event) => event["agent"] === agent.id).map((event) => event["rung"]);
    expect(climbed).toEqual(["recreate", "respawn", "ask"]);
    const { failures } = await client.call("agent.failures", { agent: agent.id, limit: 50 });
    expect(failures.length).toBeGreaterThan(4);
    const before = { count: failures.length - 1 };
    expect(failures[0]).toMatchObject({ class: "service", found: "ended", end: { exit: 1 }, before });
    const mended = await client.call("agent.exec", {
      agent: agent.id,
      argv: ["sh", "-c", "touch mended && echo done"],
    });
    expect(mended).toMatchObject({ exit: 0, output: "done\n" });
    await client.call("agent.start", { agent: agent.id });
    expect(await settled(agent.id)).toMatchObject({ state: "running", rung: null });
    const unsaved = await client.call("agent.remove", { agent: agent.id }).catch((error: unknown) => error);
    expect(unsaved).toMatchObject({ code: "unsaved", message: expect.stringContaining("mended") as string });
  });

  test("[AG22] a command that is not there is told at once, in its own words", async () => {
    const agent = (await settled(
      (await create("template: lost\nservices: { web: { command: [no-such-program] } }")).id,
    )) as AgentView;
    expect(agent).toMatchObject({ state: "error", rung: "ask" });
    expect(serviceIn(agent, "web").end?.said).toContain("no-such-program");
    // Without another try: it would not be there then, either.
    expect(serviceIn(agent, "web").life).toBe(1);
    const { failures } = await client.call("agent.failures", { agent: agent.id });
    expect(failures).toMatchObject([{ service: "web", class: "configuration", tried: "a person was asked" }]);
  });

  test("[AU30, SV5] what an agent uses is told by service, beside what it may use, and its processes by what they were called as", async () => {
    const agent = await up(`
template: busy
services:
  burn: { command: [node, -e, "for (;;);"], ports: [http], limits: { memory: 256MiB, files: 200 } }
  idle: { command: sleep 1000 }
`);
    const { agents } = await client.call("agent.stats", { agents: [agent.name] });
    const [use] = agents;
    const of = (name: string) => use?.services.find((service) => service.name === name);
    expect(of("burn")?.cpu).toBeGreaterThan(of("idle")?.cpu ?? 1);
    expect(of("burn")?.memoryBytes).toBeGreaterThan(of("idle")?.memoryBytes ?? 0);
    expect(of("burn")?.files).toBeGreaterThan(0);
    expect(of("burn")?.limits).toEqual({ memoryBytes: 256 * 1024 ** 2, cpu: null, processes: null, files: 200 });
    expect(of("burn")?.ports).toEqual([{ name: "http", address: `${outerHost}:${portOf(agent, "burn")}` }]);
    expect(use).toMatchObject({
      agent: agent.id,
      state: "running",
      keeper: { processes: 1 },
      others: { processes: 0 },
    });
    expect(use?.diskBytes).toBeGreaterThan(0);
    const top = await client.call("agent.top", { agent: agent.id });
    expect(top.processes[0]).toMatchObject({ service: "burn", command: "node -e for (;;);" });
    expect(top.processes.map(({ service }) => service)).toContain("idle");
    await client.call("agent.stop", { agent: agent.id });
    await settled(agent.id);
    const stopped = await client.call("agent.stats", { agents: [agent.id], disk: false });
    expect(stopped.agents).toMatchObject([{ processes: 0, cpu: 0, memoryBytes: 0, diskBytes: null }]);
  });

  /** Asks again and again, each time anew, until told to stop. Answers who answered, and every failure. */
  async function askOn(port: number, signal: AbortSignal): Promise<Set<string>> {
    const heard = new Set<string>();
    const headers = { connection: "close" };
    while (!signal.aborted)
      heard.add(
        await fetch(`http://${outerHost}:${port}/`, { headers }).then(
          (answer) => answer.text(),
          (error: unknown) => String((error as Error).cause),
        ),
      );
    return heard;
  }

  /** Resolves when its services are so. */
  async function become(agent: string, areSo: (services: readonly ServiceView[]) => boolean): Promise<void> {
    while (!areSo((await get(agent)).services));
  }

  test("[SV21, SV22, SV25, SV40] instances share one port, and whoever calls while one is replaced is not refused", async () => {
    const check = "health: { http: /, interval: 1s, timeout: 1s }, ports: [http]";
    const agent = await up(`
template: crowd
services:
  many: { command: node many.js, instances: 2, ${check} }
  solo: { command: node many.js, overlap: true, watch: [many.js], ${check} }
`);
    const [port = 0, solo = 0] = ["many.1", "solo.1"].map((name) => portOf(agent, name));
    expect(portOf(agent, "many.2")).toBe(port);
    const inside = `fetch("http://127.0.0.1:${solo}").then((a) => a.text()).then(console.log)`;
    const { output } = await client.call("agent.exec", { agent: agent.id, argv: ["node", "-e", inside] });
    expect(output).toBe("1\n");
    const enough = new AbortController();
    const heard = [port, solo].map((each) => askOn(each, enough.signal));
    await client.call("service.restart", { agent: agent.id, service: "many" });
    // Which begins the one anew that watches it.
    const touch = { agent: agent.id, argv: ["touch", "many.js"] };
    expect(await client.call("agent.exec", touch)).toMatchObject({ exit: 0 });
    const isNew = ({ group, name, life, state, healthy }: ServiceView): boolean =>
      group === "many" ? life === 2 && healthy === true : state === (name === "solo.1" ? "down" : "up");
    await become(agent.id, (services) => services.every(isNew));
    enough.abort();
    expect(await Promise.all(heard)).toEqual([new Set(["1", "2"]), new Set(["1", "2"])]);
  });

  test("[AG13, AG19, AU3] removed, nothing of it is left: no process, no port, no file", async () => {
    const agent = await up(stack);
    const ports = agent.services.flatMap((service) => service.ports.map(({ port }) => port));
    expect(processesWith(agent.id).length).toBeGreaterThan(0);
    await client.call("agent.remove", { agent: agent.name, discard: false });
    expect(await settled(agent.id)).toBeNull();
    await expect.poll(() => processesWith(agent.id)).toEqual([]);
    for (const port of ports) expect(await listens(port)).toBe(false);
    expect((await client.call("agent.list", {})).agents.map(({ id }) => id)).not.toContain(agent.id);
    // The system takes a control group away when it gets to it.
    await expect.poll(async () => (await client.call("audit", {})).findings).toEqual([]);
  });

  test("[AG10] a template that cannot be used makes nothing, and every fault of it is said with its line", async () => {
    const bad = "template: bad\nservices:\n  web:\n    comand: node\n  api: { command: x, depends_on: [nobody] }\n";
    const refused = await create(bad).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "bad-template" });
    const { message, ways } = refused as { readonly message: string; readonly ways: readonly string[] };
    expect(message).toContain("stack.yaml:4");
    expect(ways.join("\n")).toContain("nobody");
    expect((await client.call("agent.list", {})).agents.map(({ template }) => template)).not.toContain("bad");
  });
});

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, outerHost);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
