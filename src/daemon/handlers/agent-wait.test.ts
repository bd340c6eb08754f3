import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import type { Caller, Context } from "../context.ts";
import { Waits } from "../waits.ts";
import { agentHandlers } from "./agent-handlers.ts";

test("[AG84] who waits for an agent hears when nobody in it is being told any more, also of what was begun meanwhile", async () => {
  const world = new AgentWorld();
  const agent = world.running([lone]);
  const telling = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let [told, answered] = [0, false];
  const parts = {
    agents: { isAdapting: () => told < telling.length, adapted: () => telling[told]?.promise },
    engine: { subscribe: () => () => undefined },
    clock: { setTimer: () => () => undefined },
  };
  const waits = new Waits(parts as unknown as Context["parts"]);
  const read = (_: unknown, reply: () => void): void => reply();
  const context = { state: world.state, parts, waits, read } as unknown as Context;
  agentHandlers["agent.wait"](context, { agent, waitMs: 1000 }, {} as Caller, () => (answered = true));
  for (const each of telling) {
    expect(answered).toBe(false);
    told++;
    each.resolve();
    await new Promise(setImmediate);
  }
  expect(answered).toBe(true);
});
