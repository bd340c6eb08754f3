// Living agents, from a template to nothing left: real services in real cages, on ports of this machine.

import { statfsSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { outerHost } from "../../src/protocol/keeper/outer-host.ts";
import type { AgentView, ServiceView } from "../../src/protocol/wire/agent.ts";
import { AgentRig, portOf, serviceOf } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { processesWith } from "../support/processes-with.ts";

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

/** Writes away what it has, in programs of its own, before it goes. */
const drain = `
trap 'echo begin; for i in $(seq 60); do sleep 0.05 || exit 9; done; echo end; exit 0' TERM
sleep 1000 &
echo up
wait
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
  const rig = AgentRig.forAll({ "web.js": server, "db.js": database, "many.js": instance, "drain.sh": drain });

  const service = async (agent: AgentView, name: string): Promise<ServiceView> => serviceOf(await rig.get(agent), name);
  const ask = async (agent: AgentView, path = "/"): Promise<string> =>
    (await fetch(`http://${outerHost}:${portOf(agent, "web")}${path}`)).text();

  test("[AG12, AG13, AG14] two of one template come up side by side, each with its own ports, and are reached from outside", async () => {
    const [first, second] = await Promise.all([rig.up(stack), rig.up(stack)]);
    expect([first.name, second.name].toSorted()).toEqual(["shop-1", "shop-2"]);
    expect(await ask(first)).toBe(`hello from ${first.name}`);
    expect(await ask(second)).toBe(`hello from ${second.name}`);
    await expect.poll(() => service(first, "once")).toMatchObject({ state: "completed", end: { exit: 0 } });
    expect(await rig.said(first, "once")).toBe("secret has 32 letters\n");
    expect(await rig.exec(first, 'echo "$GREETING $SIGNALBOX_AGENT"')).toBe(`hello ${first.name}\n`);
    await rig.call("agent.remove", { agent: second.id });
    expect(await rig.settled(second)).toBeNull();
    await expect(ask(second)).rejects.toThrow("fetch failed");
  });

  test("[AG26] kill -9 of the daemon takes no service with it, and the next one finds them as they are", async () => {
    const agent = await rig.up(stack);
    const before = await ask(agent, "/pid");
    await rig.restartDaemon(async () => {
      expect(await ask(agent)).toBe(`hello from ${agent.name}`);
    });
    expect(await ask(agent, "/pid")).toBe(before);
    expect(await rig.get(agent)).toMatchObject({ state: "running", life: 1 });
    // What happens from now on is seen.
    await expect(ask(agent, "/die")).rejects.toThrow("fetch failed");
    await expect.poll(() => service(agent, "web")).toMatchObject({ life: 2, healthy: true });
    expect((await service(agent, "web")).end).toMatchObject({ exit: 3, why: "ended" });
    expect(await ask(agent, "/pid")).not.toBe(before);
  });

  test("[AG26] of a service that ended while no daemon was there, the next one learns how", async () => {
    const agent = await rig.up(stack);
    await rig.restartDaemon(async () => {
      await expect(ask(agent, "/die")).rejects.toThrow("fetch failed");
    });
    await expect.poll(() => service(agent, "web")).toMatchObject({ life: 2, healthy: true });
    expect((await service(agent, "web")).end).toMatchObject({ exit: 3 });
  });

  test("[AG16, AG18] is stopped in order and started again; a single service is stopped, and stays so", async () => {
    const agent = await rig.up(stack);
    await rig.call("service.stop", { agent: agent.id, service: "web" });
    await expect.poll(async () => (await service(agent, "web")).state).toBe("down");
    await rig.call("agent.restart", { agent: agent.id });
    expect(await rig.settled(agent)).toMatchObject({ state: "running", life: 2 });
    expect((await service(agent, "web")).state).toBe("down");
    await rig.call("service.start", { agent: agent.id, service: "web" });
    await expect.poll(async () => (await service(agent, "web")).healthy).toBe(true);
    await rig.call("agent.stop", { agent: agent.id });
    expect(await rig.settled(agent)).toMatchObject({ state: "stopped" });
    await expect(ask(agent)).rejects.toThrow("fetch failed");
    await rig.call("agent.start", { agent: agent.id });
    expect(await rig.settled(agent)).toMatchObject({ state: "running" });
    expect(await ask(agent)).toBe(`hello from ${agent.name}`);
  });

  test("[AG88] what a service does before it goes is not cut short: not by its signal, by its shell that went first, or by another daemon", async () => {
    const agent = await rig.up(`
template: drained
services:
  # The outer shell does nothing about the signal and goes at once.
  queue: { command: "sh drain.sh; true", stop: { grace: 1m } }
`);
    const said = (): Promise<string> => rig.said(agent, "queue");
    await expect.poll(said).toBe("up\n");
    await rig.call("agent.stop", { agent: agent.id });
    await expect.poll(said).toBe("up\nbegin\n");
    await rig.restartDaemon();
    expect(await rig.settled(agent)).toMatchObject({ state: "stopped" });
    expect(await said()).toBe("up\nbegin\nend\n");
  });

  test("[AG22, AG25] what fails again and again climbs the ladder to a person, who mends it", async () => {
    const broken = `
template: broken
services:
  web: { command: "test -e mended || exit 1; exec sleep 1000", restart: { delay: 10ms, limit: 2 } }
`;
    const agent = await rig.create(broken);
    // It is up for a moment each time.
    await expect
      .poll(() => rig.get(agent))
      .toMatchObject({ state: "error", because: "web: it ended with 1", rung: "ask" });
    const { events } = await rig.call("events.read", { after: 0, limit: 1000, types: ["agent.climbed"] });
    const climbed = events.filter((event) => event["agent"] === agent.id).map((event) => event["rung"]);
    expect(climbed).toEqual(["recreate", "respawn", "ask"]);
    const { failures } = await rig.call("agent.failures", { agent: agent.id, limit: 50 });
    expect(failures.length).toBeGreaterThan(4);
    const before = { count: failures.length - 1 };
    expect(failures[0]).toMatchObject({ class: "service", found: "ended", end: { exit: 1 }, before });
    const mend = ["sh", "-c", "touch mended && echo done"];
    const mended = await rig.call("agent.exec", { agent: agent.id, argv: mend });
    expect(mended).toMatchObject({ exit: 0, output: "done\n" });
    await rig.call("agent.start", { agent: agent.id });
    expect(await rig.settled(agent)).toMatchObject({ state: "running", rung: null });
    const unsaved = await rig.call("agent.remove", { agent: agent.id }).catch((error: unknown) => error);
    expect(unsaved).toMatchObject({ code: "unsaved", message: expect.stringContaining("mended") as string });
  });

  test("[AG90] what always fails hurts nobody beside it in its agent: callers of the others are never refused", async () => {
    const template = `
template: siblings
external:
  db:
    command: [node, db.js, "\${self.port}"]
    ports: [main]
    health: { tcp: main, interval: 200ms, timeout: 100ms }
services:
  web:
    command: node web.js
    ports: [http]
    env: { GREETING: hello, DB_PORT: "\${db.port}" }
    health: { http: /, interval: 200ms, timeout: 150ms }
  bug: { command: exit 1 }
`;
    const agent = await rig.create(template);
    await expect.poll(async () => (await service(agent, "web")).healthy).toBe(true);
    const enough = new AbortController();
    const heard = askOn(portOf(agent, "web"), enough.signal);
    await expect.poll(() => rig.get(agent)).toMatchObject({ state: "error", because: "bug: it ended with 1" });
    enough.abort();
    expect(await heard).toEqual(new Set([`hello from ${agent.name}`]));
    const { services } = await rig.get(agent);
    expect(services.map(({ name, life, state }) => [name, life, state])).toEqual([
      ["db", 1, "up"],
      ["web", 1, "up"],
      ["bug", 6, "failed"],
    ]);
  });

  test("[AG22] a command that is not there is told at once, in its own words", async () => {
    const { id } = await rig.create("template: lost\nservices: { web: { command: [no-such-program] } }");
    // On a busy machine it counts as up for a moment.
    await expect.poll(() => rig.get(id)).toMatchObject({ state: "error", rung: "ask" });
    const agent = await rig.get(id);
    expect(serviceOf(agent, "web").end?.said).toContain("no-such-program");
    // Without another try: it would not be there then, either.
    expect(serviceOf(agent, "web").life).toBe(1);
    const { failures } = await rig.call("agent.failures", { agent: agent.id });
    expect(failures).toMatchObject([{ service: "web", class: "configuration", tried: "a person was asked" }]);
  });

  test("[AU30, AU32, SV5] what an agent uses is told by service, beside what it may use, and its processes by what they were called as", async () => {
    const agent = await rig.up(`
template: busy
services:
  burn: { command: [node, -e, "for (;;);"], ports: [http], limits: { memory: 256MiB, files: 200 } }
  idle: { command: sleep 1000 }
  writer: { command: "head -c 5000000 /dev/zero > scratch; sync scratch; echo done; exec sleep 1000", health: { log: done } }
`);
    const look = async () => (await rig.call("agent.stats", { agents: [agent.name] })).agents[0];
    let use = await look();
    const of = (name: string) => use?.services.find((service) => service.name === name);
    // Of a process that has only just begun nobody knows yet, nor of one that others kept from every processor meanwhile.
    const burns = async (): Promise<boolean> => {
      use = await look();
      return (of("burn")?.cpu ?? 0) > (of("idle")?.cpu ?? 1);
    };
    await expect.poll(burns).toBe(true);
    expect(of("burn")?.memoryBytes).toBeGreaterThan(of("idle")?.memoryBytes ?? 0);
    expect(of("burn")?.files).toBeGreaterThan(0);
    // What goes to memory the kernel counts for nobody.
    const isInMemory = statfsSync(rig.daemon.home).type === 0x0102_1994;
    expect(of("writer")?.writtenBytes).toBeGreaterThanOrEqual(isInMemory ? 0 : 5_000_000);
    expect(of("idle")?.writtenBytes).toBeLessThan(1_000_000);
    expect(of("writer")?.dataBytes).toBeNull();
    expect(of("burn")?.limits).toEqual({ memoryBytes: 256 * 1024 ** 2, cpu: null, processes: null, files: 200 });
    expect(of("burn")?.ports).toEqual([{ name: "http", address: `${outerHost}:${portOf(agent, "burn")}` }]);
    expect(use).toMatchObject({
      agent: agent.id,
      state: "running",
      keeper: { processes: 1 },
      others: { processes: 0 },
    });
    expect(use?.diskBytes).toBeGreaterThan(0);
    const top = await rig.call("agent.top", { agent: agent.id });
    expect(top.processes[0]).toMatchObject({ service: "burn", command: "node -e for (;;);" });
    expect(top.processes.map(({ service }) => service)).toContain("idle");
    await rig.call("agent.stop", { agent: agent.id });
    await rig.settled(agent);
    const stopped = await rig.call("agent.stats", { agents: [agent.id], disk: false });
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
    while (!areSo((await rig.get(agent)).services));
  }

  test("[SV21, SV22, SV25, SV40] instances share one port, and whoever calls while one is replaced is not refused", async () => {
    const check = "health: { http: /, interval: 1s, timeout: 1s }, ports: [http]";
    const agent = await rig.up(`
template: crowd
services:
  many: { command: node many.js, instances: 2, ${check} }
  solo: { command: node many.js, overlap: true, watch: [many.js], ${check} }
`);
    const [port = 0, solo = 0] = ["many.1", "solo.1"].map((name) => portOf(agent, name));
    expect(portOf(agent, "many.2")).toBe(port);
    const inside = `fetch("http://127.0.0.1:${solo}").then((a) => a.text()).then(console.log)`;
    const { output } = await rig.call("agent.exec", { agent: agent.id, argv: ["node", "-e", inside] });
    expect(output).toBe("1\n");
    const enough = new AbortController();
    const heard = [port, solo].map((each) => askOn(each, enough.signal));
    await rig.call("service.restart", { agent: agent.id, service: "many" });
    // Which begins the one anew that watches it.
    const touch = { agent: agent.id, argv: ["touch", "many.js"] };
    expect(await rig.call("agent.exec", touch)).toMatchObject({ exit: 0 });
    const isNew = ({ group, name, life, state, healthy }: ServiceView): boolean =>
      group === "many" ? life === 2 && healthy === true : state === (name === "solo.1" ? "down" : "up");
    await become(agent.id, (services) => services.every(isNew));
    enough.abort();
    expect(await Promise.all(heard)).toEqual([new Set(["1", "2"]), new Set(["1", "2"])]);
  });

  test("[AG13, AG19, AU3] removed, nothing of it is left: no process, no port, no file", async () => {
    const agent = await rig.up(stack);
    const ports = agent.services.flatMap((service) => service.ports.map(({ port }) => port));
    expect(processesWith(agent.id).length).toBeGreaterThan(0);
    await rig.call("agent.remove", { agent: agent.name, discard: false });
    expect(await rig.settled(agent)).toBeNull();
    await expect.poll(() => processesWith(agent.id)).toEqual([]);
    for (const port of ports) expect(await listens(port)).toBe(false);
    expect((await rig.call("agent.list", {})).agents.map(({ id }) => id)).not.toContain(agent.id);
    // The system takes a control group away when it gets to it.
    await expect.poll(async () => (await rig.call("audit", {})).findings).toEqual([]);
  });

  test("[AG10] a template that cannot be used makes nothing, and every fault of it is said with its line", async () => {
    const bad = "template: bad\nservices:\n  web:\n    comand: node\n  api: { command: x, depends_on: [nobody] }\n";
    const refused = await rig.create(bad).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "bad-template" });
    const { message, ways } = refused as { readonly message: string; readonly ways: readonly string[] };
    expect(message).toContain("stack.yaml:4");
    expect(ways.join("\n")).toContain("nobody");
    expect((await rig.call("agent.list", {})).agents.map(({ template }) => template)).not.toContain("bad");
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
