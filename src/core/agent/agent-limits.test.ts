import { describe, expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import type { PolicyRules, PolicyScope } from "../policy/policy.ts";
import { agentLimitsOf, findBeyondPolicies, heldByPolicies, memoryAllowed, usableBy } from "./agent-limits.ts";
import type { AgentSpec, UseLimits } from "./agent-spec.ts";

const none: UseLimits = { memoryBytes: null, cpu: null, processes: null, files: null };
const limited = (limits: Partial<UseLimits>): Partial<AgentSpec> => ({ limits: { ...none, ...limits } });
const outOfMemory = { exit: 137, why: "out-of-memory", said: "" } as const;
const always = { restart: { ...lone.restart, limit: 0 } };

class LimitWorld extends AgentWorld {
  bound(name: string, rules: PolicyRules, scope: PolicyScope = {}, priority = 0): void {
    this.ok({ type: "policy.set", policy: { name, priority, enabled: true, scope, rules } });
  }

  limits(id: string): Record<string, number | string | null> {
    const found = Object.entries(agentLimitsOf(this.state, this.agent(id)));
    return Object.fromEntries(found.flatMap(([kind, limit]) => (limit === null ? [] : [[kind, limit.value]])));
  }

  told(): string[] {
    return this.acts().flatMap(({ type, id }) => (type === "bound" ? [id] : []));
  }
}

describe("what everything in an agent may use", () => {
  test("[SV16] is what its template says, and at most what policies of its project and node allow", () => {
    const world = new LimitWorld();
    const id = world.running([lone], limited({ memoryBytes: 1000, cpu: 2, files: 100 }));
    expect(world.limits(id)).toEqual({ memoryBytes: 1000, cpu: 2, files: 100 });
    world.bound("wide", { maxMemory: 2000, maxCpu: 3, maxProcesses: 50 });
    expect(world.limits(id)).toEqual({ memoryBytes: 1000, cpu: 2, files: 100, processes: 50 });
    world.bound("small", { maxMemory: 500, maxCpu: 1, maxOpenFiles: 64, maxOutputRate: 2048 }, {}, 1);
    const all = { memoryBytes: 500, cpu: 1, processes: 50, files: 64, outputBytesPerS: 2048 };
    expect(world.limits(id)).toEqual(all);
    const less = { maxMemory: 1, maxCpu: 0.1, maxProcesses: 8, maxOpenFiles: 16, maxOutputRate: 1024 };
    world.bound("elsewhere", less, { project: "p_other" }, 9);
    world.bound("of-runs", less, { profile: "fast" }, 9);
    world.bound("of-scripts", less, { runner: "script" }, 9);
    expect(world.limits(id)).toEqual(all);
    expect(heldByPolicies(world.state, world.agent(id))).toEqual([
      { limit: "memoryBytes", policy: "small" },
      { limit: "cpu", policy: "small" },
      { limit: "processes", policy: "wide" },
      { limit: "files", policy: "small" },
      { limit: "outputBytesPerS", policy: "small" },
    ]);
    expect(usableBy(world.state, world.agent(id))).toEqual(all);
  });

  test("[SV16, SV5] is nobody's business where nobody says anything, and the disk is shown with it", () => {
    const world = new LimitWorld();
    const id = world.running([lone]);
    expect(world.limits(id)).toEqual({});
    expect(usableBy(world.state, world.agent(id))).toBeNull();
    world.bound("disk", { maxDisk: 70 });
    expect(usableBy(world.state, world.agent(id))).toEqual({ ...none, diskBytes: 70 });
    expect(heldByPolicies(world.state, world.agent(id))).toEqual([{ limit: "diskBytes", policy: "disk" }]);
  });

  test("[SV16] a model's policy lifts nothing that is usual, and is no more than a word where a person has said something", () => {
    const world = new LimitWorld();
    const id = world.running([lone]);
    world.bound("models", { maxProcesses: 9999, maxOutputRate: 2 ** 30, maxMemory: 2 ** 50 }, {}, -1);
    expect(world.limits(id)).toEqual({ memoryBytes: 2 ** 50 });
    // Of memory, the machine knows what is usual.
    expect(agentLimitsOf(world.state, world.agent(id)).memoryBytes).toMatchObject({ tightens: true });
    world.bound("models", { maxProcesses: 50, maxMemory: 100 }, {}, -1);
    expect(world.limits(id)).toEqual({ memoryBytes: 100, processes: 50 });
    world.bound("ours", { maxProcesses: 9999, maxMemory: 1000 });
    expect(world.limits(id)).toEqual({ memoryBytes: 1000, processes: 9999 });
    expect(agentLimitsOf(world.state, world.agent(id)).memoryBytes).toMatchObject({ tightens: false });
  });

  test("[SV16] is told whoever keeps it whenever it may be another, and again after a restart", () => {
    const world = new LimitWorld();
    const id = world.running([lone], limited({ cpu: 2 }));
    world.bound("small", { maxMemory: 500 });
    expect(world.told()).toEqual([`bound:${id}@1:all+memoryBytes=500+cpu=2`]);
    world.bound("small", { maxMemory: 500, maxCpu: 1 });
    expect(world.told()).toEqual([`bound:${id}@1:all+memoryBytes=500+cpu=1`]);
    expect(world.todo()).toContain(`bound:${id}`);
    world.ok({ type: "policy.remove", name: "small" });
    expect(world.told()).toEqual([`bound:${id}@1:all+cpu=2`]);
    expect(world.agent(id)).toMatchObject({ state: "running", life: 1 });
  });

  test("[SV16, AG74] whoever ran out of memory gets no more than policies allow", () => {
    const world = new LimitWorld();
    const id = world.running([{ ...lone, ...always }], limited({ memoryBytes: 100, memoryBytesMax: 400 }));
    world.bound("small", { maxMemory: 150 });
    expect(usableBy(world.state, world.agent(id))).toMatchObject({ memoryBytes: 100, memoryBytesMax: 150 });
    world.ended(id, "web", outOfMemory);
    expect(world.agent(id)).toMatchObject({ state: "stopping", rung: "reallocate" });
    expect(world.limits(id)).toEqual({ memoryBytes: 150 });
    expect(memoryAllowed(world.state, world.agent(id))).toBe(150);
    world.gone(id);
    world.made(id);
    world.began(id, "web");
    world.wearOut(id, "web", outOfMemory);
    // There is nothing more to give.
    expect(world.agent(id).rung).toBe("respawn");
  });

  test("[SV16, AG92] limits of a template that policies do not allow are found, with who says so", () => {
    const world = new LimitWorld();
    world.bound("small", { maxMemory: 50, maxDisk: 10, maxCpu: 1 });
    const spec = {
      limits: { ...none, memoryBytes: 100, memoryBytesMax: 200, cpu: 1, diskBytes: 20 },
      services: [{ ...lone, limits: { ...none, cpu: 2 } }, lone],
    };
    const found = findBeyondPolicies(world.state, { project: world.projectId, node: "local" }, spec);
    expect(found.map(({ path, value, most, policy }) => [path, value, most, policy])).toEqual([
      ["limits.memory", 100, 50, "small"],
      ["limits.memory_max", 200, 50, "small"],
      ["limits.disk", 20, 10, "small"],
      ["services.web.limits.cpu", 2, 1, "small"],
    ]);
    expect(findBeyondPolicies(world.state, { project: "p_other", node: "local" }, { services: [lone] })).toEqual([]);
  });
});
