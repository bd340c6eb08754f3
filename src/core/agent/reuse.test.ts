import { describe, expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";

/** Two agents that run, of which one is for whoever comes. */
class PoolWorld extends AgentWorld {
  readonly warm = this.running([lone]);
  readonly other = this.running([lone]);

  constructor() {
    super();
    this.policy("again", { reuse: [this.agent(this.warm).name] });
  }

  over(run: string): void {
    this.ok({ type: "run.enter", run, works: [], commit: "m0" }, "system");
    this.complete(run);
    this.stopped(run);
  }
}

describe("[AG52] where policies have agents used again", () => {
  test("a run that names none works in one that is free, and the next one after it", () => {
    const world = new PoolWorld();
    const first = world.started();
    expect(world.run(first)).toMatchObject({ agent: world.warm, reuse: "again" });
    const beside = world.started();
    expect(world.run(beside)).toMatchObject({ agent: null, reuse: null });
    world.over(first);
    expect(world.run(world.submit()).agent).toBe(world.warm);
  });

  test("nobody takes one that others wait for, that is going down, or of another project", () => {
    const world = new PoolWorld();
    const named = world.submit({ agent: world.warm });
    expect(world.run(world.submit()).agent).toBeNull();
    world.ok({ type: "run.terminate", select: { by: "run", run: named }, because: "enough" });
    world.stopped(named);
    const project = world.project();
    expect(world.run(world.submit({ project })).agent).toBeNull();
    world.ok({ type: "agent.stop", agent: world.warm, force: false });
    expect(world.run(world.submit()).agent).toBeNull();
  });

  test("whoever says what its place is to be like has one of its own, and so have forks; sub-runs are in their root's", () => {
    const world = new PoolWorld();
    for (const more of [{ noCage: true }, { egress: "none" }, { image: "none" }] as const)
      expect(world.run(world.submit(more)).agent).toBeNull();
    const root = world.started();
    expect(world.run(root).agent).toBe(world.warm);
    const sub = world.submit({ parent: root, sub: true });
    expect(world.run(sub)).toMatchObject({ agent: null, reuse: null });
  });

  test("[AG51] a retry is put anew: it does not wait for an agent that is gone", () => {
    const world = new PoolWorld();
    const run = world.started();
    world.ok({ type: "run.terminate", select: { by: "run", run }, because: "enough" });
    world.stopped(run);
    world.policy("again", { reuse: [world.agent(world.other).name] });
    world.ok({ type: "agent.remove", agent: world.warm, force: true });
    const again = world.id({ type: "run.retry", run });
    expect(world.run(again)).toMatchObject({ agent: world.other, reuse: "again", retryOf: run });
  });

  test("[RN2] the same submission again is the same run, wherever policies had put it", () => {
    const world = new PoolWorld();
    const run = world.submit({ key: "once" });
    expect(world.submit({ key: "once" })).toBe(run);
  });
});
