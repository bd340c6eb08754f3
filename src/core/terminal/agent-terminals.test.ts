import { describe, expect, test } from "vitest";
import { AgentWorld, crashed, lone } from "../../../test/support/agent-world.ts";
import { evolve } from "../evolve.ts";
import type { Terminal } from "./terminal-events.ts";

const size = { cols: 80, rows: 24 } as const;
const end = { exit: "unknown", why: "stopped", bytes: 7, message: null } as const;

function open(
  world: AgentWorld,
  agent: string,
  more: { window?: string; join?: boolean; argv?: string[] } = {},
): string {
  const answer = world.ok({ type: "terminal.open", agent, argv: [], ...size, ...more });
  return answer.of === "id" ? answer.id : "";
}

const terminalOf = (world: AgentWorld, id: string): Terminal | undefined => world.state.terminals.get(id);
const windows = (world: AgentWorld): string[] =>
  [...world.state.terminals.values()].flatMap(({ window, ended }) => (ended === null ? [window] : []));

describe("terminals of living agents", () => {
  test("[TM8] one is opened while the place of its agent is there, and its node sees to it", () => {
    const world = new AgentWorld();
    const agent = world.create([lone]);
    expect(world.no({ type: "terminal.open", agent, argv: [], ...size })).toMatchObject({ code: "agent-down" });
    world.made(agent);
    const terminal = open(world, agent);
    expect(world.lastOf("terminal.opened")).toMatchObject([{ terminal, agent, window: "eva", actor: "person:eva" }]);
    expect(world.pending()).toContainEqual({ type: "terminal", id: `terminal:${terminal}`, terminal, node: "local" });
    expect(world.no({ type: "terminal.open", agent: "a_none", argv: [], ...size })).toMatchObject({
      code: "not-found",
    });
    world.ok({ type: "agent.stop", agent, force: true });
    expect(world.no({ type: "terminal.open", agent, argv: [], ...size })).toMatchObject({ code: "agent-down" });
  });

  test("[TM18] windows have names, once among those that are open", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    const own = open(world, agent);
    // Whoever comes again finds their own, whoever wants another one gets one more.
    expect(open(world, agent, { join: true })).toBe(own);
    expect(world.last).toEqual([]);
    open(world, agent);
    open(world, agent, { argv: ["/usr/bin/htop", "-d", "5"] });
    const tests = open(world, agent, { window: "tests" });
    expect(windows(world)).toEqual(["eva", "eva-2", "htop", "tests"]);
    expect(open(world, agent, { window: "tests", join: true })).toBe(tests);
    const again = { type: "terminal.open", agent, window: "tests", argv: [], ...size } as const;
    expect(world.no(again)).toMatchObject({ code: "already-there", kind: "window", as: tests });
    world.ok({ type: "terminal.rename", terminal: own, window: "mine" });
    expect(world.lastOf("terminal.renamed")).toMatchObject([{ terminal: own, agent, window: "mine" }]);
    expect(world.no({ type: "terminal.rename", terminal: own, window: "tests" })).toMatchObject({ as: tests });
    world.ok({ type: "terminal.end", terminal: tests, ...end }, "system");
    world.ok({ type: "terminal.rename", terminal: own, window: "tests" });
    expect(world.no({ type: "terminal.rename", terminal: tests, window: "x" })).toMatchObject({ code: "not-found" });
  });

  test("[TM18] names of views are taken, and a program that is called like one gets a number", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    for (const window of ["web", "monitor", "run"])
      expect(world.no({ type: "terminal.open", agent, window, argv: [], ...size })).toMatchObject({
        code: "already-there",
      });
    open(world, agent, { argv: ["web"] });
    expect(windows(world)).toEqual(["web-2"]);
    // Somebody who is called so finds the same window again.
    world.ok({ type: "terminal.open", agent, argv: ["web"], join: true, ...size });
    expect(windows(world)).toEqual(["web-2"]);
    // A run's are its own: nothing else is there.
    const run = world.started();
    world.ok({ type: "terminal.open", run, window: "web", argv: [], ...size });
  });

  test("[TM17] when its place is made anew, another one stands in for each shell, and no program is begun twice", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    const shell = open(world, agent);
    const program = open(world, agent, { argv: ["htop"] });
    world.ok({ type: "agent.restart", agent });
    world.ended(agent, "web");
    // Whether its keeper tells of an end sooner than of the whole makes no difference.
    world.ok({ type: "terminal.end", terminal: shell, ...end }, "system");
    expect(world.lastOf("terminal.ended")).toMatchObject([{ terminal: shell, why: "renewed", bytes: 7 }]);
    world.gone(agent);
    expect(world.lastOf("terminal.ended")).toMatchObject([{ terminal: program, why: "stopped" }]);
    expect(windows(world)).toEqual([]);
    world.made(agent);
    const [opened] = world.lastOf("terminal.opened");
    expect(world.lastOf("terminal.opened")).toMatchObject([{ agent, window: "eva", after: shell, argv: [], ...size }]);
    expect(terminalOf(world, shell)?.heir).toBe(opened?.terminal);
    expect(terminalOf(world, opened?.terminal ?? "")).toMatchObject({ by: "person:eva", ended: null, heir: null });
    // The next time it is that one's turn.
    world.began(agent, "web");
    world.ok({ type: "agent.restart", agent });
    world.ended(agent, "web");
    world.gone(agent);
    world.made(agent);
    expect(world.lastOf("terminal.opened")).toMatchObject([{ after: opened?.terminal }]);
    expect(windows(world)).toEqual(["eva"]);
  });

  test("[AG89] terminals end before any service is asked to go, and who was in them hears why", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    const [shell, program] = [open(world, agent), open(world, agent, { argv: ["htop"] })];
    world.ok({ type: "agent.stop", agent, force: false });
    expect(world.states(agent)).toEqual({ web: "up" });
    expect(world.todo()).toEqual(expect.arrayContaining([`hang-up:${shell}`, `hang-up:${program}`]));
    expect(world.todo()).not.toContain(`leave:${agent}/web`);
    world.ok({ type: "terminal.end", terminal: shell, ...end }, "system");
    const message = "its agent goes down: somebody stopped it";
    expect(world.lastOf("terminal.ended")).toMatchObject([{ terminal: shell, why: "stopped", message }]);
    expect(world.states(agent)).toEqual({ web: "up" });
    // One that ends by itself in this moment is gone, too, and nobody has ended it.
    world.ok({ type: "terminal.end", terminal: program, ...end, why: "ended", exit: 0 }, "system");
    expect(world.lastOf("terminal.ended")).toMatchObject([{ terminal: program, message: null }]);
    expect(world.states(agent)).toEqual({ web: "stopping" });
    world.ended(agent, "web");
    expect(world.todo()).toEqual([`unmake:${agent}`]);
  });

  test("[AG89] an agent without services waits for those who are in it, too; by force nobody is waited for", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    world.ok({ type: "service.stop", agent, service: "web" });
    world.ended(agent, "web");
    const shell = open(world, agent);
    world.ok({ type: "agent.stop", agent, force: false });
    expect(world.todo()).toEqual([`hang-up:${shell}`, `terminal:${shell}`]);
    world.ok({ type: "agent.stop", agent, force: true });
    expect(world.todo()).toContain(`unmake:${agent}`);
    expect(world.todo()).not.toContain(`hang-up:${shell}`);
  });

  test("[AG89, TM17] a person's restart ends shells first, which come back; where only what runs is begun anew they stay", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    const shell = open(world, agent);
    world.ok({ type: "agent.restart", agent });
    expect(world.states(agent)).toEqual({ web: "up" });
    world.ok({ type: "terminal.end", terminal: shell, ...end }, "system");
    expect(world.lastOf("terminal.ended")).toMatchObject([{ why: "renewed", message: "somebody restarted it" }]);
    expect(world.states(agent)).toEqual({ web: "stopping" });
    const other = world.running([lone]);
    const kept = open(world, other);
    world.wearOut(other, "web");
    expect(world.agent(other)).toMatchObject({ state: "stopping", rung: "recreate" });
    expect(world.todo()).toContain(`unmake:${other}`);
    expect(world.todo()).not.toContain(`hang-up:${kept}`);
  });

  test("[TM25] who has the keyboard and who waits for it do so in the one that stands in for it", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    const shell = open(world, agent);
    const [ann, bea, cem] = ["ann", "bea", "cem"].map((name) => ({ viewer: `viewer-${name}`, name }));
    if (ann === undefined || bea === undefined || cem === undefined) throw new Error("there are three");
    const pass = { type: "terminal.keyboard", terminal: shell } as const;
    for (const who of [ann, bea, cem]) world.ok({ ...pass, act: "ask", ...who });
    world.ok({ type: "agent.restart", agent });
    world.ended(agent, "web");
    world.gone(agent);
    expect(terminalOf(world, shell)).toMatchObject({ ended: { why: "renewed" }, keyboard: ann, asks: [bea, cem] });
    // Nobody gets it meanwhile, and who leaves has left.
    expect(world.no({ ...pass, act: "take", ...cem })).toMatchObject({ code: "not-found" });
    world.ok({ ...pass, act: "free", ...bea });
    world.made(agent);
    const heir = terminalOf(world, shell)?.heir ?? "";
    expect(world.lastOf("terminal.keyboard")).toMatchObject([
      { terminal: heir, agent, how: "given", ...ann },
      { terminal: heir, agent, how: "asked", ...cem },
    ]);
    expect(terminalOf(world, heir)).toMatchObject({ keyboard: ann, asks: [cem] });
    expect(terminalOf(world, shell)).toMatchObject({ keyboard: null, asks: [] });
    // Where the agent does not come back after all, nobody has it.
    world.began(agent, "web");
    world.ok({ type: "agent.restart", agent });
    world.ended(agent, "web");
    world.ok({ type: "terminal.end", terminal: heir, ...end }, "system");
    world.ok({ type: "agent.stop", agent, force: false });
    world.gone(agent);
    expect(terminalOf(world, heir)).toMatchObject({ ended: { why: "stopped" }, keyboard: null, asks: [] });
  });

  test("[TM17] a shell whose keeper was lost is stood in for at once, a program is not, and nothing again and again", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    const [shell, program] = [open(world, agent), open(world, agent, { argv: ["htop"] })];
    const ann = { viewer: "viewer-ann", name: "ann" };
    world.ok({ type: "terminal.keyboard", terminal: shell, act: "ask", ...ann });
    const lost = { type: "terminal.end", ...end, why: "lost" } as const;
    world.ok({ ...lost, terminal: program }, "system");
    expect(terminalOf(world, program)).toMatchObject({ ended: { why: "lost" }, heir: null });
    world.ok({ ...lost, terminal: shell }, "system");
    const [opened] = world.lastOf("terminal.opened");
    expect(opened).toMatchObject({ agent, window: "eva", after: shell });
    const heir = opened?.terminal ?? "";
    expect(terminalOf(world, shell)).toMatchObject({ ended: { why: "renewed" }, heir });
    expect(terminalOf(world, heir)).toMatchObject({ keyboard: ann, ended: null });
    world.pass(9_000);
    world.ok({ ...lost, terminal: heir }, "system");
    expect(terminalOf(world, heir)).toMatchObject({ ended: { why: "lost" }, heir: null });
    expect(windows(world)).toEqual([]);
    // One that was there for a while may.
    const other = open(world, agent);
    world.ok({ ...lost, terminal: other }, "system");
    const [next] = world.lastOf("terminal.opened");
    world.pass(11_000);
    world.ok({ ...lost, terminal: next?.terminal ?? "" }, "system");
    expect(world.lastOf("terminal.opened")).toMatchObject([{ after: next?.terminal }]);
  });

  test("[TM17] where only what ran is begun anew, terminals stay, and whoever saw to them does again", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    const shell = open(world, agent);
    world.wearOut(agent, "web", crashed);
    expect(world.agent(agent)).toMatchObject({ state: "stopping", rung: "recreate" });
    const { life } = world.agent(agent);
    world.ok({ type: "agent.ended", agent, life, cleared: false, session: true }, "system");
    expect(world.lastOf("terminal.ended")).toEqual([]);
    world.made(agent);
    expect(terminalOf(world, shell)?.ended).toBe(null);
    expect(world.acts().map(({ id }) => id)).toContain(`terminal:${shell}`);
  });

  test("[TM17] with an agent that is stopped or put away they end for good; with one that is removed too", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    const shell = open(world, agent);
    world.ok({ type: "agent.stop", agent, force: false });
    world.ended(agent, "web");
    world.gone(agent);
    expect(world.lastOf("terminal.ended")).toMatchObject([{ terminal: shell, why: "stopped" }]);
    world.ok({ type: "agent.start", agent });
    world.made(agent);
    expect(world.lastOf("terminal.opened")).toEqual([]);
    world.began(agent, "web");
    const other = open(world, agent);
    // Somebody thinks better of it: what was to come back does not.
    world.ok({ type: "agent.restart", agent });
    world.ended(agent, "web");
    world.ok({ type: "terminal.end", terminal: other, ...end }, "system");
    expect(terminalOf(world, other)?.ended?.why).toBe("renewed");
    world.ok({ type: "agent.stop", agent, force: false });
    world.gone(agent);
    expect(terminalOf(world, other)?.ended?.why).toBe("stopped");
    world.ok({ type: "agent.start", agent });
    world.made(agent);
    expect(windows(world)).toEqual([]);
    world.ok({ type: "agent.remove", agent, force: true });
    world.gone(agent);
    expect(world.state.agents.has(agent)).toBe(false);
    expect(windows(world)).toEqual([]);
  });

  test("[TM23] what was recorded in an agent outlives it, also in runs in it, and only a person removes it", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    const { name, project } = world.agent(agent);
    const shell = open(world, agent);
    world.ok({ type: "agent.remove", agent, force: true });
    world.ended(agent, "web");
    world.gone(agent);
    expect(world.lastOf("agent.removed")).toMatchObject([{ agent, recordings: "kept" }]);
    expect(terminalOf(world, shell)).toMatchObject({
      removedAtMs: world.nowMs,
      place: { project, agent: { id: agent, name } },
      ended: { why: "stopped" },
    });
    world.ok({ type: "terminal.forget", terminal: shell, because: "person" });
    expect(world.lastOf("terminal.forgotten")).toMatchObject([{ terminal: shell, actor: "person:eva" }]);
    expect(terminalOf(world, shell)).toBeUndefined();
  });

  test("[TM23] nobody removes the recording of one that is coming back, until the other is there", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    const shell = open(world, agent);
    const forget = { type: "terminal.forget", terminal: shell, because: "person" } as const;
    world.ok({ type: "agent.restart", agent });
    world.ended(agent, "web");
    world.gone(agent);
    expect(world.no(forget)).toMatchObject({ code: "in-use", id: shell });
    world.made(agent);
    expect(world.lastOf("terminal.opened")).toMatchObject([{ after: shell }]);
    world.ok(forget);
    expect(terminalOf(world, shell)).toBeUndefined();
  });

  test("[TM23] a log of a release that let recordings go with their owner still does", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    const shell = open(world, agent);
    const removed = { type: "agent.removed", v: 1, agent } as const;
    const { state } = world;
    evolve(state, { ...removed, seq: state.seq + 1, atMs: world.nowMs, cause: null, actor: "system" });
    expect(terminalOf(world, shell)).toBeUndefined();
  });

  test("[TM20] one whose recording is kept no longer is forgotten, but never one that is open", () => {
    const world = new AgentWorld();
    const agent = world.running([lone]);
    const terminal = open(world, agent);
    expect(world.no({ type: "terminal.forget", terminal, because: "age" }, "system")).toMatchObject({ code: "in-use" });
    world.ok({ type: "terminal.end", terminal, ...end }, "system");
    world.ok({ type: "terminal.forget", terminal, because: "size" }, "system");
    expect(world.lastOf("terminal.forgotten")).toMatchObject([{ terminal, agent, because: "size" }]);
    expect(terminalOf(world, terminal)).toBeUndefined();
  });
});
