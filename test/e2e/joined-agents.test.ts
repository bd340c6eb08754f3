// Living agents that see each other's services, across the death of the daemon, and nothing else of each other.

import { describe, expect, test } from "vitest";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import { AgentRig, portOf } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

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
  const rig = AgentRig.forAll({ "server.js": server, "caller.js": caller });

  const webOf = (agent: AgentView): number => portOf(agent, "web");
  /** The first line that is said there. */
  const hear = (host: string, port: number): string =>
    `node -e 'require("net").connect(${port}, "${host}").on("data", (b) => { console.log(String(b).trim()); process.exit(); }).on("error", (e) => console.log(e.code)).on("close", () => console.log("closed"))'`;

  test("[AW21, AW23, AW24] reach each other by name, also while the daemon is dead, until they are parted", async () => {
    const [shop, db, other] = [
      await rig.up(template("shop")),
      await rig.up(template("db")),
      await rig.up(template("other")),
    ];
    const toDb = hear("web.db-1.agents", webOf(db));
    expect(await rig.exec(shop, toDb)).toMatch(/ENOTFOUND|EAI_AGAIN/);
    await rig.call("agent.join", { agent: "shop-1", with: "db-1" });
    await expect.poll(() => rig.exec(shop, toDb)).toBe("db-1\n");
    expect(await rig.exec(db, hear("web.shop-1.agents", webOf(shop)))).toBe("shop-1\n");
    expect(await rig.exec(shop, 'echo "$DB_1_WEB_URL $DB_1_WEB_HOST $DB_1_WEB_PORT"')).toBe(
      `http://web.db-1.agents:${webOf(db)} web.db-1.agents ${webOf(db)}\n`,
    );
    expect((await rig.get(shop)).joined).toEqual([
      {
        ...{ agent: "db-1", agentId: db.id, by: "person" },
        services: [{ service: "web", name: "http", host: "web.db-1.agents", port: webOf(db) }],
      },
    ]);
    // A third one is nobody's neighbour.
    expect(await rig.exec(shop, hear("127.0.0.1", webOf(other)))).toContain("ECONNREFUSED");
    expect(await rig.exec(other, hear("127.0.0.1", webOf(db)))).toContain("ECONNREFUSED");
    // A connection goes on while the daemon is killed and started again.
    const heard = (): Promise<string> => rig.said(shop, "caller");
    await rig.exec(shop, `echo ${webOf(db)} web.db-1.agents > .git/go`);
    await expect.poll(heard).toBe("db-1\n");
    await rig.restartDaemon();
    await rig.exec(shop, "echo still there > .git/say");
    await expect.poll(heard).toBe("db-1\nstill there\n");
    expect(await rig.exec(shop, toDb)).toBe("db-1\n");
    // Made anew around the same files, it is joined as before.
    await rig.call("agent.restart", { agent: db.id });
    await rig.settled(db);
    await expect.poll(() => rig.exec(shop, toDb)).toBe("db-1\n");
    // Nobody waits for one that is stopped, and when it is back, it is reached.
    await rig.call("agent.stop", { agent: db.id });
    await rig.settled(db);
    await expect.poll(() => rig.exec(shop, toDb)).toContain("ECONNREFUSED");
    await rig.call("agent.start", { agent: db.id });
    await rig.settled(db);
    await expect.poll(() => rig.exec(shop, toDb)).toBe("db-1\n");
    await rig.call("agent.part", { agent: "db-1", with: "shop-1" });
    await expect.poll(() => rig.exec(shop, hear("127.0.0.1", webOf(db)))).toContain("ECONNREFUSED");
    expect(await rig.exec(shop, "cat /etc/hosts")).not.toContain("agents");
    expect((await rig.get(shop)).joined).toEqual([]);
  });

  test("[AW21, AW22, AW24] by their templates, and removal ends it", async () => {
    const front = await rig.up(template("front", 'join: ["back-*"]'));
    const back = await rig.up(template("back", "join: [front-1]"));
    await expect.poll(() => rig.exec(front, hear("web.back-1.agents", webOf(back)))).toBe("back-1\n");
    expect((await rig.get(back)).joined).toMatchObject([{ agent: "front-1", by: "templates" }]);
    const drift = await rig.call("agent.reload", { agent: front.id, template: template("front"), dryRun: true });
    expect(drift.changes).toMatchObject([{ path: "join", effect: "none" }]);
    await rig.call("agent.remove", { agent: back.id, discard: true });
    expect(await rig.settled(back)).toBeNull();
    await expect.poll(() => rig.exec(front, "cat /etc/hosts")).not.toContain("agents");
    expect(await rig.exec(front, hear("127.0.0.1", webOf(back)))).toContain("ECONNREFUSED");
    await rig.removeAgents();
    expect((await rig.call("audit", {})).findings).toEqual([]);
  });
});
