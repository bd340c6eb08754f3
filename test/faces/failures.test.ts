// What failed in an agent and how it did over time, over the real socket; and what is foreseen, in the inbox and the state.

import { expect, test } from "vitest";
import type { Input } from "../../src/core/inputs.ts";
import type { OutputOf } from "../../src/protocol/operations.ts";
import { type FaceWorld, inFaceWorld, nothingSeen } from "../support/faces/face-world.ts";

const template = `
template: shop
services:
  db: { command: sleep 9 }
  web: { command: sleep 9, depends_on: [db], limits: { memory: 512MiB, memory_max: 1GiB }, restart: { limit: 1 } }
`;
const outOfMemory = { exit: 137, why: "out-of-memory", said: "too much", signal: "SIGKILL" } as const;

async function makeAgent(world: FaceWorld): Promise<string> {
  await world.http.call("project.add", { root: world.folder, name: "shop" });
  const { agent } = await world.http.call("agent.create", { project: "shop", template });
  await world.submit({ type: "agent.made", agent: agent.id, life: 1 });
  await world.submit({ type: "service.began", agent: agent.id, service: "db", life: 1 });
  await world.submit({ type: "service.began", agent: agent.id, service: "web", life: 1 });
  return agent.id;
}

const ended = (agent: string, life: number, end: Extract<Input, { type: "service.ended" }>["end"]): Input => ({
  ...{ type: "service.ended", agent, service: "web", life, end },
});

test("[AG71] failures are answered the newest first, with what was done about each", () =>
  inFaceWorld(async (world) => {
    const agent = await makeAgent(world);
    expect((await world.http.call("agent.failures", { agent })).failures).toEqual([]);
    await world.submit(ended(agent, 1, outOfMemory));
    const { failures, name } = await world.http.call("agent.failures", { agent: "shop-1", service: "web" });
    expect(name).toBe("shop-1");
    expect(failures).toMatchObject([
      {
        ...{
          service: "web",
          life: 1,
          class: "resources",
          found: "memory",
          end: outOfMemory,
          tried: "it was started again",
        },
        ...{ limits: { memoryBytes: 512 * 1024 ** 2, memoryBytesMax: 1024 ** 3 }, use: null },
        ...{ needs: [{ service: "db", state: "up", healthy: null }], before: { count: 0, lastAtMs: null } },
      },
    ]);
    expect(failures[0]?.recent[0]).toMatchObject({ type: expect.stringMatching(/^(agent|service)\./) as string });
    const shown = (await world.http.call("agent.get", { agent })).agent.services.find((each) => each.name === "web");
    expect(shown?.failures).toMatchObject([{ found: "memory", count: 1 }]);
    expect((await world.http.call("agent.failures", { agent, service: "db" })).failures).toEqual([]);
    await expect(world.http.call("agent.failures", { agent: "nobody" })).rejects.toMatchObject({ code: "not-found" });
    await expect(world.http.call("agent.failures", { agent, limit: 0 })).rejects.toMatchObject({ code: "bad-input" });
  }));

test("[AG22] a mistake in the template is in the inbox at once, with how often it came", () =>
  inFaceWorld(async (world) => {
    const agent = await makeAgent(world);
    await world.submit(ended(agent, 1, { exit: 127, why: "ended", said: "web: not found" }));
    const { items } = await world.http.call("inbox", { kind: "agent" });
    expect(items).toMatchObject([{ title: "shop-1", what: "web: it ended with 127: something was not found" }]);
    expect(items[0]?.command).toBe("signalbox agent failures shop-1");
  }));

test("[AG24] restarts that have to wait are in the inbox, with the policy that says so", () =>
  inFaceWorld(async (world) => {
    await world.http.call("policy.set", { name: "calm", rules: { maxRestarts: 1 } });
    await expect(world.http.call("policy.set", { name: "none", rules: { maxRestarts: 0 } })).rejects.toMatchObject({
      code: "bad-input",
    });
    const agent = await makeAgent(world);
    await world.submit(ended(agent, 1, outOfMemory));
    expect((await world.http.call("inbox", { kind: "warning" })).items).toEqual([]);
    await world.submit({ type: "service.ended", agent, service: "db", life: 1, end: { ...outOfMemory, why: "ended" } });
    const warnings = async (): Promise<unknown> => (await world.http.call("inbox", { kind: "warning" })).items;
    // Whether it has to wait is decided when it is due.
    await expect
      .poll(warnings)
      .toMatchObject([
        { title: "restarts", what: "1 service has to wait: calm lets 1 be started again within ten seconds" },
      ]);
  }));

