// Everything at once, over the real socket.

import { afterAll, beforeAll, expect, test } from "vitest";
import { stateLimits, stateSchema } from "../../src/protocol/wire/state.ts";
import { toSubmit } from "../support/engine-rig.ts";
import { FaceNode } from "../support/faces/face-node.ts";
import { type FaceWorld, inFaceWorld, nothingSeen, openFaceWorld } from "../support/faces/face-world.ts";

const template = `
template: shop
services:
  web: { command: sleep 1000, ports: [http], health: { tcp: http } }
  queue: { command: sleep 1000 }
`;
/** What a model can read at once, and then some. */
const bytesMax = 600_000;

let world: FaceWorld;
let project: string;

beforeAll(async () => {
  world = await openFaceWorld();
  ({ project } = await world.http.call("project.add", { root: world.folder, name: "shop" }));
});
afterAll(() => world.close());

async function submit(more: object = {}): Promise<string> {
  const outcome = await world.submit(toSubmit(project, more));
  return outcome.ok && outcome.value.of === "id" ? outcome.value.id : "";
}

test("[AU20] projects, runs, agents, leases, the machine, the inbox and budgets are in one document", async () => {
  await world.http.call("policy.set", { name: "day", rules: { maxDayCostMicros: 5_000_000 } });
  const node = new FaceNode(world);
  const run = await submit({ plan: ["file:a.txt"] });
  await node.start(run);
  const waiter = await submit({ plan: ["file:a.txt"] });
  await world.submit({ type: "run.ask", run, family: node.familyOf(run), call: 0, text: "which colour?" });
  await world.http.call("agent.create", { project: "shop", template });
  const answer = await world.http.call("state", {});
  expect(answer).toEqual(await world.lines.call("state", {}).then((other) => ({ ...other, nowMs: answer.nowMs })));
  expect(stateSchema.parse(answer)).toEqual(answer);
  expect(answer).toMatchObject({
    ...{ v: 1, seq: world.engine.state.seq, version: "0.0.0" },
    nodes: [{ processors: 2, memory: { availableBytes: 2e9 }, disk: { freeBytes: 5e9 }, unowned: null }],
    projects: { total: 1, items: [{ name: "shop", runs: 2, agents: 1, published: true }] },
    runs: { total: 2, states: { "awaiting-input": 1, queued: 1 } },
    leases: { total: 1, items: [{ unit: "file:a.txt", holder: run }] },
    waiting: { total: 1, items: [{ holder: waiter, behind: [run], units: { total: 1, items: ["file:a.txt"] } }] },
    inbox: { total: 1, kinds: { question: 1 }, items: [{ run, what: "which colour?" }] },
    budgets: { todayMicros: 0, pools: { total: 1, items: [{ policy: "day", limitMicros: 5_000_000 }] } },
  });
  expect(answer.runs.items.find(({ id }) => id === run)).toMatchObject({ holds: 1, question: "which colour?" });
  const [agent] = answer.agents.items;
  expect(agent).toMatchObject({ name: "shop-1", state: "spawning", well: false, services: { total: 2 } });
  expect(agent?.services.items[0]?.ports).toMatchObject([{ name: "http" }]);
});

test("[AU20] agents have what they used when somebody last looked, what they may use, and their terminals", async () => {
  const point = { atMs: 7, cpu: 0.5, memoryBytes: 900, files: 3, processes: 2, diskBytes: null };
  const fine = [{ ...point, atMs: 5, diskBytes: 40 }, point];
  const seen = {
    ...nothingSeen,
    read: () => ({ fine, coarse: [], checks: [] }),
    shares: () => ({ memoryBytes: 5000, diskBytes: 60 }),
  };
  await inFaceWorld(
    async (other) => {
      const { http } = other;
      await http.call("project.add", { root: other.folder, name: "shop" });
      await http.call("policy.set", { name: "few", rules: { maxProcesses: 99 } });
      const { agents } = await http.call("agent.create", { project: "shop", template });
      const agent = agents[0]?.id ?? "";
      await other.submit({ type: "agent.made", agent, life: 1 });
      for (let at = 0; at < stateLimits.terminalsMax + 2; at++)
        await http.call("terminal.open", { agent, window: `w${at}`, cols: 80, rows: 24 });
      const answer = await http.call("state", {});
      expect(stateSchema.parse(answer)).toEqual(answer);
      const [found] = answer.agents.items;
      expect(found?.use).toEqual({
        ...{ atMs: 7, cpu: 0.5, memoryBytes: 900, files: 3, processes: 2, diskBytes: 40 },
        limits: { cpu: null, memoryBytes: 5000, processes: 99, diskBytes: 60 },
      });
      expect(found?.terminals).toMatchObject({ total: 10 });
      expect(found?.terminals.items).toHaveLength(stateLimits.terminalsMax);
      expect(found?.terminals.items[0]).toMatchObject({ window: "w9", keyboard: null, viewers: 0 });
      const terminal = found?.terminals.items[0]?.id ?? "";
      const eva = { viewer: "viewer-one", name: "eva" };
      await other.submit({ type: "terminal.keyboard", terminal, act: "take", ...eva });
      const at = other.engine.state.seq;
      const typed = { window: "w9", keyboard: "eva", viewers: 0 };
      expect((await http.call("state", {})).agents.items[0]?.terminals.items[0]).toMatchObject(typed);
      const [then] = (await http.call("state", { at })).agents.items;
      expect(then?.use).toBeNull();
      expect(then?.terminals.items[0]).toMatchObject({ ...typed, viewers: null });
    },
    { seen },
  );
});

