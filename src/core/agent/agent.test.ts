import { describe, expect, test } from "vitest";
import type { AgentAct } from "../acts.ts";
import { AgentWorld, crashed, db, lone, service, web } from "../../../test/support/agent-world.ts";
import { recoveryDefaults, restartDefaults } from "./agent-spec.ts";
import { agentStates, mayAgentMove, mayServiceMove, serviceStates } from "./agent-states.ts";

describe("an agent", () => {
  test("[AG11] moves along its arrows alone, and so do its services", () => {
    const states = (all: readonly string[], may: (from: never, to: never) => boolean): string[] =>
      all.map((from) => `${from}: ${all.filter((to) => may(from as never, to as never)).join(" ")}`);
    expect(states(agentStates, mayAgentMove)).toEqual([
      "spawning: running stopping error",
      "running: stopping error",
      "stopping: spawning stopped",
      "stopped: spawning stopping",
      "error: spawning running stopping",
    ]);
    expect(states(serviceStates, mayServiceMove)).toEqual([
      "down: waiting scheduled",
      "waiting: down starting",
      "starting: down up stopping delayed completed failed scheduled",
      "up: down stopping delayed completed failed scheduled",
      "stopping: down waiting delayed failed scheduled",
      "delayed: down waiting failed",
      "completed: down waiting",
      "failed: down waiting",
      "scheduled: down waiting",
    ]);
  });

  test("[AG10, AG12, AG14, AG15] is made whole, then comes up in the order of its needs", () => {
    const world = new AgentWorld();
    const id = world.create([web, db]);
    expect(world.agent(id)).toMatchObject({ name: "shop-1", state: "spawning", life: 1, isMade: false });
    expect(world.todo()).toEqual([`make:${id}`]);
    expect(world.states(id)).toEqual({ web: "down", db: "down" });
    world.made(id);
    expect(world.states(id)).toEqual({ web: "waiting", db: "starting" });
    expect(world.todo()).toEqual([`bound:${id}`, `serve:${id}/db`]);
    world.began(id, "db");
    expect(world.states(id)).toEqual({ web: "waiting", db: "up" });
    world.judged(id, "db", true);
    expect(world.states(id)).toEqual({ web: "starting", db: "up" });
    world.began(id, "web");
    expect(world.agent(id).state).toBe("running");
  });

  test("[AG13] has ports that no other agent has, and gives them back when nothing of it is left", () => {
    const world = new AgentWorld();
    const first = world.create([db, web]);
    const second = world.create([db, web]);
    expect(world.agent(second).name).toBe("shop-2");
    const ports = [first, second].flatMap((id) => [...world.agent(id).ports.values()]);
    expect(new Set(ports).size).toBe(4);
    expect(
      world.no({
        type: "agent.create",
        name: null,
        project: world.projectId,
        node: "local",
        spec: world.agent(first).spec,
        offered: ports,
      }),
    ).toMatchObject({ code: "no-ports", wanted: 2, free: 0 });
    world.ok({ type: "agent.remove", agent: first, force: false });
    world.gone(first);
    expect(world.state.agents.has(first)).toBe(false);
    expect([...world.agent(world.create([db, web], ports)).ports.values()]).toEqual([1, 2]);
  });

  test("[AG12] gets another port where one is in use, and is in error where its place cannot be made", () => {
    const world = new AgentWorld();
    const id = world.create([db, web], [1, 2]);
    const unmade = { type: "agent.unmade", agent: id, life: 1, what: "port 1 is in use" } as const;
    world.ok({ ...unmade, taken: [1], offered: [2, 7] }, "system");
    expect([...world.agent(id).ports.values()]).toEqual([7, 2]);
    expect(world.acts().map(({ type }) => type)).toEqual(["make"]);
    world.ok({ ...unmade, taken: [], offered: [], what: "there is no image" }, "system");
    expect(world.agent(id)).toMatchObject({ state: "error", because: "there is no image", rung: "ask" });
    expect(world.todo()).toEqual([]);
    world.ok({ type: "agent.start", agent: id });
    expect(world.agent(id)).toMatchObject({ state: "spawning", life: 2, rung: null });
  });

  test("[AG16] goes down in the reverse order, and is stopped when nothing of it runs", () => {
    const world = new AgentWorld();
    const id = world.running([db, web]);
    world.ok({ type: "agent.stop", agent: id, force: false });
    expect(world.states(id)).toEqual({ db: "up", web: "stopping" });
    world.ended(id, "web");
    expect(world.states(id)).toEqual({ db: "stopping", web: "down" });
    expect(world.todo()).toEqual([`leave:${id}/db`]);
    world.ended(id, "db");
    expect(world.todo()).toEqual([`unmake:${id}`]);
    world.gone(id);
    expect(world.agent(id)).toMatchObject({ state: "stopped", isMade: false });
    world.ok({ type: "agent.start", agent: id });
    expect(world.agent(id)).toMatchObject({ state: "spawning", life: 2 });
  });

  test("[AG16] by force everything is ended at once", () => {
    const world = new AgentWorld();
    const id = world.running([db, web]);
    world.ok({ type: "agent.stop", agent: id, force: true });
    expect(world.acts()).toMatchObject([{ type: "unmake", force: true }]);
    world.gone(id);
    expect(world.states(id)).toEqual({ db: "down", web: "down" });
    expect(world.agent(id).state).toBe("stopped");
  });

  test("[AG17] what is told of an earlier life changes nothing", () => {
    const world = new AgentWorld();
    const id = world.running([db]);
    world.ended(id, "db", crashed);
    world.pass(1000);
    world.began(id, "db");
    world.ok({ type: "service.ended", agent: id, service: "db", life: 1, end: crashed }, "system");
    world.ok({ type: "service.judge", agent: id, service: "db", life: 1, healthy: false, what: "" }, "system");
    world.ok({ type: "agent.ended", agent: id, life: 7, cleared: false }, "system");
    expect(world.agent(id).services.get("db")).toMatchObject({ state: "up", life: 2, healthy: null });
  });

  test("[AG18] a service that a person stopped stays down until a person starts it", () => {
    const world = new AgentWorld();
    const id = world.running([db, web]);
    world.ok({ type: "service.stop", agent: id, service: "web" });
    world.ended(id, "web");
    world.pass(60_000);
    expect(world.states(id)).toEqual({ db: "up", web: "down" });
    world.ok({ type: "agent.restart", agent: id });
    world.ended(id, "db");
    world.gone(id);
    world.made(id);
    world.began(id, "db");
    world.judged(id, "db", true);
    expect(world.agent(id).state).toBe("running");
    expect(world.states(id)).toEqual({ db: "up", web: "down" });
    world.ok({ type: "service.start", agent: id, service: "web" });
    expect(world.states(id)).toEqual({ db: "up", web: "starting" });
  });

  test("[AG18] a service that a person restarts comes back at once, and counts as no failure", () => {
    const world = new AgentWorld();
    const id = world.running([lone]);
    world.ok({ type: "service.restart", agent: id, service: "web" });
    world.ended(id, "web");
    expect(world.agent(id).services.get("web")).toMatchObject({ state: "starting", life: 2, restarts: [] });
  });

  test("[AG13] the files of one that was stopped go before it is removed, and an end that left them does not count", () => {
    const world = new AgentWorld();
    const id = world.running([lone]);
    world.ok({ type: "agent.stop", agent: id, force: false });
    world.ended(id, "web");
    world.gone(id);
    expect(world.agent(id)).toMatchObject({ state: "stopped", isMade: false });
    world.ok({ type: "agent.remove", agent: id, force: false });
    expect(world.agent(id).state).toBe("stopping");
    expect(world.acts()).toMatchObject([{ type: "unmake", how: "files" }]);
    world.ok({ type: "agent.ended", agent: id, life: world.agent(id).life, cleared: false }, "system");
    expect(world.agent(id).state).toBe("stopping");
    world.gone(id);
    expect(world.state.agents.has(id)).toBe(false);
  });

  test("[AG19] what is being removed cannot be started, and its project stays while it is there", () => {
    const world = new AgentWorld();
    const id = world.running([lone]);
    expect(world.no({ type: "project.remove", project: world.projectId })).toMatchObject({
      code: "in-use",
      by: "the agent shop-1",
    });
    world.ok({ type: "agent.remove", agent: id, force: false });
    world.ok({ type: "agent.start", agent: id });
    expect(world.agent(id)).toMatchObject({ wish: "remove", state: "stopping" });
    world.ended(id, "web");
    expect(world.acts()).toMatchObject([{ type: "unmake", how: "files" }]);
    world.gone(id);
    expect(world.no({ type: "agent.start", agent: id })).toMatchObject({ code: "not-found", kind: "agent" });
    world.ok({ type: "project.remove", project: world.projectId });
  });
});

