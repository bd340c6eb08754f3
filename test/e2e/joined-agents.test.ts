// Living agents that see each other's services, across the death of the daemon, and nothing else of each other.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { SampleProject } from "../support/sample-project.ts";

/** Says its name to whoever connects, and then a line for each line that it hears. */
const server = `
require("net").createServer((socket) => {
  socket.on("error", () => undefined);
  socket.write(process.env.SIGNALBOX_AGENT + "\\n");
  socket.on("data", (bytes) => socket.write(bytes));
}).listen(Number(process.env.PORT), "127.0.0.1");
`;

/** Connects, and passes on what is written into a file. */
const caller = `
const { existsSync, readFileSync, watchFile } = require("fs");
const socket = require("net").connect(Number(process.argv[2]), process.argv[3]);
socket.on("data", (bytes) => process.stdout.write(bytes)).on("close", () => console.log("cut off"));
watchFile(".git/say", { interval: 50 }, () => existsSync(".git/say") && socket.write(readFileSync(".git/say")));
`;

const template = (name: string, more = ""): string => `
template: ${name}
services:
  web: { command: node server.js, ports: [http], health: { tcp: http, interval: 200ms, timeout: 150ms } }
  caller: { command: 'until [ -e .git/go ]; do sleep 0.1; done; exec node caller.js $(cat .git/go)', restart: never }
${more}`;

describe.skipIf(noCages)("joined agents", () => {
  let daemon: DaemonProcess;
  let client: Client;
  const sample = new SampleProject({ "server.js": server, "caller.js": caller });

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

  async function up(text: string): Promise<AgentView> {
    const { agent } = await client.call("agent.create", { project: "shop", template: text });
    const now = await settledAgent(client, agent.id);
    if (now?.state !== "running") throw new Error(JSON.stringify(now, null, 1));
    return now;
  }

  const exec = async ({ id }: AgentView, script: string): Promise<string> =>
    (await client.call("agent.exec", { agent: id, argv: ["sh", "-c", script] })).output;
  const look = async ({ id }: AgentView): Promise<AgentView> => (await client.call("agent.get", { agent: id })).agent;
  const portOf = ({ services }: AgentView): number => services[0]?.ports[0]?.port ?? 0;
  /** The first line that is said there. */
  const hear = (host: string, port: number): string =>
    `node -e 'require("net").connect(${port}, "${host}").on("data", (b) => { console.log(String(b).trim()); process.exit(); }).on("error", (e) => console.log(e.code)).on("close", () => console.log("closed"))'`;

  test("[AW21, AW23, AW24] reach each other by name, also while the daemon is dead, until they are parted", async () => {
    const [shop, db, other] = [await up(template("shop")), await up(template("db")), await up(template("other"))];
    const toDb = hear("web.db-1.agents", portOf(db));
    expect(await exec(shop, toDb)).toMatch(/ENOTFOUND|EAI_AGAIN/);
    await client.call("agent.join", { agent: "shop-1", with: "db-1" });
    await expect.poll(() => exec(shop, toDb)).toBe("db-1\n");
    expect(await exec(db, hear("web.shop-1.agents", portOf(shop)))).toBe("shop-1\n");
    expect(await exec(shop, 'echo "$DB_1_WEB_URL $DB_1_WEB_HOST $DB_1_WEB_PORT"')).toBe(
      `http://web.db-1.agents:${portOf(db)} web.db-1.agents ${portOf(db)}\n`,
    );
    expect((await look(shop)).joined).toEqual([
      {
        ...{ agent: "db-1", agentId: db.id, by: "person" },
        services: [{ service: "web", name: "http", host: "web.db-1.agents", port: portOf(db) }],
      },
    ]);
    // A third one is nobody's neighbour.
    expect(await exec(shop, hear("127.0.0.1", portOf(other)))).toContain("ECONNREFUSED");
    expect(await exec(other, hear("127.0.0.1", portOf(db)))).toContain("ECONNREFUSED");
    // A connection goes on while the daemon is killed and started again.
    const heard = async (): Promise<string> =>
      (await client.call("service.output", { agent: shop.id, service: "caller" })).text;
    await exec(shop, `echo ${portOf(db)} web.db-1.agents > .git/go`);
    await expect.poll(heard).toBe("db-1\n");
    client.close();
    await daemon.kill();
    await daemon.up();
    client = await daemon.connect();
    await exec(shop, "echo still there > .git/say");
    await expect.poll(heard).toBe("db-1\nstill there\n");
    expect(await exec(shop, toDb)).toBe("db-1\n");
    // Made anew around the same files, it is joined as before.
    await client.call("agent.restart", { agent: db.id });
    await settledAgent(client, db.id);
    await expect.poll(() => exec(shop, toDb)).toBe("db-1\n");
    // Nobody waits for one that is stopped, and when it is back, it is reached.
    await client.call("agent.stop", { agent: db.id });
    await settledAgent(client, db.id);
    await expect.poll(() => exec(shop, toDb)).toContain("ECONNREFUSED");
    await client.call("agent.start", { agent: db.id });
    await settledAgent(client, db.id);
    await expect.poll(() => exec(shop, toDb)).toBe("db-1\n");
    await client.call("agent.part", { agent: "db-1", with: "shop-1" });
    await expect.poll(() => exec(shop, hear("127.0.0.1", portOf(db)))).toContain("ECONNREFUSED");
    expect(await exec(shop, "cat /etc/hosts")).not.toContain("agents");
    expect((await look(shop)).joined).toEqual([]);
  });

  test("[AW21, AW22, AW24] by their templates, and removal ends it", async () => {
    const front = await up(template("front", 'join: ["back-*"]'));
    const back = await up(template("back", "join: [front-1]"));
    await expect.poll(() => exec(front, hear("web.back-1.agents", portOf(back)))).toBe("back-1\n");
    expect((await look(back)).joined).toMatchObject([{ agent: "front-1", by: "templates" }]);
    const drift = await client.call("agent.reload", { agent: front.id, template: template("front"), dryRun: true });
    expect(drift.changes).toMatchObject([{ path: "join", effect: "none" }]);
    await client.call("agent.remove", { agent: back.id, discard: true });
    expect(await settledAgent(client, back.id)).toBeNull();
    await expect.poll(() => exec(front, "cat /etc/hosts")).not.toContain("agents");
    expect(await exec(front, hear("127.0.0.1", portOf(back)))).toContain("ECONNREFUSED");
    await removeAgents(client);
    expect((await client.call("audit", {})).findings).toEqual([]);
  });
});
