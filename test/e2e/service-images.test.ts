// Services with images of their own, beside services of the machine, in one agent of a real daemon: a database as people know it
// from containers, and the application that needs it.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import type { AgentView, ServiceView } from "../../src/protocol/wire/agent.ts";
import { DaemonProcess } from "../support/daemon-process.ts";
import { noCages } from "../support/keeper-rig.ts";
import { removeAgents, settledAgent } from "../support/living-agents.ts";
import { noPodman, Podman } from "../support/podman.ts";
import { debianPostgres } from "../support/postgres.ts";
import { makePostgresImage } from "../support/postgres-image.ts";
import { SampleProject } from "../support/sample-project.ts";

const [database, small, other] = ["localhost/db:1", "localhost/small:1", "localhost/small:2"];

const shop = `
const { execFileSync } = require("child_process");
const sql = (text) => execFileSync("psql", ["-At", "-c", text], { encoding: "utf8" }).trim();
sql("create table if not exists visits (at timestamptz default now())");
require("http").createServer((asked, answer) => {
  sql("insert into visits default values");
  answer.end("visit " + sql("select count(*) from visits"));
}).listen(Number(process.env.PORT), "127.0.0.1");
`;

const withDatabase = `
template: shop
env: { PGPASSWORD: { generate: hex } }
external:
  db:
    image: ${database}
    env: { PGPORT: "\${self.port}", POSTGRES_PASSWORD: secret }
    ports: [sql]
    health: { command: [pg_isready, --quiet, --host=127.0.0.1], interval: 500ms }
    restart: { delay: 0ms }
    stop: { signal: INT, grace: 30s }
services:
  web:
    command: node shop.js
    env: { PGHOST: 127.0.0.1, PGPORT: "\${db.port}", PGUSER: postgres, PGPASSWORD: secret }
    ports: [http]
    health: { tcp: http, interval: 500ms }
`;

const plain = (service: string): string => `template: plain\nservices: { box: { restart: never, ${service} } }\n`;