describe("a service that fails", () => {
  test("[AG20] with 0 is completed, unless it shall always run", () => {
    const world = new AgentWorld();
    const setup = service("setup", { restart: { ...restartDefaults, policy: "on-failure" } });
    const after = service("after", { needs: [{ service: "setup", until: "completed" }] });
    const id = world.create([setup, after, web, db]);
    world.made(id);
    world.began(id, "setup");
    expect(world.states(id)).toMatchObject({ setup: "up", after: "waiting" });
    world.ended(id, "setup", { exit: 0, why: "ended", said: "" });
    expect(world.states(id)).toMatchObject({ setup: "completed", after: "starting" });
    world.began(id, "after");
    world.ended(id, "after", { exit: 0, why: "ended", said: "" });
    expect(world.states(id)).toMatchObject({ after: "delayed" });
  });

  test("[AG21] is started again, later each time, as often as its limit says", () => {
    const world = new AgentWorld();
    const id = world.running([lone]);
    const delays: number[] = [];
    for (let crash = 1; crash <= 5; crash++) {
      world.ended(id, "web", crashed);
      const due = world.agent(id).services.get("web")?.dueAtMs ?? 0;
      delays.push(due - world.nowMs);
      world.pass(due - world.nowMs - 1);
      expect(world.states(id)).toEqual({ web: "delayed" });
      world.pass(1);
      world.began(id, "web");
    }
    expect(delays).toEqual([100, 200, 400, 800, 1600]);
    world.ended(id, "web", crashed);
    expect(world.lastOf("agent.climbed")).toMatchObject([{ rung: "recreate", service: "web", failure: "service" }]);
  });

  test("[AG21] without a delay is started again at once, each time, as often as its limit says", () => {
    const world = new AgentWorld();
    const id = world.running([{ ...lone, restart: { ...lone.restart, delayMs: 0, delayMsMax: 0 } }]);
    for (let crash = 1; crash <= 5; crash++) {
      world.ended(id, "web", crashed);
      world.pass(0);
      expect(world.states(id)).toEqual({ web: "starting" });
      world.began(id, "web");
    }
    world.ended(id, "web", crashed);
    expect(world.lastOf("agent.climbed")).toMatchObject([{ rung: "recreate", service: "web" }]);
  });

  test("[AG93] is started again at most five times within ten seconds, or as often as its limit says", () => {
    const startsOf = (limit: number, end = crashed): number[] => {
      const world = new AgentWorld();
      const rule = { ...restartDefaults, limit, delayMs: 0, delayMsMax: 0, windowMs: 1000 };
      const id = world.running([{ ...lone, restart: rule }]);
      const starts: number[] = [];
      for (let crash = 1; crash <= 30; crash++) {
        world.ended(id, "web", end);
        world.pass((world.agent(id).services.get("web")?.dueAtMs ?? world.nowMs) - world.nowMs);
        starts.push(world.nowMs);
        world.began(id, "web");
        // As often as its window lets it.
        world.pass(250);
      }
      return starts;
    };
    const mostOf = (starts: readonly number[]): number =>
      Math.max(...starts.map((from) => starts.filter((at) => at >= from && at < from + 10_000).length));
    expect(mostOf(startsOf(5))).toBe(5);
    expect(mostOf(startsOf(5, { ...crashed, said: "connect ECONNREFUSED" }))).toBe(5);
    expect(mostOf(startsOf(8))).toBe(8);
  });

  test("[AG21] whose failures lie further apart than its window is always started again at once", () => {
    const world = new AgentWorld();
    const id = world.running([lone]);
    for (let crash = 1; crash <= 20; crash++) {
      world.ended(id, "web", crashed);
      expect(world.agent(id).services.get("web")?.dueAtMs).toBe(world.nowMs + 100);
      world.pass(100);
      world.began(id, "web");
      world.pass(restartDefaults.windowMs + 1);
    }
    expect(world.agent(id)).toMatchObject({ state: "running", rung: null });
  });

  test("[AG20] its check, is stopped and started again", () => {
    const world = new AgentWorld();
    const id = world.running([db]);
    world.judged(id, "db", false);
    expect(world.states(id)).toEqual({ db: "stopping" });
    world.ended(id, "db");
    expect(world.agent(id).services.get("db")).toMatchObject({
      state: "delayed",
      because: "it is not healthy: nothing answers",
    });
  });

  test("[AG22, AG25] again and again, has its agent climb the ladder in order, up to a person", () => {
    const world = new AgentWorld();
    const id = world.running([db, web]);
    // It is well here for long enough each time: whatever has become of its place since may be why it is not.
    const last = (): void => world.pass(restartDefaults.windowMs);
    const again = (): void => {
      world.made(id);
      world.began(id, "db");
      world.judged(id, "db", true);
      world.began(id, "web");
      last();
    };
    last();
    expect(world.wearOut(id, "web")).toBe(5);
    world.ended(id, "db");
    expect(world.acts()).toMatchObject([{ type: "unmake", how: "session" }] satisfies Partial<AgentAct>[]);
    world.gone(id);
    again();
    world.wearOut(id, "web");
    world.ended(id, "db");
    expect(world.acts()).toMatchObject([{ type: "unmake", how: "place" }] satisfies Partial<AgentAct>[]);
    world.gone(id);
    again();
    world.wearOut(id, "web");
    expect(world.agent(id)).toMatchObject({ state: "error", because: "web: it ended with 1", rung: "ask" });
    expect(world.states(id)).toEqual({ db: "up", web: "failed" });
    const climbed = world.log.flatMap((event) => (event.type === "agent.climbed" ? [event.rung] : []));
    expect(climbed).toEqual(["recreate", "respawn", "ask"]);
    world.ok({ type: "service.start", agent: id, service: "web" });
    world.began(id, "web");
    expect(world.agent(id).state).toBe("running");
  });

  test("[AG22] because it cannot be started, asks a person at once; out of memory, it is made anew", () => {
    const world = new AgentWorld();
    const id = world.running([lone]);
    expect(world.wearOut(id, "web", { exit: 127, why: "ended", said: "web: not found" })).toBe(0);
    expect(world.agent(id)).toMatchObject({ state: "error", rung: "ask" });
    const other = world.running([lone]);
    world.wearOut(other, "web", { exit: 137, why: "out-of-memory", said: "" });
    expect(world.agent(other)).toMatchObject({ state: "stopping", rung: "respawn" });
  });

  test("[AG22] and shall never be started again, asks a person", () => {
    const world = new AgentWorld();
    const id = world.running([service("once", { restart: { ...restartDefaults, policy: "never" } })]);
    world.ended(id, "once", crashed);
    expect(world.agent(id)).toMatchObject({ state: "error", because: "once: it ended with 1" });
  });

  test("[AG23] and is then well for ten minutes, begins at the foot of the ladder", () => {
    const world = new AgentWorld();
    const id = world.running([lone]);
    world.wearOut(id, "web");
    world.gone(id);
    world.made(id);
    world.began(id, "web");
    world.pass(recoveryDefaults.resetMs - 1000);
    world.ended(id, "web", crashed);
    world.pass(100);
    world.began(id, "web");
    world.pass(recoveryDefaults.resetMs - 1);
    expect(world.agent(id).rung).toBe("recreate");
    world.pass(1);
    expect(world.agent(id).rung).toBeNull();
  });

  test("[AG26] is found as it is by the next daemon", () => {
    const world = new AgentWorld();
    const id = world.running([db, web]);
    world.ok({ type: "engine.open", version: "2", wallMs: 5 }, "system");
    expect(world.todo()).toEqual([`bound:${id}`, `serve:${id}/db`, `serve:${id}/web`]);
  });
});

