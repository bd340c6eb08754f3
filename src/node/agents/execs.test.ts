import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { TestClock } from "../../../test/support/test-clock.ts";
import { Fault } from "../../base/fault.ts";
import { agentOf } from "../../core/agent/agent-state.ts";
import type { KeeperOp } from "../../protocol/keeper/keeper-wire.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { execPatienceMs, Execs } from "./execs.ts";

const order = { argv: ["true"], cwd: null, timeoutMs: null, stdin: false, paced: true } as const;
const old = "11111111-2222-4333-8444-555555555555";

/** A keeper that knows what was begun, and says nothing until somebody tells it to. */
class Rig {
  readonly world = new AgentWorld();
  readonly clock = new TestClock();
  readonly agent = this.world.running([lone]);
  readonly asked: string[] = [];
  readonly calls = new Set<string>();
  readonly failed: unknown[] = [];
  readonly ran: string[] = [];
  readonly execs = new Execs({
    agents: {
      standing: async () => ({ keeper: { request: this.#request } }) as unknown as Workspace,
      envOf: async () => ({}),
      systemOf: async () => null,
      byHand: { noteCommand: (_, program) => this.ran.push(program) },
    },
    ...{ state: () => this.world.state, clock: this.clock, onFailed: (error) => this.failed.push(error) },
  });
  said: PromiseWithResolvers<void> | undefined;

  readonly #request = async (op: KeeperOp, signal?: AbortSignal): Promise<unknown> => {
    this.asked.push(op.op);
    if (op.op === "hello") return { calls: [...this.calls] };
    if (!("call" in op)) return {};
    if (op.op === "start") this.calls.add(op.call);
    if (!this.calls.has(op.call)) throw new Fault("unknown-call", { retry: "never", message: "there is none" });
    if (op.op === "forget") this.calls.delete(op.call);
    if (op.op === "output" && op.wait === true) {
      signal?.throwIfAborted();
      const left = new Promise<never>((_, reject) =>
        signal?.addEventListener("abort", () => reject(new Error("left"))),
      );
      await Promise.race([this.said?.promise, left]);
    }
    return { base64: "", offset: 0, totalBytes: 0, ended: false };
  };
}

test("[AG81] a command for which nobody asks any more is ended and forgotten, and one that is asked for goes on", async () => {
  const rig = new Rig();
  const agent = agentOf(rig.world.state, rig.agent);
  const exec = await rig.execs.start(agent, order);
  rig.clock.advance(execPatienceMs - 1);
  rig.said = Promise.withResolvers();
  const { signal: patience } = new AbortController();
  const reading = rig.execs.read({ agent, exec }, { offset: 0, limit: 10 }, { patience });
  rig.clock.advance(2 * execPatienceMs);
  expect(rig.calls.size).toBe(1);
  rig.said.resolve();
  await reading;
  rig.clock.advance(execPatienceMs - 1);
  expect(rig.asked.includes("forget")).toBe(false);
  rig.clock.advance(1);
  await expect.poll(() => rig.calls.size).toBe(0);
  expect(rig.asked.slice(-2)).toEqual(["stop", "forget"]);
  expect(rig.failed).toEqual([]);
});

test("[AG81] who leaves in the middle is not waited for as long", async () => {
  const rig = new Rig();
  const agent = agentOf(rig.world.state, rig.agent);
  const exec = await rig.execs.start(agent, order);
  expect(rig.ran).toEqual([order.argv[0]]);
  rig.said = Promise.withResolvers();
  const leaving = new AbortController();
  const { signal: patience } = new AbortController();
  const reading = rig.execs.read({ agent, exec }, { offset: 0, limit: 10 }, { patience, signal: leaving.signal });
  leaving.abort();
  await reading;
  rig.clock.advance(execPatienceMs / 10);
  await expect.poll(() => rig.calls.size).toBe(0);
});

test("[AG81] whose connection is over has left, also where nothing was asked just then", async () => {
  const rig = new Rig();
  const agent = agentOf(rig.world.state, rig.agent);
  const exec = await rig.execs.start(agent, order);
  const [first, second] = [new AbortController(), new AbortController()];
  rig.execs.tie({ agent, exec }, first.signal);
  rig.execs.tie({ agent, exec }, second.signal);
  // Who listens over another one by now has not left.
  first.abort();
  rig.clock.advance(execPatienceMs / 10);
  expect(rig.calls.size).toBe(1);
  second.abort();
  rig.clock.advance(execPatienceMs / 10);
  await expect.poll(() => rig.calls.size).toBe(0);
});

test("[AG81] a daemon that starts waits for whoever wanted what it finds, and for nothing that is a service", async () => {
  const rig = new Rig();
  const agent = agentOf(rig.world.state, rig.agent);
  rig.calls.add(`${rig.agent}-exec-${old}`).add(`${rig.agent}-exec-3`);
  await rig.execs.begin();
  rig.clock.advance(execPatienceMs / 2);
  await rig.execs.read({ agent, exec: old }, { offset: 0, limit: 10 }, {});
  rig.clock.advance(execPatienceMs / 2);
  expect(rig.calls.size).toBe(2);
  rig.clock.advance(execPatienceMs);
  await expect.poll(() => [...rig.calls]).toEqual([`${rig.agent}-exec-3`]);
});

test("[AG81] a daemon that ends ends none of them", async () => {
  const rig = new Rig();
  await rig.execs.start(agentOf(rig.world.state, rig.agent), order);
  rig.execs.close();
  rig.clock.advance(10 * execPatienceMs);
  expect(rig.clock.nextMs).toBeUndefined();
  expect(rig.calls.size).toBe(1);
});
