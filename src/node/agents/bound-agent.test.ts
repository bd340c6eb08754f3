import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { Fault } from "../../base/fault.ts";
import type { PolicyRules } from "../../core/policy/policy.ts";
import type { KeeperOp } from "../../protocol/keeper/keeper-wire.ts";
import { boundAgent } from "./bound-agent.ts";

const usual = { memoryBytes: 1000, diskBytes: null };
const known: readonly string[] = ["quota", "limits"];

/** What the keeper of the only agent is told, where it knows these requests. */
async function told(world: AgentWorld, id: string, knows = known): Promise<KeeperOp[]> {
  const heard: KeeperOp[] = [];
  const request = async (op: KeeperOp): Promise<unknown> => {
    heard.push(op);
    if (!knows.includes(op.op)) throw new Fault("bad-request", { retry: "never", message: "there is no request" });
    return {};
  };
  const keeper = { request } as never;
  await boundAgent(world.agent(id), { state: () => world.state, placeOf: async () => ({ keeper }), usual });
  return heard;
}

function bound(world: AgentWorld, name: string, priority: number, rules: PolicyRules): void {
  world.ok({ type: "policy.set", policy: { name, priority, enabled: true, scope: {}, rules } });
}

test("[SV13, SV16] a keeper is told what holds now, and what is usual where nobody has said anything", async () => {
  const world = new AgentWorld();
  const id = world.running([lone]);
  const free = { memoryBytes: 1000, processes: 4096, files: null, cpu: null, outputBytesPerS: null };
  expect(await told(world, id)).toEqual([
    { op: "quota", diskBytes: null },
    { op: "limits", limits: free },
  ]);
  bound(world, "small", 0, { maxMemory: 2000, maxCpu: 0.5, maxOpenFiles: 64, maxOutputRate: 2048, maxDisk: 70 });
  const limits = { memoryBytes: 2000, processes: 4096, files: 64, cpu: 0.5, outputBytesPerS: 2048 };
  expect(await told(world, id)).toEqual([
    { op: "quota", diskBytes: 70 },
    { op: "limits", limits },
  ]);
});

test("[SV16, SV8] a model's policy gives nobody more memory than is usual", async () => {
  const world = new AgentWorld();
  const id = world.running([lone]);
  const memory = async (): Promise<unknown> => {
    const [, op] = await told(world, id);
    return op?.op === "limits" ? op.limits.memoryBytes : undefined;
  };
  bound(world, "models", -1, { maxMemory: 5000 });
  expect(await memory()).toBe(1000);
  bound(world, "models", -1, { maxMemory: 300 });
  expect(await memory()).toBe(300);
});

test("[SV16] a keeper of an earlier release goes on with what it was told, and one that is gone is not", async () => {
  const world = new AgentWorld();
  const id = world.running([lone]);
  expect(await told(world, id, ["quota"])).toHaveLength(2);
  world.ok({ type: "agent.stop", agent: id, force: true });
  expect(await told(world, id)).toEqual([]);
});