test("[SV50] the applications alone are begun anew, and what they stand on goes on", () => {
  const world = new AgentWorld();
  const id = world.running([db, web]);
  world.ok({ type: "agent.restart", agent: id, applications: true });
  expect(world.states(id)).toEqual({ db: "up", web: "stopping" });
  expect(world.agent(id).state).toBe("running");
  world.ended(id, "web");
  world.began(id, "web");
  expect(world.agent(id)).toMatchObject({ state: "running", life: 1 });
  expect([world.lifeOf(id, "db"), world.lifeOf(id, "web")]).toEqual([1, 2]);
  // Whoever was stopped by somebody stays so, and whoever has failed is tried again.
  world.ok({ type: "service.stop", agent: id, service: "web" });
  world.ended(id, "web");
  world.ok({ type: "agent.restart", agent: id, applications: true });
  expect(world.states(id)).toEqual({ db: "up", web: "down" });
  world.ok({ type: "service.start", agent: id, service: "web" });
  world.began(id, "web");
  world.wearOut(id, "web", { exit: 127, why: "ended", said: "" });
  expect(world.agent(id).state).toBe("error");
  world.ok({ type: "agent.restart", agent: id, applications: true });
  expect(world.states(id)).toEqual({ db: "up", web: "starting" });
  // Without a place there is nothing that could go on.
  world.ok({ type: "agent.stop", agent: id, force: true });
  world.gone(id);
  world.ok({ type: "agent.restart", agent: id, applications: true });
  expect(world.agent(id)).toMatchObject({ state: "spawning", life: 2 });
});

