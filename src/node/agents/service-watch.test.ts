import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { AgentWorld, lone, service } from "../../../test/support/agent-world.ts";
import { ServiceKeeper } from "../../../test/support/service-keeper.ts";
import { Fault } from "../../base/fault.ts";
import { agentOf } from "../../core/agent/agent-state.ts";
import type { AgentSpec } from "../../core/agent/agent-spec.ts";
import type { Input } from "../../core/inputs.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { envFileOf } from "./env-file.ts";
import type { Given } from "./service-order.ts";
import { ServiceWatch } from "./service-watch.ts";

function watchWith(
  world: AgentWorld,
  id: string,
  keeper: Pick<KeeperLine, "request">,
  report: (input: Input) => Promise<{ readonly ok: boolean }> = async () => ({ ok: true }),
  made: () => Given["made"] = () => ({}),
  missing?: Fault,
): ServiceWatch {
  return new ServiceWatch({
    ...{ callsFolder: "/nowhere", call: "a-web-1", name: "web", life: 1 },
    given: async () => {
      if (missing !== undefined) throw missing;
      return { made: made(), secrets: {}, joined: {} };
    },
    openGiven: async () => ({ made: made(), joined: {} }),
    system: async () => null,
    agent: () => agentOf(world.state, id),
    keeper: keeper as KeeperLine,
    ...{ report, nowMs: () => 0, sleep: async () => undefined, onOver: () => undefined },
    ...{ closing: new AbortController().signal, onDefect: (error) => expect.unreachable(String(error)) },
    ...{ lastUse: () => null, onChecked: () => undefined, doneByHand: async () => [] },
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

test("[AW1] one that runs goes on where its secret is gone when a daemon comes back; one that is started does not", async () => {
  const world = new AgentWorld();
  const id = world.running([lone]);
  const keeper = new ServiceKeeper();
  const reports: Input[] = [];
  const missing = new Fault("secret-missing", { retry: "never", message: "there is no secret KEY" });
  const again = (): Promise<void> =>
    watchWith(world, id, keeper, async (input) => ({ ok: reports.push(input) > 0 }), undefined, missing).start();
  await expect(again()).rejects.toThrow("there is no secret KEY");
  await watchWith(world, id, keeper).start();
  await again();
  expect(reports).toMatchObject([{ type: "service.began" }]);
});

describe("what is another about a service that runs", () => {
  const hearing = service("web", { ports: [], envSignal: "HUP" });
  const reload = (world: AgentWorld, id: string, more: Partial<AgentSpec>): void =>
    void world.ok({ type: "agent.reload", agent: id, spec: { ...world.agent(id).spec, ...more }, offered: [] });
  /** One that hears, and what stood in its file at each signal. */
  const begun = async (made: () => Given["made"] = () => ({})) => {
    const world = new AgentWorld();
    const id = world.running([hearing]);
    const heard: string[] = [];
    const keeper = new ServiceKeeper(({ op }) => {
      if (op === "signal") heard.push(readFileSync(keeper.at(envFileOf(id, "web")), "utf8"));
    });
    const watch = watchWith(world, id, keeper, undefined, made);
    await watch.start();
    return { world, id, heard, keeper, watch };
  };

  test("[SV7] is told once at a time, and all of it", async () => {
    const { world, id, heard, keeper, watch } = await begun();
    reload(world, id, { env: { A: "2" } });
    const first = watch.adapt();
    reload(world, id, { env: { A: "3" } });
    expect(await Promise.all([first, watch.adapt()])).toEqual([true, true]);
    expect(heard.at(-1)).toContain("A='3'\n");
    const asked = keeper.asked.flatMap(({ op }) => (op === "limit" || op === "signal" ? [op] : []));
    expect(asked.slice(0, 2)).toEqual(["limit", "signal"]);
    const before = heard.length;
    expect(await watch.adapt()).toBe(true);
    expect(heard).toHaveLength(before);
    expect(keeper.calls).toEqual(["a-web-1"]);
  });

  test("[AG5, SV7] is told with values that were made up for it since", async () => {
    const { world, id, heard, watch } = await begun(() => ({ KEY: "made-up" }));
    reload(world, id, { env: { KEY: { generate: "hex", bytes: 8 } } });
    expect(await watch.adapt()).toBe(true);
    expect(heard).toEqual([expect.stringContaining("KEY='made-up'\n")]);
  });

  test("[SV7] is waited with until it is up, and with nobody who is over", async () => {
    const world = new AgentWorld();
    const id = world.running([hearing]);
    const keeper = new ServiceKeeper();
    const watch = watchWith(world, id, keeper);
    const adapting = watch.adapt();
    await watch.start();
    expect(await adapting).toBe(true);
    expect(keeper.asked.findIndex(({ op }) => op === "limit")).toBeGreaterThan(
      keeper.asked.findIndex(({ op, ...more }) => op === "start" && "call" in more && more.call === "a-web-1"),
    );
    const never = watchWith(world, id, new ServiceKeeper());
    const waiting = never.adapt();
    never.abandon();
    expect(await waiting).toBe(true);
  });

  test("[SV7] is told again where that failed once, after a daemon has come back", async () => {
    const { world, id, keeper } = await begun();
    reload(world, id, { env: { A: "2" } });
    let isBroken = true;
    const heard: string[] = [];
    const again = watchWith(world, id, {
      request: (op) => {
        if (op.op === "limit" && isBroken) {
          isBroken = false;
          return Promise.reject(new Fault("keeper-unavailable", { retry: "later", message: "the keeper was lost" }));
        }
        if (op.op === "signal") heard.push(op.signal);
        return keeper.request(op);
      },
    });
    await expect(again.start()).rejects.toThrow("the keeper was lost");
    await again.start();
    expect(heard).toEqual(["HUP"]);
    await again.start();
    expect(heard).toEqual(["HUP"]);
  });
});
