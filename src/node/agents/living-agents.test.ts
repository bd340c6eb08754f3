import { describe, expect, test } from "vitest";
import { AgentWorld, lone, service } from "../../../test/support/agent-world.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { ServiceKeeper } from "../../../test/support/service-keeper.ts";
import { Fault } from "../../base/fault.ts";
import type { AgentAct } from "../../core/acts.ts";
import type { AgentSpec } from "../../core/agent/agent-spec.ts";
import type { Input } from "../../core/inputs.ts";
import type { KeeperOp } from "../../protocol/keeper/keeper-wire.ts";
import { LivingAgents, type LivingAgentsLink, type LivingAgentsOptions } from "./living-agents.ts";

/** The agents of a world whose keepers answer each question with this. */
function living(
  world: AgentWorld,
  answer: (op: KeeperOp) => Promise<unknown>,
  heard: () => Promise<{ ok: boolean }> = async () => ({ ok: true }),
  more: object = {},
): { agents: LivingAgents; reports: Input[] } {
  const reports: Input[] = [];
  const keeper = { request: answer };
  const options = {
    workspaces: { of: async () => ({ keeper }) },
    values: { of: async () => ({}) },
    ...{ callsFolder: makeTempFolder(), joinsFolder: makeTempFolder(), ...more },
  };
  const link = {
    state: () => world.state,
    report: (input: Input) => {
      reports.push(input);
      return heard();
    },
    ...{ nowMs: () => 0, sleep: async () => undefined, closing: new AbortController().signal },
    onDefect: (error: unknown) => expect.unreachable(String(error)),
  };
  const agents = new LivingAgents(options as unknown as LivingAgentsOptions, link as unknown as LivingAgentsLink);
  return { agents, reports };
}

test("[AG22] a service for which no cage can be made has failed, with the reason; what may pass is tried again", async () => {
  const world = new AgentWorld();
  const agent = world.create([lone]);
  world.made(agent);
  const act = world.pending().find(({ type }) => type === "serve") as AgentAct;
  const fails = (code: string) => () =>
    Promise.reject(new Fault(code, { retry: "later", message: "no user namespaces" }));
  const { agents, reports } = living(world, fails("cage-failed"));
  await agents.do(act);
  expect(reports).toMatchObject([
    { type: "service.ended", agent, service: "web", end: { why: "not-started", said: "no user namespaces" } },
  ]);
  const others = living(world, fails("keeper-unavailable"));
  await expect(others.agents.do(act)).rejects.toThrow("no user namespaces");
  expect(others.reports).toEqual([]);
});

describe("a service that is told while it runs", () => {
  const limits = { memoryBytes: 1024, cpu: null, processes: null, files: null };
  const hearing = service("web", { ports: [], envSignal: "HUP" });

  /** Where it begins, and its template is read anew at the same time. */
  const beginning = (): { world: AgentWorld; serve: AgentAct; adapt: AgentAct } => {
    const world = new AgentWorld();
    const agent = world.create([hearing]);
    world.made(agent);
    const serve = world.pending().find(({ type }) => type === "serve") as AgentAct;
    const spec = { ...world.agent(agent).spec, env: { A: "2" } };
    world.ok({ type: "agent.reload", agent, spec, offered: [] });
    const adapt = world.acts().find(({ type }) => type === "adapt") as AgentAct;
    return { world, serve, adapt };
  };

  test("[SV7] is watched once, whoever comes first", async () => {
    for (const isTurned of [false, true]) {
      const { world, serve, adapt } = beginning();
      const keeper = new ServiceKeeper();
      // A daemon before this one has started it.
      const call = `${serve.agent}-web-1`;
      await keeper.request({ op: "start", call, argv: ["web"], cwd: null, env: {}, timeoutMs: null });
      const { agents, reports } = living(world, (op) => keeper.request(op));
      await Promise.all((isTurned ? [adapt, serve] : [serve, adapt]).map((act) => agents.do(act)));
      expect(reports).toMatchObject([{ type: "service.began" }]);
      expect(keeper.asked.filter((op) => op.op === "wait" && op.call === call)).toHaveLength(1);
      expect(keeper.count("signal")).toBe(1);
    }
  });

  test("[AG84] is known to be so until it has been told", async () => {
    const { world, serve, adapt } = beginning();
    const keeper = new ServiceKeeper();
    const { agents } = living(world, (op) => keeper.request(op));
    const telling = agents.do(adapt);
    expect(agents.isAdapting(adapt.agent)).toBe(true);
    const adapted = agents.adapted(adapt.agent).then(() => keeper.count("limit"));
    await agents.do(serve);
    expect(await adapted).toBe(1);
    await telling;
    expect(agents.isAdapting(adapt.agent)).toBe(false);
  });

  test("[AG22, SV7] has failed where its file cannot be written before it begins, and nobody waits for it", async () => {
    const { world, serve, adapt } = beginning();
    const end = { exit: 127, signal: null, why: "ended", tail: "sh: cat: not found" };
    const keeper = new ServiceKeeper(({ op }) => (op === "wait" ? end : undefined));
    const { agents, reports } = living(world, (op) => keeper.request(op));
    await Promise.all([serve, adapt].map((act) => agents.do(act)));
    const said = expect.stringContaining("sh: cat: not found") as string;
    expect(reports).toMatchObject([{ type: "service.ended", service: "web", end: { why: "not-started", said } }]);
  });

  test("[AW13] begins anew where its keeper is of a release that cannot tell it", async () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    const serve = world.pending().find(({ type }) => type === "serve") as AgentAct;
    const keeper = new ServiceKeeper(({ op }) => {
      if (op === "limit") throw new Fault("bad-request", { retry: "never", message: "there is no such thing" });
    });
    const { agents, reports } = living(world, (op) => keeper.request(op));
    await agents.do(serve);
    const reload = async (more: Partial<AgentSpec>): Promise<void> => {
      reports.length = 0;
      world.ok({ type: "agent.reload", agent, spec: { ...world.agent(agent).spec, ...more }, offered: [] });
      for (const act of world.acts()) if (act.type === "adapt") await agents.do(act);
    };
    await reload({ alerts: { restarts: 3 } as never });
    expect(reports).toEqual([]);
    await reload({ services: [{ ...lone, limits }] });
    const because = "its template has changed, and it cannot be told while it runs";
    expect(reports).toEqual([{ type: "service.restart", agent, service: "web", because }]);
  });
});

