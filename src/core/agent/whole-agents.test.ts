import { describe, expect, test } from "vitest";
import { AgentWorld, crashed, db, lone, service, web } from "../../../test/support/agent-world.ts";
import { fromPlain, toPlain } from "../snapshot.ts";
import type { AgentSpec, HookName, ServiceSpec } from "./agent-spec.ts";
import type { ServiceEnd } from "./agent-state.ts";

const done: ServiceEnd = { exit: 0, why: "ended", said: "" };
const hook = { argv: ["true"], cwd: null, timeoutMs: 1000 };

class WholeWorld extends AgentWorld {
  with(...names: HookName[]): string {
    const hooks = Object.fromEntries(names.map((name) => [name, hook]));
    return this.create([lone], undefined, { hooks });
  }

  hookEnds(agent: string, name: HookName, end: ServiceEnd = done): void {
    this.ok({ type: "hook.end", agent, hook: name, number: this.agent(agent).hooks, end }, "system");
  }

  up(...names: HookName[]): string {
    const id = this.with(...names);
    this.made(id);
    if (names.includes("setup")) this.hookEnds(id, "setup");
    this.began(id, "web");
    if (names.includes("ready")) this.hookEnds(id, "ready");
    return id;
  }

  down(id: string): void {
    this.ended(id, "web");
    this.gone(id);
  }
}

describe("hooks", () => {
  test("[AW6] setup comes once, when the place is there and before any service", () => {
    const world = new WholeWorld();
    const id = world.with("setup");
    expect(world.agent(id).hook).toBeNull();
    world.made(id);
    expect(world.acts()).toMatchObject([{ type: "bound" }, { type: "hook", hook: "setup", number: 1 }]);
    expect(world.states(id)).toEqual({ web: "down" });
    expect(world.todo()).toEqual([`bound:${id}`, `hook:${id}/setup`]);
    world.hookEnds(id, "setup");
    expect(world.states(id)).toEqual({ web: "starting" });
    world.began(id, "web");
    world.ok({ type: "agent.restart", agent: id });
    world.down(id);
    world.made(id);
    expect(world.states(id)).toEqual({ web: "starting" });
  });

  test("[AW6] a setup that fails asks a person, who has it tried again; one that was lost is tried again by itself", () => {
    const world = new WholeWorld();
    const id = world.with("setup");
    world.made(id);
    world.hookEnds(id, "setup", crashed);
    expect(world.agent(id)).toMatchObject({ state: "error", because: "setup: it ended with 1", hook: null });
    expect(world.states(id)).toEqual({ web: "down" });
    world.ok({ type: "agent.start", agent: id });
    expect(world.agent(id)).toMatchObject({ state: "spawning", hook: "setup", hooks: 2 });
    // What is told of the first one is no news.
    world.ok({ type: "hook.end", agent: id, hook: "setup", number: 1, end: done }, "system");
    expect(world.agent(id).isSetUp).toBe(false);
    world.hookEnds(id, "setup", { exit: "unknown", why: "lost", said: "" });
    expect(world.agent(id)).toMatchObject({ state: "stopping", rung: "recreate" });
    world.gone(id);
    world.made(id);
    expect(world.agent(id)).toMatchObject({ hook: "setup", hooks: 3 });
    world.hookEnds(id, "setup", { exit: 143, why: "timed-out", said: "" });
    expect(world.agent(id)).toMatchObject({ state: "error", because: "setup: it took longer than it may" });
  });

  test("[AW7] ready comes each time that everything is up, and its failure takes nothing down", () => {
    const world = new WholeWorld();
    const id = world.with("ready");
    world.made(id);
    world.began(id, "web");
    expect(world.agent(id)).toMatchObject({ state: "running", hook: "ready" });
    world.hookEnds(id, "ready", crashed);
    expect(world.agent(id)).toMatchObject({ state: "running", hook: null, hookEnds: { ready: { ok: false } } });
    world.ok({ type: "agent.restart", agent: id });
    world.down(id);
    world.made(id);
    world.began(id, "web");
    expect(world.agent(id)).toMatchObject({ state: "running", hook: "ready", hooks: 2 });
    expect(fromPlain(toPlain(world.state)).agents.get(id)).toMatchObject({ hook: "ready", hooks: 2 });
  });
});

