// Machines with one agent that has one service: a real one, whose keeper has a process for it, and one of the simulated world.

import { setImmediate as turn } from "node:timers/promises";
import { expect } from "vitest";
import type { AgentAct } from "../../src/core/acts.ts";
import type { Input } from "../../src/core/inputs.ts";
import type { Prng } from "../../src/base/prng.ts";
import { LivingAgents, type LivingAgentsLink, type LivingAgentsOptions } from "../../src/node/agents/living-agents.ts";
import { PooledKeepers } from "../../src/node/keepers/pooled-keepers.ts";
import type { KeeperLine } from "../../src/node/workspace/keepers.ts";
import type { CommandEnd, HelloAnswer, ProcessesAnswer } from "../../src/protocol/keeper/keeper-wire.ts";
import { LogModel } from "../../sim/world/log-model.ts";
import { Scheduler } from "../../sim/world/scheduler.ts";
import { Services } from "../../sim/world/services.ts";
import { SimAgents } from "../../sim/world/sim-agents.ts";
import type { NodeWorld } from "../../sim/world/sim-node.ts";
import type { ServiceMachine, ToldOfService } from "../contracts/services.contract.ts";
import { AgentWorld, service } from "./agent-world.ts";
import { KeeperRig, type Who } from "./keeper-rig.ts";
import { makeTempFolder } from "./temp-folder.ts";

/** Says how often it was begun, and ends when it is told to by a file. */
const script = "echo x >> starts; until [ -e crash ]; do sleep 0.02; done; rm crash; echo no; exit 1";

/** What is told goes into the log, as long as there is a daemon. */
class Log {
  readonly world = new AgentWorld();
  readonly agent: string;
  readonly told: ToldOfService[] = [];
  #lost: PromiseWithResolvers<void> | undefined;

  constructor() {
    this.agent = this.world.create([service("web", { argv: ["/bin/sh", "-c", script], ports: [] })]);
    this.world.made(this.agent);
  }

