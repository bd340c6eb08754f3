// The stacks that come along, each started for real: what a person gets who begins with one of them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import { AgentRig, serviceOf } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";
import { noPostgres } from "../support/postgres.ts";

/** A shop that needs no package: it asks its database by the client that PostgreSQL brings. */
const shop = `
const { execFileSync } = require("child_process");
const sql = (text) => execFileSync("psql", ["-At", process.env.DATABASE_URL, "-c", text], { encoding: "utf8" }).trim();
sql("create table if not exists visits (at timestamptz default now())");
require("http").createServer((asked, answer) => {
  sql("insert into visits default values");
  answer.end("visit " + sql("select count(*) from visits"));
}).listen(Number(process.env.PORT), process.env.HOST);
`;

const app = `
import os
from http.server import BaseHTTPRequestHandler, HTTPServer
class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"python")
HTTPServer((os.environ["HOST"], int(os.environ["PORT"])), Page).serve_forever()
`;

const files = {
  "package.json": JSON.stringify({ name: "shop", private: true, scripts: { dev: "node shop.js" } }),
  "shop.js": shop,
  "app.py": app,
  "index.html": "static",
  "pages/a.html": "a",
  "pages/b.html": "b",
  "pages/.env": "KEY=1",
  ".well-known/who": "everybody",
};

const stack = (name: string): string => readFileSync(join(import.meta.dirname, `../../templates/${name}.yaml`), "utf8");

describe.skipIf(noCages)("the stacks that come along", () => {
  const rig = AgentRig.forAll(files);

  const up = (name: string): Promise<AgentView> => rig.up(stack(name));
  const addressOf = (agent: AgentView, service: string): string => serviceOf(agent, service).ports[0]?.address ?? "";
  const ask = async (agent: AgentView, service: string, path = "/"): Promise<string> =>
    (await fetch(`http://${addressOf(agent, service)}${path}`)).text();

  test("[AG9] bare: a workspace in which commands run", async () => {
    const agent = await up("bare");
    expect(await rig.exec(agent, "cat index.html")).toBe("static");
  });

  test("[AG9] static-site: the files of the project as pages", async () => {
    const agent = await up("static-site");
    expect(await ask(agent, "site", "/index.html")).toBe("static");
    expect(await ask(agent, "site", "/pages/")).toMatch(/a\.html[^]*b\.html/);
    expect(await ask(agent, "site", "/.well-known/who")).toBe("everybody");
    // Nobody gets at what is hidden, by any spelling or by a link, and no list names it.
    await rig.exec(agent, "ln -s ../.git pages/link");
    const hidden = ["/.git/HEAD", "/.git/", "/%2egit/HEAD", "/pages/../.git/HEAD", "/pages/.env", "/pages/link/HEAD"];
    const codes = hidden.map(async (path) => (await fetch(`http://${addressOf(agent, "site")}${path}`)).status);
    expect(await Promise.all(codes)).toEqual(hidden.map(() => 404));
    expect(await ask(agent, "site", "/pages/")).not.toContain(".env");
  });

  test("[AG9] python: the application listens where it is told", async () => {
    const agent = await up("python");
    expect(await ask(agent, "web")).toBe("python");
    expect(serviceOf(agent, "install")).toMatchObject({ state: "completed" });
    expect(await rig.exec(agent, "printenv HTTPS_PROXY"), "the way to registries").toMatch(/^http:/);
  });

  test.skipIf(noPostgres)(
    "[AG9, AG16, SV50] node-postgres: the application has a database of its own, whose data outlive every restart",
    { timeout: 240_000 },
    async () => {
      const agent = await up("node-postgres");
      expect(serviceOf(agent, "db")).toMatchObject({ kind: "external", healthy: true });
      expect(await ask(agent, "web")).toBe("visit 1");
      const lifeOf = async (service: string): Promise<number> =>
        (await rig.call("agent.get", { agent: agent.id })).agent.services.find(({ name }) => name === service)?.life ??
        0;
      await rig.call("agent.restart", { agent: agent.id, applications: true });
      await expect.poll(() => lifeOf("web"), { timeout: 60_000 }).toBe(2);
      await expect.poll(() => ask(agent, "web").catch(() => ""), { timeout: 60_000 }).toBe("visit 2");
      expect(await lifeOf("db")).toBe(1);
      await rig.call("agent.restart", { agent: agent.id });
      expect(await ask(await rig.running(agent), "web")).toBe("visit 3");
      await rig.call("agent.archive", { agent: agent.id });
      expect(await rig.settled(agent)).toMatchObject({ archived: true });
      await rig.call("agent.restore", { agent: agent.id });
      expect(await ask(await rig.running(agent), "web")).toBe("visit 4");
    },
  );
});