test("[AG18] who asks for a service where nothing would come of it is told; a stop is noted, and nothing is of an archived agent", () => {
  const world = new AgentWorld();
  const id = world.running([db, web]);
  const ask = (type: "service.start" | "service.stop" | "service.restart") =>
    ({ type, agent: id, service: "web" }) as const;
  world.ok({ type: "agent.stop", agent: id, force: true });
  for (const state of ["stopping", "stopped"] as const) {
    expect(world.no(ask("service.start"))).toEqual({ code: "agent-down", agent: "shop-1", state });
    expect(world.no(ask("service.restart"))).toEqual({ code: "agent-down", agent: "shop-1", state });
    if (state === "stopping") world.gone(id);
  }
  // What only has to be begun anew comes up with its agent.
  const because = "its template has changed";
  world.ok({ type: "service.restart", agent: id, service: "web", because }, "system");
  world.ok(ask("service.stop"));
  world.ok({ type: "agent.start", agent: id });
  world.made(id);
  world.began(id, "db");
  world.judged(id, "db", true);
  expect(world.states(id)).toEqual({ db: "up", web: "down" });
  expect(world.agent(id).state).toBe("running");
  world.ok({ type: "agent.archive", agent: id, force: true });
  world.gone(id);
  for (const type of ["service.start", "service.stop", "service.restart"] as const)
    expect(world.no(ask(type))).toEqual({ code: "agent-archived", agent: "shop-1" });
});

test("[AG18] where the place of its agent could not be made there is nothing to start", () => {
  const world = new AgentWorld();
  const id = world.create([db]);
  const unmade = {
    type: "agent.unmade",
    agent: id,
    life: 1,
    what: "there is no image",
    taken: [],
    offered: [],
  } as const;
  world.ok(unmade, "system");
  expect(world.no({ type: "service.start", agent: id, service: "db" })).toMatchObject({
    code: "agent-down",
    state: "error",
  });
});