  /** False where it was lost. */
  hear(input: Input): boolean {
    this.#lost?.resolve();
    if (this.#lost !== undefined) return false;
    if (input.type === "service.began" || input.type === "service.ended") this.told.push(input);
    this.world.give(input, "system");
    return true;
  }

  deafen(): Promise<void> {
    this.#lost = Promise.withResolvers();
    return this.#lost.promise;
  }

  listen(): void {
    this.#lost = undefined;
  }
}

export async function realMachine(who: Who): Promise<ServiceMachine> {
  const log = new Log();
  const rig = await KeeperRig.start(who);
  const keepers = new PooledKeepers(rig.pool);
  const keeper = await keepers.open(rig.order);
  const callsFolder = makeTempFolder();
  const hello = async (): Promise<HelloAnswer> => (await keeper.request({ op: "hello", protocol: 1 })) as HelloAnswer;
  let scripts = 0;
  const said = async (text: string): Promise<string> => {
    const call = `aside-${++scripts}`;
    const argv = ["/bin/sh", "-c", text];
    await keeper.request({ op: "start", call, argv, cwd: null, env: {}, timeoutMs: null });
    return ((await keeper.request({ op: "wait", call })) as CommandEnd).tail;
  };
  const running = async (): Promise<number> => {
    const { calls } = (await keeper.request({ op: "processes" })) as ProcessesAnswer;
    return calls.filter(({ call, processes }) => call.startsWith(`${log.agent}-web-`) && processes.length > 0).length;
  };
  const daemon = (): { agents: LivingAgents; kill: () => void } => {
    const closing = new AbortController();
    const options = {
      workspaces: { of: async () => ({ keeper: lineOf(keeper, closing.signal) }) },
      values: { of: async () => ({}) },
      ...{ callsFolder, joinsFolder: callsFolder },
    };
    const link: Partial<LivingAgentsLink> = {
      state: () => log.world.state,
      report: async (input) => {
        const isHeard = !closing.signal.aborted && log.hear(input);
        return isHeard ? { ok: true } : new Promise(() => undefined);
      },
      ...{ nowMs: () => log.world.nowMs, sleep: async () => turn(), closing: closing.signal },
      onDefect: (error) => expect.unreachable(String(error)),
    };
    const agents = new LivingAgents(options as unknown as LivingAgentsOptions, link as LivingAgentsLink);
    return { agents, kill: () => closing.abort() };
  };
  let now = daemon();
  return {
    ...{ world: log.world, agent: log.agent, told: log.told },
    do: async (act) => {
      await now.agents.do(act);
      // One that runs has said so before anything else happens to it.
      if (act.type === "serve" && (await running()) > 0)
        await said(`until [ "$(cat starts | wc -l)" -ge ${act.serviceLife} ]; do sleep 0.02; done`);
    },
    count: async () => ({ started: Number(await said("cat starts 2>/dev/null | wc -l")), running: await running() }),
    crash: async () => {
      await said("touch crash; while [ -e crash ]; do sleep 0.02; done");
      await said(`until ! ps -e -o args= | grep -q '[e]cho no; exit 1'; do sleep 0.02; done`);
    },
    lose: async () => {
      process.kill((await hello()).pid, "SIGKILL");
    },
    deafen: () => log.deafen(),
    nextDaemon: () => {
      now.kill();
      log.listen();
      now = daemon();
    },
    end: async () => {
      now.kill();
      await keepers.end(rig.order.agent, 0);
    },
  };
}

/** Nothing more is asked by a daemon that is dead. */
function lineOf(keeper: KeeperLine, dead: AbortSignal): KeeperLine {
  return {
    request: (op, signal) =>
      dead.aborted
        ? new Promise(() => undefined)
        : keeper.request(op, signal === undefined ? dead : AbortSignal.any([signal, dead])),
    close: () => undefined,
  };
}

export async function simMachine(): Promise<ServiceMachine> {
  const log = new Log();
  const model = new LogModel();
  const scheduler = new Scheduler();
  let [started, isHurt, seen] = [0, false, 0];
  const services = new Services(() => expect.unreachable("two processes of one service"));
  const began = services.began.bind(services);
  services.began = (served) => {
    started++;
    began(served);
  };
  // Nothing is left to chance: what can end ends, with the code that says that something is wrong.
  const chance = { unit: () => 0.9, chance: () => false, between: (from: number) => from, pick: pickSecond };
  const world = {
    ...{ model, scheduler, services, isHurt: () => isHurt, sometimes: () => undefined },
    ...{ prng: chance as unknown as Prng, ills: chance as unknown as Prng, lodging: chance as unknown as Prng },
  };
  const follow = (): void => {
    for (const event of log.world.log.slice(seen)) model.evolve(event);
    seen = log.world.log.length;
  };
  const machine = {
    ...{ name: "local", world: world as unknown as NodeWorld, end: () => undefined },
    after: (delayMs: number, run: () => void) => void scheduler.after(delayMs, run),
    ask: (input: Input, onOutcome: () => void) => {
      log.hear(input);
      follow();
      onOutcome();
    },
  };
  const agents = new SimAgents(machine);
  const untilSo = (isSo: () => boolean): void => {
    while (!isSo()) if (!scheduler.step()) throw new Error("nothing happens any more");
  };
  return {
    ...{ world: log.world, agent: log.agent, told: log.told },
    do: async (act: AgentAct) => {
      follow();
      let isDone = false;
      const done = (): void => {
        isDone = true;
      };
      agents.perform(act, (input) => machine.ask(input, done), done);
      untilSo(() => isDone);
    },
    count: async () => ({ started, running: services.alive(log.agent, "web") === undefined ? 0 : 1 }),
    crash: async () => {
      isHurt = true;
      untilSo(() => services.alive(log.agent, "web") === undefined);
      isHurt = false;
    },
    lose: async () => {
      agents.crash();
      agents.boot();
    },
    deafen: () => log.deafen(),
    nextDaemon: () => log.listen(),
    end: async () => undefined,
  };
}

function pickSecond<T>(list: readonly T[]): T {
  const found = list[1];
  if (found === undefined) throw new Error("there is no second one");
  return found;
}
