import { expect, test } from "vitest";
import { AgentWorld, lone } from "../../../test/support/agent-world.ts";
import { Fault } from "../../base/fault.ts";
import { agentOf } from "../../core/agent/agent-state.ts";
import type { Input } from "../../core/inputs.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { ServiceWatch } from "./service-watch.ts";

function watchWith(
  world: AgentWorld,
  id: string,
  keeper: Pick<KeeperLine, "request">,
  report: (input: Input) => Promise<{ readonly ok: boolean }> = async () => ({ ok: true }),
): ServiceWatch {
  return new ServiceWatch({
    ...{ callsFolder: "/nowhere", call: "a-web-1", name: "web", life: 1, given: { made: {}, secrets: {}, joined: {} } },
    agent: () => agentOf(world.state, id),
    keeper: keeper as KeeperLine,
    ...{ report, nowMs: () => 0, sleep: async () => undefined, onOver: () => undefined },
    ...{ closing: new AbortController().signal, onDefect: (error) => expect.unreachable(String(error)) },
    ...{ lastUse: () => null, onChecked: () => undefined },
  });
}

test("[AG46] one that its keeper could never start can be stopped, and that is nobody's mistake", async () => {
  const world = new AgentWorld();
  const id = world.running([lone]);
  const reports: Input[] = [];
  const request = ({ op }: { readonly op: string }): Promise<never> =>
    Promise.reject(
      op === "start"
        ? new Fault("cage-unavailable", { retry: "later", message: "not now" })
        : new Fault("unknown-call", { retry: "never", message: "there is no call a-web-1" }),
    );
  const watch = watchWith(world, id, { request }, async (input) => ({ ok: reports.push(input) > 0 }));
  await expect(watch.start()).rejects.toThrow("not now");
  await watch.stop();
  expect(reports).toMatchObject([
    { type: "service.ended", service: "web", end: { exit: "unknown", why: "not-started" } },
  ]);
});

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
  const watch = watchWith(world, id, keeper);
  const starting = watch.start();
  await asked.promise;
  watch.abandon();
  await expect(starting).resolves.toBeUndefined();
});