test("[AW11] several are made together, each with a number, its own ports and its own life; or none is", () => {
  const world = new WholeWorld();
  const three = { ...world.asked([lone], {}, [1, 2, 3, 4]), count: 3 };
  const answer = world.ok(three);
  expect(answer).toMatchObject({ of: "ids" });
  const agents = [...world.state.agents.values()];
  expect(agents.map(({ name }) => name)).toEqual(["shop-1", "shop-2", "shop-3"]);
  expect(new Set(agents.flatMap(({ ports }) => [...ports.values()])).size).toBe(3);
  expect(world.no(three)).toEqual({ code: "no-ports", wanted: 3, free: 1 });
  world.policy("five", { maxAgents: 5 });
  const more = { ...three, name: "blue", offered: [5, 6, 7] };
  expect(world.no(more)).toMatchObject({ policy: "five", what: "6 agents, where 5 may be" });
  expect(world.state.agents.size).toBe(3);
  world.ok({ ...more, count: 2 });
  expect([...world.state.agents.values()].map(({ name }) => name)).toContain("blue-2");
});

describe("an agent whose template has changed", () => {
  const queue = service("queue", { ports: [], needs: [{ service: "web", until: "started" }] });
  const made = (world: WholeWorld): string => world.running([db, web, queue]);
  const reload = (world: WholeWorld, agent: string, services: readonly ServiceSpec[], more: Partial<AgentSpec> = {}) =>
    ({
      type: "agent.reload",
      agent,
      spec: { ...world.agent(agent).spec, services, ...more },
      offered: [8, 9],
    }) as const;

  test("[AW14] restarts what changed and whoever needs it, and nobody else", () => {
    const world = new WholeWorld();
    const id = made(world);
    world.ok(reload(world, id, [db, { ...web, argv: ["other"] }, queue]));
    expect(world.states(id)).toEqual({ db: "up", web: "stopping", queue: "stopping" });
    world.ended(id, "web");
    world.ended(id, "queue");
    expect(world.states(id)).toEqual({ db: "up", web: "starting", queue: "waiting" });
    world.began(id, "web");
    world.began(id, "queue");
    expect(world.agent(id).services.get("web")).toMatchObject({ life: 2, spec: { argv: ["other"] } });
    expect(world.lifeOf(id, "db")).toBe(1);
    expect(world.agent(id).state).toBe("running");
  });

  test("[AW13, AW14] tells those that run what is another about them, and nobody else", () => {
    const world = new WholeWorld();
    const limits = { memoryBytes: 1024, memoryBytesMax: 2048, cpu: null, processes: null, files: null };
    const [limited, hearing] = [{ ...queue, limits }, service("mail", { envSignal: "HUP", env: { A: "1" } })];
    const id = world.running([db, web, limited, hearing]);
    const told = (services: readonly ServiceSpec[], more: Partial<AgentSpec> = {}): string[] => {
      world.ok(reload(world, id, services, more));
      return world.acts().flatMap((act) => (act.type === "adapt" ? [act.service] : []));
    };
    expect(told([db, web, limited, hearing], { faces: [{ name: "mail" } as never] })).toEqual([]);
    const roomier = { ...limited, limits: { ...limits, memoryBytesMax: 4096 } };
    expect(told([db, web, roomier, hearing])).toEqual([]);
    const other = { ...roomier, limits: { ...roomier.limits, memoryBytes: 512 } };
    expect(told([db, web, other, hearing])).toEqual(["queue"]);
    expect(told([db, web, other, { ...hearing, env: { A: "2" } }])).toEqual(["mail"]);
    // Who begins anew anyway has it then.
    expect(told([db, { ...web, argv: ["other"] }, { ...other, limits }, { ...hearing, env: {} }])).toEqual(["mail"]);
    for (const name of ["web", "queue"]) world.ended(id, name);
    for (const name of ["web", "queue"]) world.began(id, name);
    const given = { exit: 137, why: "out-of-memory", said: "" } as const;
    world.wearOut(id, "queue", given);
    world.began(id, "queue");
    expect(world.agent(id).room.memory).toEqual({ queue: 2048 });
    expect(
      told([db, { ...web, argv: ["other"] }, { ...other, limits }, { ...hearing, env: {} }], { faces: [] }),
    ).toEqual(["queue"]);
  });

  test("[AW14] has new services come up, and those that are gone go down and be forgotten", () => {
    const world = new WholeWorld();
    const id = made(world);
    const more = service("more", { ports: [], restart: { ...lone.restart, limit: 9 } });
    world.ok(reload(world, id, [db, web, more]));
    expect(world.states(id)).toEqual({ db: "up", web: "up", more: "starting", queue: "stopping" });
    expect(world.no({ type: "service.start", agent: id, service: "queue" })).toMatchObject({ code: "not-found" });
    world.ended(id, "queue");
    expect(world.states(id)).toEqual({ db: "up", web: "up", more: "starting" });
    expect(fromPlain(toPlain(world.state)).agents.get(id)?.services.size).toBe(3);
  });

  test("[AW14] changes rules at once, its place for a port, and nothing where another agent is needed", () => {
    const world = new WholeWorld();
    const id = made(world);
    const before = world.log.length;
    world.ok(reload(world, id, [db, { ...web, stop: { signal: "INT", graceMs: 5 } }, queue]));
    expect(world.log.length).toBe(before + 1);
    expect(world.no(reload(world, id, [db], { image: { name: "node:24" } }))).toEqual({
      ...{ code: "reload-refused", agent: "shop-1", paths: ["image"] },
    });
    const two = { ...web, ports: ["main", "admin"] };
    world.ok(reload(world, id, [db, two, queue]));
    expect(world.agent(id)).toMatchObject({ state: "stopping", wish: "run", because: "its template has changed" });
    expect(world.agent(id).ports.get("web.admin")).toBe(8);
    expect(world.agent(id).ports.size).toBe(3);
    world.ok(reload(world, id, [db, two, queue]));
    for (const name of ["queue", "web", "db"]) world.ended(id, name);
    expect(world.acts()).toMatchObject([{ type: "unmake", how: "place" }]);
  });

  test("[AW14, SV26] has instances begun anew in turn, and beside the old one where it overlaps", () => {
    const world = new WholeWorld();
    const [two, beside] = [service("web", { instances: 2, ports: [] }), service("api", { overlap: true, ports: [] })];
    const id = world.create([two, beside]);
    world.made(id);
    for (const name of ["web.1", "web.2", "api.1"]) world.began(id, name);
    world.ok(
      reload(
        world,
        id,
        [two, beside].map((each) => ({ ...each, argv: ["other"] })),
      ),
    );
    expect(world.states(id)).toEqual({ "web.1": "stopping", "web.2": "up", "api.1": "up", "api.2": "starting" });
    world.ended(id, "web.1");
    for (const name of ["web.1", "api.2"]) world.began(id, name);
    expect(world.states(id)).toEqual({ "web.1": "up", "web.2": "stopping", "api.1": "stopping", "api.2": "up" });
    expect(world.agent(id).services.get("api.2")).toMatchObject({ group: "api", spec: { argv: ["other"] } });
    world.ok({ type: "service.stop", agent: id, service: "api" });
    world.ok(
      reload(world, id, [
        { ...two, instances: 3 },
        { ...beside, instances: 2 },
      ]),
    );
    const wanted = [...world.agent(id).services.values()].map((each) => [each.spec.name, each.wanted]);
    expect(Object.fromEntries(wanted)).toEqual({
      ...{ "web.1": true, "web.2": true, "web.3": true, "api.1": false, "api.2": false, "api.3": false },
    });
    expect(world.agent(id)).toMatchObject({ state: "running", life: 1 });
  });

  test("[AW14] goes on when the last to end is one that its template does not have any more", () => {
    const world = new WholeWorld();
    const id = world.running([db, lone]);
    world.ok(reload(world, id, [{ ...lone, instances: 2 }]));
    expect(world.states(id)).toEqual({ "web.1": "down", "web.2": "down", db: "stopping", web: "stopping" });
    for (const name of ["web", "db"]) world.ended(id, name);
    expect(world.acts()).toMatchObject([{ type: "unmake", how: "place" }]);
    world.gone(id);
    world.made(id);
    expect(world.states(id)).toEqual({ "web.1": "starting", "web.2": "starting" });
    expect([...world.agent(id).ports.keys()]).toEqual(["web.main", "web.1.main", "web.2.main"]);
  });

  test("[AW14] has a service come at its new times, and not before", () => {
    const world = new WholeWorld();
    const at = (cron: string) =>
      service("job", {
        ports: [],
        restart: { ...lone.restart, policy: "never" },
        schedule: { cron, zone: "UTC", shifts: [] },
      });
    const id = world.create([at("0 3 * * *")]);
    world.made(id);
    const next = world.agent(id).services.get("job")?.nextAtMs ?? 0;
    world.ok(reload(world, id, [{ ...at("0 4 * * *"), argv: ["other"] }]));
    expect(world.agent(id).services.get("job")).toMatchObject({ state: "scheduled", life: 0 });
    const other = world.agent(id).services.get("job")?.nextAtMs ?? 0;
    expect([3, 4]).toEqual([next, other].map((ms) => new Date(ms).getUTCHours()));
    world.pass(other - world.state.wallOffsetMs - world.nowMs);
    expect(world.states(id)).toEqual({ job: "starting" });
  });

  test("[AW14] is not set up because its template has a setup now, and one that is archived is not reloaded", () => {
    const world = new WholeWorld();
    const id = made(world);
    world.ok(reload(world, id, [db, web, queue], { hooks: { setup: hook } }));
    expect(world.agent(id)).toMatchObject({ state: "running", hook: null, isSetUp: true });
    world.ok({ type: "agent.archive", agent: id, force: true });
    world.gone(id);
    expect(world.no(reload(world, id, [db]))).toEqual({ code: "agent-archived", agent: "shop-1" });
  });
});

