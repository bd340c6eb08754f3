// Living agents as wholes: what they are given beside their services, and what is done with them as one thing.

import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import { FakeRegistry } from "../support/fake-registry.ts";
import { AgentRig, serviceOf } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

describe.skipIf(noCages)("agents as wholes", () => {
  const rig = AgentRig.forAll({ "hello.txt": "hello\n" });

  test("[AW1, AW2] a secret is there for its service, for nobody else, and in no file of ours", async () => {
    const value = "open-sesame-4711";
    await rig.call("secret.set", { name: "STRIPE_KEY", value });
    const agent = await rig.up(`
template: sealed
services:
  api:
    command: 'echo "key $KEY"; echo -n $KEY | od -An -tx1 | tr -d "[:space:]"; echo; exec sleep 1000'
    env: { KEY: { secret: STRIPE_KEY } }
    health: { log: "key" }
  other: { command: 'echo "other $KEY"; exec sleep 1000', health: { log: other } }
`);
    await expect.poll(() => rig.said(agent, "api")).toBe(`key ${"*".repeat(16)}\n${"*".repeat(32)}\n`);
    expect(await rig.said(agent, "other")).toBe("other \n");
    expect(await rig.exec(agent, 'echo "exec ${KEY-none}"')).toBe("exec none\n");
    const peek = `for file in /proc/[0-9]*/environ; do { tr '\\0' '\\n' < $file; } 2>/dev/null | grep ^KEY=; done; true`;
    expect(await rig.exec(agent, peek)).toMatch(/^(KEY=\*{16}\n)*$/);
    expect(filesWith(rig.daemon.home, value)).toEqual([]);
    await rig.call("secret.remove", { name: "STRIPE_KEY" });
    await rig.call("service.restart", { agent: agent.id, service: "api" });
    await expect.poll(async () => (await rig.get(agent)).state).toBe("error");
    expect((await rig.get(agent)).services[0]?.end?.said).toContain("signalbox secret set STRIPE_KEY");
  });

  test("[AG86] an agent whose template says so has a copy of its project's files, as they are by now", async () => {
    rig.sample.write({ "old.txt": "old\n" });
    rig.sample.commit("there is one more");
    const stacked = await rig.up("{ template: stacked, workspace: overlay }");
    expect(await rig.exec(stacked, "cat old.txt; stat -f -c %T .")).toBe("old\noverlayfs\n");
    rig.sample.git("rm", "--quiet", "old.txt");
    rig.sample.commit("and gone again");
    const copied = await rig.up("{ template: copied, workspace: clone }");
    expect(copied.workspace).toBe("clone");
    expect(await rig.exec(copied, "ls; stat -f -c %T .")).not.toMatch(/old.txt|overlayfs/);
    await rig.exec(copied, "echo more >> hello.txt");
    await expect(rig.call("agent.remove", { agent: copied.id })).rejects.toMatchObject({ code: "unsaved" });
    await rig.call("agent.restart", { agent: copied.id });
    expect(await rig.settled(copied)).toMatchObject({ state: "running", life: 2 });
    expect(await rig.exec(copied, "cat hello.txt; stat -f -c %T .")).toMatch(/^hello\nmore\n(?!overlayfs)/);
    await rig.call("agent.remove", { agent: copied.id, discard: true });
    expect(await rig.settled(copied)).toBe(null);
  });

  test("[AG87] what was changed in an agent is in the trash when it was removed, as it was at the very end", async () => {
    rig.sample.write({ "spare.txt": "spare\n" });
    rig.sample.commit("one to remove");
    const agent = await rig.up(`
template: leaver
services:
  web: { command: 'trap "echo last words >> hello.txt; exit" TERM; echo up; while :; do sleep 0.1; done', health: { log: up } }
`);
    await rig.exec(agent, "echo new > new.txt; rm spare.txt");
    await expect(rig.call("agent.remove", { agent: agent.id })).rejects.toMatchObject({ code: "unsaved" });
    await rig.call("agent.remove", { agent: agent.id, setAside: true });
    expect(await rig.settled(agent)).toBe(null);
    const { items } = await rig.call("trash.list", {});
    const own = items.filter(({ agent: name }) => name === agent.name);
    expect(own.map(({ path, why }) => [path, why])).toEqual([
      ["hello.txt", "its agent was removed"],
      ["new.txt", "its agent was removed"],
      ["spare.txt", "its agent was removed"],
    ]);
    const read = async (path: string): Promise<string> => {
      const { base64 } = await rig.call("trash.get", { id: own.find((item) => item.path === path)?.id ?? "" });
      return Buffer.from(base64 ?? "", "base64").toString();
    };
    expect(await read("hello.txt")).toBe("hello\nlast words\n");
    expect(await read("new.txt")).toBe("new\n");
    expect((await rig.call("audit", {})).findings).toEqual([]);
  });

  test("[AW6, AW7, AW8, AW9, AW10] hooks come in their turn, and an agent is put away and brought back around its files", async () => {
    const agent = await rig.up(`
template: hooked
hooks:
  setup: 'echo set up $SIGNALBOX_AGENT; echo setup >> .git/order'
  ready: { command: 'echo ready >> order', cwd: .git, timeout: 5s }
  archive: 'test -e .git/dumped && echo archive $WEB_PORT >> .git/order'
services:
  web: { command: 'echo web >> .git/order; exec sleep 1000', ports: [http] }
`);
    const at = (): Promise<AgentView> => rig.get(agent);
    const [before] = agent.services.flatMap(({ ports }) => ports.map(({ port }) => port));
    await expect.poll(async () => (await at()).hooks.map(({ state }) => state)).toEqual(["done", "done", "waiting"]);
    expect((await rig.call("hook.output", { agent: agent.id, hook: "setup" })).text).toBe("set up hooked-1\n");
    await rig.call("agent.archive", { agent: agent.id });
    expect(await rig.settled(agent)).toMatchObject({ state: "running", archived: false });
    expect((await at()).hooks.at(-1)).toMatchObject({ state: "failed", end: { exit: 1 } });
    // Where it is down its hook cannot run, and it is not put away without.
    await rig.call("agent.stop", { agent: agent.id });
    expect(await rig.settled(agent)).toMatchObject({ state: "stopped" });
    await expect(rig.call("agent.archive", { agent: agent.id })).rejects.toMatchObject({ code: "archive-hook-down" });
    await rig.call("agent.start", { agent: agent.id });
    expect(await rig.settled(agent)).toMatchObject({ state: "running", archived: false });
    await rig.exec(agent, "touch .git/dumped");
    await rig.call("agent.archive", { agent: agent.id });
    expect(await rig.settled(agent)).toMatchObject({ state: "stopped", archived: true, services: [{ ports: [] }] });
    const listed = async (archived: boolean): Promise<string[]> =>
      (await rig.call("agent.list", { archived })).agents.map(({ id }) => id);
    expect(await listed(true)).toEqual([agent.id]);
    expect(await listed(false)).not.toContain(agent.id);
    await rig.call("agent.restore", { agent: agent.name });
    expect(await rig.settled(agent)).toMatchObject({ state: "running", archived: false, life: 3 });
    await expect
      .poll(async () => rig.exec(agent, "cat .git/order"))
      .toBe(`setup\nweb\nready\nweb\nready\narchive ${before}\nweb\nready\n`);
    await rig.call("agent.archive", { agent: agent.id, force: true });
    await rig.settled(agent);
    await rig.call("agent.remove", { agent: agent.id });
    expect(await rig.settled(agent)).toBeNull();
    expect((await rig.call("audit", {})).findings).toEqual([]);
  });

  test("[AW13, AW14] an agent becomes what its template says now: one service restarts, another keeps its process", async () => {
    const said = (word: string, rest = ""): string => `
template: changing
services:
  db: { command: 'echo $$ > .git/db; exec sleep 1000' }
  web: { command: 'echo ${word} > .git/web; exec sleep 1000', health: { command: 'grep ${word} .git/web' }${rest} }
`;
    const agent = await rig.up(said("before"));
    const pid = await rig.exec(agent, "cat .git/db");
    const given = { agent: agent.id, template: said("after", ", ports: [http]") };
    expect(await rig.call("agent.reload", { ...given, dryRun: true })).toMatchObject({ effect: "place" });
    const drift = await rig.call("agent.reload", { ...given, template: said("after"), dryRun: true });
    expect(drift.changes.map(({ path }) => path)).toEqual(["services.web.argv", "services.web.health"]);
    expect(drift).toMatchObject({ effect: "service", restarts: ["web"] });
    await rig.call("agent.reload", { ...given, template: said("after") });
    const webs = async (): Promise<unknown> => serviceOf(await rig.get(agent), "web");
    await expect.poll(webs).toMatchObject({ life: 2, healthy: true });
    expect(await rig.exec(agent, "cat .git/web .git/db")).toBe(`after\n${pid}`);
    await rig.call("agent.reload", given);
    expect(await rig.settled(agent)).toMatchObject({ state: "running", life: 2 });
    expect(await webs()).toMatchObject({ ports: [{ name: "http" }] });
  });

  test("[AW4] services reach whom their template lists and nobody else, and it is written down as the agent's", async () => {
    const registry = await FakeRegistry.start();
    try {
      const agent = await rig.up(`
template: online
egress: { allow: ["${registry.place}"] }
services: { idle: { command: sleep 1000 } }
`);
      const asking = (url: string): string =>
        `node -e 'const { hostname: host, port } = new URL(process.env.HTTP_PROXY); require("http").get({ host, port, path: "${url}" }, async (a) => console.log(a.statusCode, String(await a.toArray())))'`;
      expect(await rig.exec(agent, asking(`${registry.url}/nothing`))).toMatch(/^404 /);
      expect(await rig.exec(agent, asking("http://example.org/"))).toContain("not on the list of agent online-1");
      const { egress, hosts } = await rig.call("agent.egress", { agent: agent.name });
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

/** Files below a folder in which a text is. Others may go while it is looked. */
function filesWith(folder: string, text: string): string[] {
  const { error, stdout } = spawnSync("grep", ["-rlsF", "-e", text, folder], { encoding: "utf8" });
  if (error !== undefined) throw error;
  return stdout.split("\n").filter(Boolean);
}
