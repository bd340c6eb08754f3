import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { agentOf } from "../../core/agent/agent-state.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { ServiceWatch } from "./service-watch.ts";

test("[AG46] one that is abandoned while it is being started is nobody's mistake", async () => {
  const world = new AgentWorld();
  const id = world.running([lone]);
  const asked = Promise.withResolvers<void>();
  const keeper: Pick<KeeperLine, "request"> = {
    request: (_op: unknown, signal?: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason as Error));
        asked.resolve();
      }),
  };
  const watch = new ServiceWatch({
    ...{ callsFolder: "/nowhere", call: "a-web-1", name: "web", life: 1, given: { made: {}, secrets: {}, joined: {} } },
    agent: () => agentOf(world.state, id),
    keeper: keeper as KeeperLine,
    ...{ report: async () => ({ ok: true }), nowMs: () => 0, sleep: async () => undefined, onOver: () => undefined },
    ...{ closing: new AbortController().signal, onDefect: (error) => expect.unreachable(String(error)) },
    ...{ lastUse: () => null, onChecked: () => undefined },
  });
  const starting = watch.start();
  await asked.promise;
  watch.abandon();
  await expect(starting).resolves.toBeUndefined();
});
