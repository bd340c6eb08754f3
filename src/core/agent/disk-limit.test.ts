import { describe, expect, test } from "vitest";
import { AgentWorld, db, lone } from "../../../test/support/agent-world.ts";
import type { PolicyScope } from "../policy/policy.ts";
import type { AgentSpec } from "./agent-spec.ts";
import { diskLimitOf, endedForDisk } from "./disk-limit.ts";

const disk = (diskBytes: number): Partial<AgentSpec> => ({
  limits: { memoryBytes: null, cpu: null, processes: null, files: null, diskBytes },
});
const outOfDisk = { exit: 137, why: "out-of-disk", said: "" } as const;

class DiskWorld extends AgentWorld {
  bound(name: string, maxDisk: number | undefined, scope: PolicyScope = {}, priority = 0): void {
    const rules = maxDisk === undefined ? {} : { maxDisk };
    this.ok({ type: "policy.set", policy: { name, priority, enabled: true, scope, rules } });
  }

  most(id: string): ReturnType<typeof diskLimitOf> {
    return diskLimitOf(this.state, this.agent(id));
  }

  told(): string[] {
    return this.acts().flatMap(({ type, id }) => (type === "bound" ? [id] : []));
  }
}

describe("what an agent may take of the disk", () => {
  test("[SV13] is what its template says, and at most what policies allow", () => {
    const world = new DiskWorld();
    const id = world.running([lone], disk(100));
    expect(world.most(id)).toEqual({ bytes: 100, policy: null });
    world.bound("wide", 200);
    expect(world.most(id)).toEqual({ bytes: 100, policy: null });
    world.bound("small", 50, {}, 1);
    expect(world.most(id)).toEqual({ bytes: 50, policy: "small" });
    world.bound("elsewhere", 10, { project: "p_other" }, 9);
    world.bound("of-runs", 10, { profile: "fast" }, 9);
    world.bound("of-scripts", 10, { runner: "script" }, 9);
    expect(world.most(id)?.bytes).toBe(50);
  });

  test("[SV13] is nobody's business where nobody says anything", () => {
    const world = new DiskWorld();
    const id = world.running([lone]);
    expect(world.most(id)).toBeNull();
    world.bound("small", 50);
    expect(world.most(id)?.bytes).toBe(50);
    world.ok({ type: "policy.remove", name: "small" });
    expect(world.most(id)).toBeNull();
  });

  test("[SV13] is told whoever keeps it whenever it may be another, and again after a restart", () => {
    const world = new DiskWorld();
    const id = world.running([lone]);
    world.bound("small", 50);
    expect(world.told()).toEqual([`bound:${id}@1:50`]);
    world.ok({ type: "policy.remove", name: "small" });
    expect(world.told()).toEqual([`bound:${id}@1:all`]);
    const { spec } = world.agent(id);
    world.ok({ type: "agent.reload", agent: id, spec: { ...spec, ...disk(70) }, offered: [] });
    expect(world.told()).toEqual([`bound:${id}@1:70`]);
    expect(world.agent(id)).toMatchObject({ state: "running", life: 1 });
    expect(world.todo()).toContain(`bound:${id}`);
    world.ok({ type: "agent.stop", agent: id, force: true });
    world.bound("small", 50);
    expect(world.told()).toEqual([]);
  });

  test("[SV13] whoever was ended for it is known for an hour, and as long as it has not ended otherwise", () => {
    const world = new DiskWorld();
    const id = world.running([db, lone], disk(100));
    const names = (): string[] => endedForDisk(world.agent(id), world.nowMs).map(({ name }) => name);
    world.ended(id, "db", { exit: 1, why: "ended", said: "No space left on device" });
    expect(names()).toEqual([]);
    world.ended(id, "web", outOfDisk);
    expect(names()).toEqual(["web"]);
    world.pass(3_600_001);
    expect(names()).toEqual([]);
  });
});