describe.skipIf(noPodman || noCages)("a service with an image of its own", () => {
  let daemon: DaemonProcess;
  let client: Client;
  let podman: Podman;
  // Not where temporary folders may be in memory: /dev is the same for everybody in an agent.
  const sample = new SampleProject({ "shop.js": shop, Dockerfile: `FROM ${small}\nENV OF=the-build\n` }, "/var/tmp");

  beforeAll(async () => {
    podman = new Podman();
    const started = [
      "ENV OF=the-image",
      "WORKDIR /opt",
      'ENTRYPOINT ["/bin/sh", "-c"]',
      'CMD ["pwd; echo $OF; id -u"]',
    ];
    podman.make(small, started, ["sh", "cat", "id", "ls"]);
    podman.make(other, ["ENV OF=the-other", 'CMD ["/bin/sh", "-c", "echo $OF"]'], ["sh"]);
    if (debianPostgres !== undefined) makePostgresImage(podman, database, debianPostgres);
    daemon = await DaemonProcess.start(podman.own);
    client = await daemon.connect();
    await client.call("project.add", { root: sample.root, name: "shop" });
  });
  afterAll(async () => {
    if (client !== undefined) await removeAgents(client);
    client?.close();
    await daemon?.remove();
    podman?.end();
    sample.remove();
  });

  const create = async (template: string): Promise<AgentView> => {
    const { agent } = await client.call("agent.create", { project: "shop", template });
    const settled = await settledAgent(client, agent.id);
    if (settled === null) throw new Error("it is gone");
    return settled;
  };
  const serviceIn = async (agent: string, service: string): Promise<ServiceView | undefined> =>
    (await client.call("agent.get", { agent })).agent.services.find(({ name }) => name === service);
  /** What a service that ends by itself has said. */
  const endOf = async ({ id }: AgentView): Promise<string> => {
    await expect.poll(() => serviceIn(id, "box"), { timeout: 30_000 }).toMatchObject({ end: { why: "ended" } });
    return (await serviceIn(id, "box"))?.end?.said.trim() ?? "";
  };
  const remove = async (agent: AgentView): Promise<void> => {
    await client.call("agent.remove", { agent: agent.id, force: true, discard: true });
    await settledAgent(client, agent.id);
  };

  test.skipIf(debianPostgres === undefined)(
    "[SV60, SV61, SV62] is a real database that survives what a database has to",
    { timeout: 240_000 },
    async () => {
      const agent = await create(withDatabase);
      expect(agent).toMatchObject({
        state: "running",
        services: [
          { name: "db", kind: "external", healthy: true, image: { name: database }, command: [] },
          { name: "web", healthy: true, image: null },
        ],
      });
      const address = agent.services[1]?.ports[0]?.address ?? "";
      const visit = async (): Promise<string> => (await fetch(`http://${address}`)).text();
      const inDb = async (script: string): Promise<string> => {
        const call = { agent: agent.id, service: "db", argv: ["/bin/sh", "-c", script] };
        return (await client.call("service.exec", call)).output.trim();
      };
      expect(await visit()).toBe("visit 1");
      // It sees its own files, and nothing of the project.
      expect(await inDb(`pwd; ls ${sample.root} /usr/bin/node 2>&1 | cat`)).toMatch(/^\/srv\n.*No such[^]*No such/);
      const { text } = await client.call("service.output", { agent: agent.id, service: "db" });
      expect(text).toContain("database system is ready to accept connections");

      // Killed by its first process: started again by its rule, with its data.
      await inDb("read -r pid < $PGDATA/postmaster.pid; kill -9 $pid");
      const restarted = { life: 2, state: "up", healthy: true };
      await expect.poll(() => serviceIn(agent.id, "db"), { timeout: 60_000 }).toMatchObject(restarted);
      expect(await visit()).toBe("visit 2");

      // The daemon is killed, and nothing stops.
      client.close();
      await daemon.kill();
      expect(await visit()).toBe("visit 3");
      await daemon.up();
      client = await daemon.connect();
      expect(await settledAgent(client, agent.id)).toMatchObject({ state: "running" });
      expect(await serviceIn(agent.id, "db")).toMatchObject(restarted);
      await inDb("read -r pid < $PGDATA/postmaster.pid; kill -9 $pid");
      await expect.poll(() => serviceIn(agent.id, "db"), { timeout: 60_000 }).toMatchObject({ ...restarted, life: 3 });
      expect(await visit()).toBe("visit 4");

      // Its place is made anew: what the image calls a volume is there again.
      await client.call("agent.restart", { agent: agent.id });
      expect(await settledAgent(client, agent.id)).toMatchObject({ state: "running" });
      expect(await visit()).toBe("visit 5");
      expect((await client.call("image.prune", {})).images.map(({ name }) => name)).not.toContain(database);

      await remove(agent);
      expect(await client.call("audit", {})).toMatchObject({ findings: [] });
      expect((await client.call("image.list", {})).images).toMatchObject([{ name: database, inUse: false }]);
      expect(podman.run("ps", "--all", "--quiet")).toBe("");
    },
  );

  test("[SV61] starts what its image says, where the template says nothing else", async () => {
    const run = async (service: string): Promise<string> => {
      const agent = await create(plain(service));
      const said = await endOf(agent);
      await remove(agent);
      return said;
    };
    expect(await run(`image: ${small}`)).toBe("/opt\nthe-image\n1000");
    expect(await run(`image: ${small}, command: ["echo $OF again"]`)).toBe("the-image again");
    expect(await run(`image: ${small}, entrypoint: [/bin/sh], command: [-c, "echo $SIGNALBOX_SERVICE"]`)).toBe("box");
    expect(await run(`image: ${small}, entrypoint: [], command: "cat /opt/of-the-image"`)).toBe("yes");
    expect(await run(`image: ${small}, workspace: true, cwd: ., command: ["pwd; ls"]`)).toBe(
      `${sample.root}\nDockerfile\nshop.js`,
    );
    expect(await run("image: { dockerfile: Dockerfile }")).toBe("/opt\nthe-build\n1000");
  });

  test("[SV64, AU32] gets another image by a reload, its folders stay, and what they take is told", async () => {
    const data = "data: [/var/kept]";
    const agent = await create(
      plain(
        `image: ${small}, ${data}, command: ["echo 1 > /var/kept/a; i=0; while [ $i -lt 20000 ]; do echo 0123456789012345678901234567890123456789; i=$((i + 1)); done > /var/kept/b; echo $OF"]`,
      ),
    );
    expect(await endOf(agent)).toBe("the-image");
    const { services } = await client.call("service.stats", { agent: agent.id, service: "box" });
    expect(services[0]?.dataBytes).toBeGreaterThan(800_000);
    const template = plain(`image: ${other}, ${data}, command: ["/bin/sh", "-c", "read a < /var/kept/a; echo $OF $a"]`);
    await client.call("agent.reload", { agent: agent.id, template });
    await expect
      .poll(async () => (await serviceIn(agent.id, "box"))?.end?.said, { timeout: 30_000 })
      .toBe("the-other 1\n");
    await remove(agent);
    // Unlike Node, this does not follow what the image has for links.
    const left = execFileSync("find", [join(daemon.home, "node"), "-name", "*kept*"], { encoding: "utf8" });
    expect(left).toBe("");
  });

  test("[SV65] that cannot be had is told in one sentence, and nothing of its agent stays", async () => {
    const agent = await create(plain("image: localhost/no-such:1"));
    expect(agent.state).toBe("error");
    expect(agent.because).toMatch(/the image localhost\/no-such:1 is not here and could not be pulled/);
    await remove(agent);
    const lost = await create(plain(`image: ${other}, entrypoint: [/bin/nothing]`));
    expect(await endOf(lost)).toContain("/bin/nothing: not found");
    await remove(lost);
  });
});