describe("an agent that is put away", () => {
  test("[AW8] does what it does before that while its services are there, and stays where that fails", () => {
    const world = new WholeWorld();
    const id = world.up("archive");
    world.ok({ type: "agent.archive", agent: id, force: false });
    expect(world.agent(id)).toMatchObject({ state: "running", hook: "archive", wish: "archive" });
    world.hookEnds(id, "archive", crashed);
    expect(world.agent(id)).toMatchObject({ state: "running", wish: "run", isArchived: false });
    world.ok({ type: "agent.archive", agent: id, force: false });
    world.hookEnds(id, "archive");
    expect(world.agent(id).state).toBe("stopping");
    world.down(id);
    expect(world.agent(id)).toMatchObject({ state: "stopped", isArchived: true, isMade: false });
  });

  test("[AW8] is mended first where a service fails for good meanwhile", () => {
    const world = new WholeWorld();
    const id = world.up("archive");
    world.ok({ type: "agent.archive", agent: id, force: false });
    world.wearOut(id, "web");
    expect(world.agent(id)).toMatchObject({ state: "stopping", wish: "run", rung: "recreate" });
  });

  test("[AW8] by force it does nothing before, also while that is under way", () => {
    const world = new WholeWorld();
    const id = world.up("archive");
    world.ok({ type: "agent.archive", agent: id, force: false });
    world.ok({ type: "agent.archive", agent: id, force: true });
    expect(world.agent(id).state).toBe("stopping");
    world.gone(id);
    expect(world.agent(id)).toMatchObject({ isArchived: true, hook: null });
  });

  test("[AW8] is not archived where it has no place for what it does before that, unless by force", () => {
    const world = new WholeWorld();
    const id = world.up("archive");
    const archive = { type: "agent.archive", agent: id } as const;
    world.ok({ type: "agent.stop", agent: id, force: false });
    expect(world.no({ ...archive, force: false })).toEqual({
      ...{ code: "archive-hook-down", agent: "shop-1", state: "stopping" },
    });
    world.down(id);
    expect(world.no({ ...archive, force: false })).toMatchObject({ code: "archive-hook-down", state: "stopped" });
    expect(world.agent(id)).toMatchObject({ wish: "stop", isArchived: false });
    world.ok({ ...archive, force: true });
    expect(world.agent(id).isArchived).toBe(true);
    // Asked once more, also while it goes down after its hook, it is on its way already.
    const other = world.up("archive");
    world.ok({ ...archive, agent: other, force: false });
    world.hookEnds(other, "archive");
    expect(world.agent(other).state).toBe("stopping");
    world.ok({ ...archive, agent: other, force: false });
    world.down(other);
    world.ok({ ...archive, agent: other, force: false });
    // One without such a hook is put away however it stands.
    const plain = world.up();
    world.ok({ type: "agent.stop", agent: plain, force: false });
    world.down(plain);
    world.ok({ ...archive, agent: plain, force: false });
    expect(world.agent(plain).isArchived).toBe(true);
  });

  test("[AW9] has its files and its name, and neither ports nor a place among those that are counted", () => {
    const world = new WholeWorld();
    world.policy("one", { maxAgents: 1 });
    const id = world.up();
    const [port] = [...world.agent(id).ports.values()];
    world.ok({ type: "agent.archive", agent: id, force: false });
    world.down(id);
    expect(world.no({ type: "agent.start", agent: id })).toEqual({ code: "agent-archived", agent: "shop-1" });
    world.ok({ type: "agent.stop", agent: id, force: false });
    const other = world.create([lone]);
    expect(world.agent(other)).toMatchObject({ name: "shop-2" });
    expect([...world.agent(other).ports.values()]).toEqual([port]);
    expect(world.no({ type: "agent.restore", agent: id, offered: [7] })).toMatchObject({ policy: "one" });
    world.ok({ type: "agent.remove", agent: id, force: false });
    expect(world.acts()).toMatchObject([{ type: "unmake", how: "files" }]);
  });

  test("[AW10] comes back with its ports where nobody has them, else with others, and runs", () => {
    const world = new WholeWorld();
    const id = world.up("setup");
    const before = Object.fromEntries(world.agent(id).ports);
    const putAway = (): void => {
      world.ok({ type: "agent.archive", agent: id, force: false });
      world.down(id);
    };
    putAway();
    world.ok({ type: "agent.restore", agent: id, offered: [] });
    expect(world.agent(id)).toMatchObject({ state: "spawning", wish: "run", isArchived: false });
    expect(Object.fromEntries(world.agent(id).ports)).toEqual(before);
    world.made(id);
    expect(world.states(id)).toEqual({ web: "starting" });
    world.began(id, "web");
    putAway();
    world.create([lone], Object.values(before));
    expect(world.no({ type: "agent.restore", agent: id, offered: [] })).toEqual({
      code: "no-ports",
      wanted: 1,
      free: 0,
    });
    world.ok({ type: "agent.restore", agent: id, offered: [...Object.values(before), 9] });
    expect([...world.agent(id).ports.values()]).toEqual([9]);
  });
});