test("[AU21] its size is bounded, however much there is", async () => {
  const title = "t".repeat(200);
  const many = stateLimits.itemsMax + 20;
  for (let at = 0; at < many; at++) await submit({ title, plan: [`file:${"d/".repeat(100)}${at}`] });
  for (let at = 0; at < 12; at++) await world.http.call("agent.create", { project: "shop", template });
  const answer = await world.http.call("state", {});
  expect(answer.runs.items).toHaveLength(stateLimits.itemsMax);
  expect(answer.runs.total).toBe(many + 2);
  // The newest are those that somebody asks about.
  expect(answer.runs.items[0]?.title).toBe(title);
  expect(answer.agents.total).toBe(13);
  expect(answer.leases.items.length).toBeLessThanOrEqual(stateLimits.itemsMax);
  expect(JSON.stringify(answer).length).toBeLessThan(bytesMax);
});

test("[AU20, AU21] archived agents are told by name; of an agent with many services those are shown first that are not well", async () => {
  const instances = (count: number): string =>
    `template: many\nservices:\n${["a", "b"].map((name) => `  ${name}: { command: sleep 1, instances: ${count} }\n`).join("")}`;
  await inFaceWorld(async (other) => {
    const { http } = other;
    await http.call("project.add", { root: other.folder, name: "shop" });
    const { agents } = await http.call("agent.create", { project: "shop", template: instances(32) });
    const agent = agents[0]?.id ?? "";
    await other.submit({ type: "agent.made", agent, life: 1 });
    const services = agents[0]?.services.map(({ name }) => name) ?? [];
    for (const service of services) await other.submit({ type: "service.began", agent, service, life: 1 });
    const end = { exit: 1, why: "ended", said: "" } as const;
    await other.submit({ type: "service.ended", agent, service: "b.32", life: 1, end });
    const answer = await http.call("state", {});
    expect(stateSchema.parse(answer)).toEqual(answer);
    const [found] = answer.agents.items;
    expect(found).toMatchObject({ rung: null, failures: 1, services: { total: 64, states: { up: 63, delayed: 1 } } });
    expect(found?.services.items).toHaveLength(stateLimits.servicesMax);
    expect(found?.services.items[0]).toMatchObject({ name: "b.32", state: "delayed" });
    expect(answer.archived).toEqual({ total: 0, items: [] });
    await http.call("agent.archive", { agent, force: true });
    await other.submit({ type: "agent.ended", agent, life: 1, cleared: false });
    const after = await http.call("state", {});
    expect(stateSchema.parse(after)).toEqual(after);
    expect(after.agents.total).toBe(0);
    expect(after.archived).toMatchObject({ total: 1, items: [{ id: agent, name: "many-1", template: "many" }] });
    const at = answer.seq;
    expect((await http.call("state", { at })).archived.total).toBe(0);
  });
});

test("[LG19] the past is asked for in the same way and answered in the same shape", async () => {
  const then = await world.http.call("state", {});
  const [locks, runs] = [await world.http.call("locks", {}), await world.http.call("run.list", {})];
  const { agents } = await world.http.call("agent.list", {});
  await submit({ plan: ["file:a.txt"] });
  await world.http.call("run.stop-all", {});
  const at = then.seq;
  const atMs = world.engine.state.atMs;
  expect(await world.http.call("state", { at })).toEqual({ ...then, nodes: [], nowMs: expect.any(Number) as number });
  expect(await world.http.call("locks", { at })).toEqual({ ...locks, nowMs: expect.any(Number) as number });
  expect((await world.http.call("run.list", { at })).runs).toEqual(runs.runs);
  expect((await world.lines.call("agent.list", { at })).agents).toEqual(agents);
  expect((await world.http.call("project.list", { at: 1 })).projects).toEqual([]);
  expect((await world.http.call("inbox", { at })).items).toMatchObject([{ what: "which colour?" }]);
  expect(await world.http.call("events.at", { atMs })).toEqual({ seq: world.engine.state.seq, atMs });
  await expect(world.http.call("state", { at: 99_999 })).rejects.toThrow('There is no event "99999"');
});