test("[EN25] a hook is known to its keeper until its end is in the log: it runs once, also where the daemon dies over telling it", async () => {
  const world = new AgentWorld();
  const hook = { argv: ["setup"], cwd: null, timeoutMs: 1000 };
  const agent = world.create([lone], undefined, { hooks: { setup: hook } });
  world.made(agent);
  const act = world.pending().find(({ type }) => type === "hook") as AgentAct;
  const end = { exit: 0, signal: null, why: "ended", tail: "" };
  const keeper = new ServiceKeeper(({ op }) => (op === "wait" ? end : undefined));
  const dying = living(
    world,
    (op) => keeper.request(op),
    () => new Promise(() => undefined),
  );
  void dying.agents.do(act);
  await expect.poll(() => dying.reports).toHaveLength(1);
  const { agents, reports } = living(world, (op) => keeper.request(op));
  await agents.do(act);
  expect(reports).toMatchObject([{ type: "hook.end", agent, hook: "setup", end: { exit: 0, why: "ended" } }]);
  expect(keeper.asked.filter(({ op }) => op === "start" || op === "forget").map(({ op }) => op)).toEqual([
    "start",
    "start",
    "forget",
  ]);
  expect(keeper.calls).toEqual([]);
});

test("[AG16] nobody makes the place of an agent again that goes down: who is told of others waits until it is gone", async () => {
  const world = new AgentWorld();
  const [agent, other] = [world.create([lone]), world.create([lone])];
  for (const id of [agent, other]) {
    world.made(id);
    world.began(id, "web");
  }
  world.ok({ type: "agent.join", agent, with: other, across: false });
  world.ok({ type: "agent.stop", agent, force: true });
  const unmake = world.pending().find(({ type }) => type === "unmake") as AgentAct;
  // Whoever it was joined to is parted from it meanwhile.
  world.ok({ type: "agent.part", agent: other, with: agent });
  const join = world.acts().find((act) => act.type === "join" && act.agent === agent) as AgentAct;
  const opened: string[] = [];
  const [ending, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const end = (): Promise<void> => {
    ending.resolve();
    return gone.promise;
  };
  const workspaces = {
    end,
    of: async (id: string) => {
      opened.push(id);
      return { keeper: { request: async () => ({}) } };
    },
  };
  const ways = { end: async () => undefined };
  const { agents, reports } = living(world, async () => ({}), undefined, { workspaces, ways });
  const done = agents.do(unmake);
  await ending.promise;
  await expect(agents.do(join)).rejects.toThrow("goes down");
  gone.resolve();
  await done;
  expect([opened, reports.map(({ type }) => type)]).toEqual([[], ["agent.ended"]]);
});