test("[AG92] no agent is made where what those of its template take is not free, and limits beyond the machine are told", () => {
  const points: {
    atMs: number;
    cpu: number;
    memoryBytes: number;
    files: number;
    processes: number;
    diskBytes: null;
  }[] = [];
  const seen = { ...nothingSeen, read: () => ({ fine: points, coarse: [], checks: [] }) };
  return inFaceWorld(
    async (world) => {
      const agent = await makeAgent(world);
      const project = (await world.http.call("agent.get", { agent })).agent.project;
      const template = "template: shop\nlimits: { memory: 10TiB, cpu: 500 }\nservices: { web: { command: web } }\n";
      const { warnings } = await world.http.call("agent.create", { project, template });
      expect(warnings.map(({ message }) => message)).toEqual([
        "limits.memory is 10240GiB, and this machine has 3.7GiB of memory: it holds nobody back. Make it less.",
        "limits.cpu is 500, and this machine has 2 processors: it holds nobody back. Make it less.",
      ]);
      points.push({ atMs: 5, cpu: 1, memoryBytes: 1.5e9, files: 3, processes: 1, diskBytes: null });
      expect((await world.http.call("agent.history", { agent })).capacity).toMatchObject({
        more: 1,
        boundBy: "memory",
      });
      const two = world.http.call("agent.create", { project, template, count: 2 });
      await expect(two).rejects.toMatchObject({ code: "no-room" });
    },
    { seen },
  );
});

test("[AU41, AU42, AU43] how an agent did is answered, and what is foreseen is in the inbox and the state", () => {
  const minute = (at: number): number => at * 60_000;
  const free = Array.from({ length: 60 }, (_, at) => ({ atMs: minute(at), value: 1000 - at * 10 }));
  const point = { atMs: 5, cpu: 1, memoryBytes: 1024 ** 3, files: 3, processes: 1, diskBytes: null };
  const checks = [
    { atMs: 1, ms: 4, ok: true },
    { atMs: 2, ms: 8, ok: true },
    { atMs: 3, ms: 2000, ok: false },
  ];
  const seen = {
    ...nothingSeen,
    read: () => ({ fine: [point], coarse: [], checks }),
    free,
    starts: () => [{ atMs: -9, ms: 5, phases: [] }],
  };
  return inFaceWorld(
    async (world) => {
      const agent = await makeAgent(world);
      const ask = (): Promise<OutputOf<"agent.history">> => world.http.call("agent.history", { agent });
      // Within its first millisecond nobody knows how it does.
      await expect.poll(async () => (await ask()).services[1]?.availability).toEqual({ hour: 1, day: 1 });
      const history = await ask();
      expect(history).toMatchObject({ name: "shop-1", stepMs: 15_000, points: [point] });
      expect(history.services[1]).toMatchObject({
        ...{ name: "web", points: [point], availability: { hour: 1, day: 1 } },
        checks: { count: 3, failed: 1, p50Ms: 4, p95Ms: 8 },
      });
      expect(history.startup?.phases.map(({ phase }) => phase)).toEqual(["place", "db starts", "web starts"]);
      expect(history.starts).toEqual([{ atMs: -9, ms: 5, phases: [] }, history.startup]);
      expect(history.warnings).toMatchObject([{ kind: "disk", agent: null }]);
      expect(history.capacity).toMatchObject({ template: "shop" });
      expect(history.capacity.more).toBeLessThan(100);
      const { items } = await world.http.call("inbox", { kind: "warning" });
      expect(items).toMatchObject([{ title: "disk", command: "signalbox disk" }]);
      expect(items[0]?.what).toMatch(/^the disk that agents live on is full in 41 minutes/);
      expect((await world.http.call("state", {})).inbox.kinds).toMatchObject({ warning: 1 });
      expect((await world.http.call("agent.history", { agent, span: "day" })).points).toEqual([]);
    },
    { seen },
  );
});
