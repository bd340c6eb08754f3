import { describe, expect, test } from "vitest";
import { AgentWorld, crashed, db, lone, web } from "../../../test/support/agent-world.ts";
import { toSubmit } from "../../../test/support/core-world.ts";
import { agentInTheWay } from "../state.ts";
import { activityOf } from "./tenancy.ts";

const work = { path: "a.txt", base: "100644:old", work: "100644:new" } as const;

/** A world with an agent that runs, and runs in it. */
class HouseWorld extends AgentWorld {
  readonly house = this.running([lone]);

  /** A run that has the agent's workspace for its own. */
  inside(plan: readonly string[] = []): string {
    const run = this.started({ agent: this.house, plan });
    this.enter(run);
    return run;
  }

  enter(run: string): void {
    this.ok({ type: "run.enter", run, works: [], commit: "m0" }, "system");
  }

  over(run: string): void {
    this.complete(run);
    this.stopped(run);
  }

  /** Its place is gone, and it comes up anew. */
  respawned(): void {
    this.ended(this.house, "web");
    this.gone(this.house);
    this.made(this.house);
    this.began(this.house, "web");
  }

  activity(): string {
    return activityOf(this.state, this.agent(this.house));
  }
}

describe("a run in a living agent", () => {
  test("[AG40] is taken in for an agent of its project that runs or comes up", () => {
    const world = new AgentWorld();
    const id = world.create([web, db]);
    const early = world.submit({ agent: id });
    expect(world.run(early)).toMatchObject({ agent: id, state: "queued", node: "local" });
    const other = world.project();
    expect(world.no({ ...submitTo(world, "a_none") })).toMatchObject({ code: "not-found", kind: "agent" });
    expect(world.no({ ...submitTo(world, id), project: other })).toMatchObject({ code: "not-found" });
    world.ok({ type: "agent.stop", agent: id, force: false });
    expect(world.no(submitTo(world, id))).toMatchObject({ code: "agent-down", agent: "shop-1" });
  });

  test("[AG41, AG42] begins when the agent runs and nobody else is in it, in the order of the queue", () => {
    const world = new AgentWorld();
    const id = world.create([lone]);
    const first = world.submit({ agent: id });
    const second = world.submit({ agent: id });
    const urgent = world.submit({ agent: id, priority: 5 });
    const elsewhere = world.submit();
    expect(world.run(elsewhere).state).toBe("starting");
    expect(agentInTheWay(world.state, first)?.id).toBe(id);
    world.made(id);
    world.began(id, "web");
    expect([first, second, urgent].map((run) => world.run(run).state)).toEqual(["queued", "queued", "starting"]);
    expect(world.agent(id).run).toBe(urgent);
    world.driven(urgent);
    world.complete(urgent);
    // Done is not gone: its processes may still be there.
    expect(world.run(first).state).toBe("queued");
    world.stopped(urgent);
    expect([first, second].map((run) => world.run(run).state)).toEqual(["starting", "queued"]);
    expect(world.agent(id).run).toBe(first);
  });

  test("[AG41] has its sub-runs beside it, and nobody else", () => {
    const world = new HouseWorld();
    const run = world.inside();
    const sub = world.submit({ parent: run, sub: true });
    expect(world.run(sub)).toMatchObject({ state: "starting", agent: null });
    expect(world.run(world.submit({ agent: world.house })).state).toBe("queued");
  });

  test("[AG41] passes a planned run that waits for it, and may not wait for that one", () => {
    const world = new HouseWorld();
    const run = world.inside();
    const next = world.submit({ agent: world.house, plan: ["file:a.txt"] });
    expect(world.run(next).state).toBe("queued");
    // It would wait for a claim of somebody who waits for its agent.
    world.write(run, "a.txt");
    expect(world.refused(run, "wait-run", [], { other: next })).toMatchObject({ code: "deadlock" });
    // A third one waits for the second, and so for the first.
    const third = world.started({ plan: ["file:b.txt"] });
    world.begin(third, "wait-run", [], { other: next });
    expect(world.refused(run, "claim", ["file:b.txt"])).toMatchObject({ code: "deadlock" });
    world.over(run);
    expect(world.run(next).state).toBe("starting");
  });

  test("[AG41] whoever waits for the agent waits for whoever is in it, one after the other", () => {
    const world = new HouseWorld();
    const [first, second, third] = [world.inside(), submitted(), submitted()];
    const awaits = (run: string): string[] => [
      ...(world.state.table.families.get(world.run(run).family)?.awaits ?? []),
    ];
    expect([awaits(second), awaits(third)]).toEqual([[`${first}.1`], [`${first}.1`]]);
    world.ok({ type: "run.pause", run: third });
    expect(awaits(third)).toEqual([]);
    world.over(first);
    expect(awaits(second)).toEqual([]);
    world.ok({ type: "run.resume", run: third });
    expect(awaits(third)).toEqual([`${second}.1`]);

    function submitted(): string {
      return world.submit({ agent: world.house });
    }
  });

  test("[AG43] gives its agent something to do", () => {
    const world = new HouseWorld();
    expect(world.activity()).toBe("ready");
    const run = world.started({ agent: world.house, acceptance: ["true"] });
    world.enter(run);
    expect(world.activity()).toBe("working");
    world.ok({ type: "run.ask", run, family: world.run(run).family, call: 0, text: "which?" });
    expect(world.activity()).toBe("awaiting-input");
    world.ok({ type: "run.answer", run, text: "that" });
    world.finish(run);
    expect(world.activity()).toBe("validating");
    world.ok({ type: "run.validated", run, ok: true, message: "" }, "system");
    expect(world.activity()).toBe("ready");
  });

  test("[AG44] what nobody's run has changed is set aside before it begins, and a late report is no news", () => {
    const world = new HouseWorld();
    const run = world.started({ agent: world.house });
    world.ok({ type: "run.enter", run, works: [work], commit: null }, "system");
    expect(world.trash()).toEqual(["a.txt (it was changed in the agent between runs)"]);
    expect(world.run(run).entered).toBe(false);
    world.ok({ type: "run.enter", run, works: [], commit: "m7" }, "system");
    expect(world.run(run)).toMatchObject({ entered: true, workspace: { commit: "m7" } });
    world.write(run, "a.txt");
    world.ok({ type: "run.enter", run, works: [work], commit: "m7" }, "system");
    expect(world.trash()).toHaveLength(1);
    expect([...world.run(run).workspace.dirty.keys()]).toEqual(["a.txt"]);
  });

  test("[AG45] waits while its agent is begun anew, and goes on with its leases where it was", () => {
    const world = new HouseWorld();
    const run = world.inside(["file:a.txt"]);
    const sub = world.submit({ parent: run, sub: true });
    world.begin(run, "run");
    world.ok({ type: "agent.restart", agent: world.house });
    expect([run, sub].map((each) => world.run(each).state)).toEqual(["parked", "parked"]);
    expect(world.run(run).because).toBe("its agent shop-1 is begun anew");
    world.respawned();
    expect([run, sub].map((each) => world.run(each).state)).toEqual(["running", "running"]);
    expect(world.run(run)).toMatchObject({ entered: true, call: { started: true } });
    expect(world.holdings()).toEqual([`${run}: file:a.txt`]);
  });

  test("[AG42, AG45] goes on in an agent whose services fail: it may be the one to mend them", () => {
    const world = new HouseWorld();
    const run = world.inside();
    world.wearOut(world.house, "web", { ...crashed, exit: 127 });
    expect(world.agent(world.house).state).toBe("error");
    expect(world.run(run).state).toBe("running");
    expect(world.no(submitTo(world, world.house))).toMatchObject({ code: "agent-down", state: "error" });
  });

  test("[AG46] keeps its agent from being stopped, but not by force: then its work is saved first", () => {
    const world = new HouseWorld();
    const run = world.inside(["file:a.txt"]);
    const later = world.submit({ agent: world.house });
    world.write(run, "a.txt");
    expect(world.no({ type: "agent.stop", agent: world.house, force: false })).toMatchObject({
      ...{ code: "in-use", kind: "agent", id: "shop-1", by: run },
    });
    expect(world.no({ type: "agent.remove", agent: world.house, force: false })).toMatchObject({ code: "in-use" });
    world.ok({ type: "agent.remove", agent: world.house, force: true });
    expect(world.run(run)).toMatchObject({ state: "terminated", because: "its agent shop-1 goes down", forced: true });
    expect(world.trash()).toEqual(["a.txt (its run is terminated)"]);
    expect(world.todo()).not.toContain(`unmake:${world.house}`);
    world.stopped(run);
    expect(world.acts().map(({ id }) => id.replace(/@.*/, ""))).toEqual([`unmake:${world.house}`]);
    world.gone(world.house);
    expect(world.run(later)).toMatchObject({ state: "failed", because: "its agent was removed" });
  });

  test("[AG46] what an ending agent reports from before it was wanted gone does not come before its run's work is saved", () => {
    const world = new HouseWorld();
    const run = world.inside(["file:a.txt"]);
    world.write(run, "a.txt");
    world.ok({ type: "agent.restart", agent: world.house });
    world.ok({ type: "agent.remove", agent: world.house, force: true });
    expect(world.run(run).state).toBe("terminated");
    world.gone(world.house);
    expect(world.agent(world.house)).toMatchObject({ state: "stopping", run });
    world.stopped(run);
    expect(world.acts().map(({ id }) => id.replace(/@.*/, ""))).toEqual([`unmake:${world.house}`]);
    world.gone(world.house);
    expect(world.state.agents.has(world.house)).toBe(false);
  });

  test("[AG46] a run that may be mainline already lands before its agent goes", () => {
    const world = new HouseWorld();
    const run = world.inside(["file:a.txt"]);
    world.write(run, "a.txt");
    world.finish(run);
    world.intend(run, "k1");
    world.ok({ type: "agent.stop", agent: world.house, force: true });
    expect(world.run(run).state).toBe("landing");
    expect(world.todo()).not.toContain(`unmake:${world.house}`);
    world.ok({ type: "landing.overtaken", run, candidate: "k1" }, "system");
    expect(world.run(run)).toMatchObject({ state: "terminated" });
  });

  test("[AG51] continued, it waits for its agent again and enters it anew; a fork has a place of its own", () => {
    const world = new HouseWorld();
    const run = world.inside();
    world.over(run);
    const next = world.inside();
    world.ok({ type: "run.continue", run, message: "and now" });
    expect(world.run(run)).toMatchObject({ state: "parked", entered: false });
    const terminal = { type: "terminal.open", run, argv: [], cols: 80, rows: 24 } as const;
    expect(world.no(terminal)).toMatchObject({ code: "wrong-state" });
    world.over(next);
    expect(world.run(run)).toMatchObject({ state: "running", entered: false });
    const forked = world.id({ type: "run.fork", run, step: 0, runner: null, message: null, works: [], commit: null });
    expect(world.run(forked).agent).toBeNull();
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    world.stopped(run);
    expect(world.run(world.id({ type: "run.retry", run }))).toMatchObject({ agent: world.house, state: "starting" });
  });
});

function submitTo(world: AgentWorld, agent: string): ReturnType<typeof toSubmit> {
  return toSubmit(world.state, { agent });
}
