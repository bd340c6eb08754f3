// Single services of a living agent: what is asked of one alone.

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { groupTier } from "../../src/node/keepers/keeper-groups.ts";
import type { OutputOf } from "../../src/protocol/operations.ts";
import type { AgentView } from "../../src/protocol/wire/agent.ts";
import { AgentRig, portOf } from "../support/agent-rig.ts";
import { noCages } from "../support/keeper-rig.ts";

const stack = (word: string): string => `
template: shop
env: { COMMON: all, PASSWORD: { generate: hex } }
services:
  db: { command: 'echo ready; exec sleep 1000', health: { log: ready } }
  web:
    command: 'echo "ERROR ${word} in life"; echo up; exec sleep 1000'
    cwd: folder
    ports: [http]
    env: { MODE: loud, KEY: { secret: SHOP_KEY } }
    health: { log: up }
`;

describe.skipIf(noCages)("single services", () => {
  const rig = AgentRig.forAll({ "folder/hello.txt": "hello\n" });
  let agent: AgentView;

  beforeAll(async () => {
    await rig.call("secret.set", { name: "SHOP_KEY", value: "open-sesame-4711" });
    agent = await rig.up(stack("one"));
  });

  const of = (service: string): { agent: string; service: string } => ({ agent: agent.id, service });

  test("[AG83] a command beside a service has its folder, variables and ports, and no secret", async () => {
    const argv = ["sh", "-c", 'echo "$COMMON $MODE ${KEY-none} $PORT ${#PASSWORD}"; ls'];
    const { output } = await rig.call("service.exec", { ...of("web"), argv });
    expect(output).toMatch(new RegExp(`^all loud none ${portOf(agent, "web")} [0-9]+\nhello.txt\n$`));
    const elsewhere = await rig.call("service.exec", { ...of("web"), argv: ["pwd"], cwd: "." });
    const beside = await rig.call("agent.exec", { agent: agent.id, argv: ["pwd"] });
    expect(elsewhere.output).toBe(beside.output);
    await expect(rig.call("service.exec", { ...of("nobody"), argv })).rejects.toMatchObject({ code: "not-found" });
  });

  test("[AU30] what a service uses, and its processes, are told of it alone", async () => {
    expect((await rig.call("service.get", of("web"))).services).toMatchObject([{ name: "web", state: "up" }]);
    const { services } = await rig.call("service.stats", of("web"));
    expect(services).toMatchObject([{ name: "web", state: "up", processes: 1 }]);
    const top = await rig.call("service.top", of("web"));
    expect(top).toMatchObject({ name: agent.name, total: 1, processes: [{ service: "web", command: "sleep 1000" }] });
  });

  test("[SV12] what services said is searched through their lives, also those that are over", async () => {
    const search = (more: object = {}): Promise<OutputOf<"service.search">> =>
      rig.call("service.search", { agent: agent.id, text: "ERROR", ...more });
    await rig.call("service.restart", of("web"));
    await expect
      .poll(async () => (await search()).matches.map(({ service, life }) => [service, life]))
      .toEqual([
        ["web", 1],
        ["web", 2],
      ]);
    const line = "ERROR one in life";
    expect((await search({ lives: "newest" })).matches).toEqual([{ service: "web", life: 2, offset: 0, line }]);
    expect(await search({ limit: 1 })).toMatchObject({ matches: [{ life: 2 }], more: true });
    expect(await search({ services: ["db"] })).toMatchObject({ matches: [], more: false });
    await expect(search({ services: ["nobody"] })).rejects.toMatchObject({ code: "not-found" });
    await rig.running(agent);
  });

  test("[AW15] one service becomes what a template says of it, and no other", async () => {
    const template = stack("two").replace("COMMON: all", "COMMON: other");
    const drift = await rig.call("service.reload", { ...of("web"), template, dryRun: true });
    expect(drift.changes.map(({ path }) => path)).toEqual(["services.web.argv"]);
    await rig.call("service.reload", { ...of("web"), template });
    const { services } = await rig.running(agent);
    expect(services.map(({ name, life }) => [name, life])).toEqual([
      ["db", 1],
      ["web", 3],
    ]);
    // It is up before what it says first has come.
    const search = { agent: agent.id, text: "ERROR two" };
    await expect
      .poll(async () => (await rig.call("service.search", search)).matches.map(({ life }) => life))
      .toEqual([3]);
    expect(await rig.exec(agent, "echo $COMMON")).toBe("all\n");
    const other = template.replace("template: shop", "template: other");
    await expect(rig.call("service.reload", { ...of("web"), template: other })).rejects.toMatchObject({
      code: "reload-refused",
    });
    await expect(rig.call("service.reload", { ...of("db"), template: "template: shop" })).rejects.toMatchObject({
      code: "not-found",
    });
    // Whom others need cannot go out of their sight.
    const needy = template.replace("cwd: folder", "depends_on: [cache]").concat("  cache: { command: sleep 1000 }\n");
    await expect(rig.call("service.reload", { ...of("web"), template: needy })).rejects.toMatchObject({
      code: "bad-template",
    });
    expect((await rig.get(agent)).services).toHaveLength(2);
  });

  test("[AW13, SV6] what a service may use becomes another while it runs, where the machine can hold it to that", async () => {
    const lives = async (): Promise<number[]> => (await rig.running(agent)).services.map(({ life }) => life);
    const [before, tier] = [await lives(), await groupTier()];
    const limited = stack("two").replace("cwd: folder", "cwd: folder\n    limits: { memory: 64MiB, processes: 20 }");
    const plan = await rig.call("service.reload", { ...of("web"), template: limited });
    expect(plan).toMatchObject({ effect: "none", restarts: [] });
    const { services } = await rig.call("service.stats", of("web"));
    expect(services).toMatchObject([{ limits: { memoryBytes: 64 * 1024 * 1024, processes: 20 } }]);
    if (tier === "prlimit") return;
    const memory = tier === "cgroup2" ? "memory.max" : "memory.limit_in_bytes";
    const pid = (await rig.call("service.top", of("web"))).processes[0]?.pid ?? 0;
    await expect.poll(() => groupFileOf(pid, memory)).toBe(String(64 * 1024 * 1024));
    expect(await lives()).toEqual(before);
    // Also where the daemon was killed before it could say so.
    await rig.call("service.reload", { ...of("web"), template: limited.replace("64MiB", "96MiB") });
    await rig.restartDaemon();
    await expect.poll(() => groupFileOf(pid, memory)).toBe(String(96 * 1024 * 1024));
    expect(await lives()).toEqual(before);
    const fewer = limited.replace("processes: 20", "processes: 20, files: 99");
    expect(await rig.call("service.reload", { ...of("web"), template: fewer })).toMatchObject({ effect: "service" });
    expect(await lives()).toEqual([before[0], (before[1] ?? 0) + 1]);
    await rig.call("service.reload", { ...of("web"), template: stack("two") });
    await rig.running(agent);
  });

  test("[AW13, SV7] a service that hears of other variables reads them from its file, and goes on", async () => {
    const hearing = (word: string): string => `
template: hearing
env: { COMMON: all }
services:
  web:
    command: 'show() { . "$SIGNALBOX_ENV_FILE"; echo "word $WORD, $COMMON"; }; trap show HUP; show; echo up; while :; do sleep 0.1; done'
    env: { WORD: "${word}" , KEY: { secret: SHOP_KEY } }
    env_signal: HUP
    health: { log: up }
`;
    const { id, services } = await rig.up(hearing("first"));
    const reload = (template: string): Promise<OutputOf<"agent.reload">> =>
      rig.call("agent.reload", { agent: id, template });
    const said = (): Promise<string> => rig.said(id, "web");
    expect(await reload(hearing("it's $second"))).toMatchObject({ effect: "none", restarts: [] });
    await expect.poll(said).toBe("word first, all\nup\nword it's $second, all\n");
    await reload(hearing("third").replace("COMMON: all", "COMMON: some, MADE: { generate: hex, bytes: 8 }"));
    await rig.restartDaemon();
    await expect.poll(said).toContain("word third, some\n");
    const now = await rig.running(id);
    expect(now.services.map(({ life }) => life)).toEqual(services.map(({ life }) => life));
    const output = await rig.exec(id, "cat /tmp/signalbox-env-*");
    expect(output).not.toContain("open-sesame");
    expect(output).toMatch(/^MADE='[0-9a-f]{16}'$/m);
    await rig.call("agent.remove", { agent: id, force: true, discard: true });
    expect(await rig.settled(id)).toBeNull();
  });

  test("[AW15, SV26] there are as many instances of a service as are wanted, and one again", async () => {
    await rig.call("service.scale", { ...of("web"), instances: 3 });
    const names = (await rig.running(agent)).services.map(({ name }) => name);
    expect(names).toEqual(["db", "web.1", "web.2", "web.3"]);
    expect((await rig.call("service.stats", of("web"))).services).toHaveLength(3);
    expect((await rig.call("service.top", of("web.2"))).processes).toMatchObject([{ service: "web.2" }]);
    const lives = async (): Promise<object> =>
      Object.fromEntries((await rig.running(agent)).services.map(({ name, life }) => [name, life]));
    expect((await rig.running(agent)).life).toBe(2);
    expect(await rig.call("service.scale", { ...of("web"), instances: 4 })).toMatchObject({ effect: "none" });
    expect(await lives()).toEqual({ db: 2, "web.1": 1, "web.2": 1, "web.3": 1, "web.4": 1 });
    await rig.call("service.scale", { ...of("web"), instances: 2 });
    expect(await lives()).toEqual({ db: 2, "web.1": 1, "web.2": 1 });
    expect((await rig.running(agent)).life).toBe(2);
    await rig.call("service.scale", { ...of("web.1"), instances: 1 });
    expect((await rig.running(agent)).services.map(({ name }) => name)).toEqual(["db", "web"]);
    // It counts its lives anew, and what it said in those before is not taken for what it says.
    const { life, ended } = await rig.call("service.output", of("web"));
    expect({ life, ended }).toEqual({ life: 1, ended: false });
    expect(await rig.call("service.scale", { ...of("web"), instances: 1 })).toMatchObject({ changes: [] });
  });
});

/** What a file of a process's group says, of either kind of groups. */
function groupFileOf(pid: number, file: string): string {
  const groups = readFileSync(`/proc/${pid}/cgroup`, "utf8");
  const [, unified] = /^0::(\/.+)$/m.exec(groups) ?? [];
  const [, older] = /^\d+:memory:(\/.+)$/m.exec(groups) ?? [];
  const folder = older === undefined ? `/sys/fs/cgroup${unified ?? ""}` : `/sys/fs/cgroup/memory${older}`;
  return readFileSync(`${folder}/${file}`, "utf8").trim();
}
