// Machines with one terminal of a run: a real one, whose keeper has a pty for it, and one of the simulated world.

import { join } from "node:path";
import { expect } from "vitest";
import type { Prng } from "../../src/base/prng.ts";
import { systemClock } from "../../src/adapters/clock/system-clock.ts";
import type { Input } from "../../src/core/inputs.ts";
import { PooledKeepers } from "../../src/node/keepers/pooled-keepers.ts";
import { Recordings } from "../../src/node/terminals/recordings.ts";
import { Terminals } from "../../src/node/terminals/terminals.ts";
import type { CommandEnd, HelloAnswer } from "../../src/protocol/keeper/keeper-wire.ts";
import { Scheduler } from "../../sim/world/scheduler.ts";
import { SimTerminals } from "../../sim/world/sim-terminals.ts";
import type { TerminalMachine, ToldOfTerminal } from "../contracts/terminals.contract.ts";
import { CoreWorld } from "./core-world.ts";
import { asOf, KeeperRig, type Who } from "./keeper-rig.ts";

/** Says that it is there, and ends when it is told to by a file. */
const script = "echo there; touch there; until [ -e go ]; do sleep 0.02; done; rm go";

/** What is told goes into the log, as long as there is a daemon. */
class Log {
  readonly world = new CoreWorld();
  readonly terminal: string;
  readonly told: ToldOfTerminal[] = [];
  #lost: PromiseWithResolvers<void> | undefined;

  constructor() {
    this.world.project({});
    const run = this.world.started();
    this.world.ok({ type: "terminal.open", run, argv: ["/bin/sh", "-c", script], cols: 80, rows: 24 });
    const [terminal = ""] = this.world.state.terminals.keys();
    this.terminal = terminal;
  }

  /** False where it was lost. */
  hear(input: Input): boolean {
    this.#lost?.resolve();
    if (this.#lost !== undefined) return false;
    const { ok } = this.world.give(input, "system");
    if (ok && input.type === "terminal.end" && this.world.lastOf("terminal.ended").length > 0) this.told.push(input);
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

export async function realMachine(who: Who): Promise<TerminalMachine> {
  const log = new Log();
  const rig = await KeeperRig.start(who);
  const keepers = new PooledKeepers(rig.pool);
  const keeper = await keepers.open(rig.order);
  const owner = asOf(who) ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const recordings = new Recordings({ folder: join(rig.base, "recordings"), owner });
  let scripts = 0;
  const inside = async (text: string): Promise<void> => {
    const call = `aside-${++scripts}`;
    const argv = ["/bin/sh", "-c", text];
    await keeper.request({ op: "start", call, argv, cwd: null, env: {}, timeoutMs: null });
    expect((await keeper.request({ op: "wait", call })) as CommandEnd).toMatchObject({ exit: 0 });
  };
  const daemon = (): { terminals: Terminals; kill: () => void } => {
    const closing = new AbortController();
    const onDefect = (error: unknown): void => expect.unreachable(String(error));
    const terminals = new Terminals({ recordings, clock: systemClock, onDefect });
    terminals.connect({
      state: () => log.world.state,
      submit: async (_, input) => {
        const isHeard = !closing.signal.aborted && log.hear(input);
        return isHeard ? { ok: true } : new Promise(() => undefined);
      },
      keeperOf: async () => keeper,
      envOf: async () => ({}),
      closing: closing.signal,
    });
    return { terminals, kill: () => closing.abort() };
  };
  let now = daemon();
  const keep = async (): Promise<void> => {
    const act = log.world.pending().find(({ type }) => type === "terminal");
    if (act?.type !== "terminal") return;
    void now.terminals.keep(act);
    await inside("until [ -e there ]; do sleep 0.02; done");
  };
  return {
    told: log.told,
    keep,
    hangUp: () => now.terminals.hangUp(log.terminal),
    finish: () => inside("touch go"),
    lose: async () => {
      process.kill(((await keeper.request({ op: "hello", protocol: 1 })) as HelloAnswer).pid, "SIGKILL");
    },
    deafen: () => log.deafen(),
    nextDaemon: async () => {
      now.kill();
      log.listen();
      now = daemon();
      await keep();
    },
    end: async () => {
      now.kill();
      await keepers.end(rig.order.agent, 0);
    },
  };
}

export async function simMachine(): Promise<TerminalMachine> {
  const log = new Log();
  const scheduler = new Scheduler();
  // Whoever is hung up is so before it would have ended by itself.
  const late = { between: (_: number, to: number) => to } as unknown as Prng;
  const soon = { between: (from: number) => from } as unknown as Prng;
  const world = { prng: late, ills: soon };
  const terminals = new SimTerminals({
    world,
    after: (delayMs, run) => void scheduler.after(delayMs, run),
  });
  const tell = (input: Input): void => void log.hear(input);
  const untilQuiet = (): void => {
    while (scheduler.step());
  };
  let isFinished = false;
  return {
    told: log.told,
    keep: async () => terminals.keep(log.terminal, tell),
    hangUp: async () => {
      terminals.hangUp(log.terminal, tell);
      untilQuiet();
    },
    finish: async () => {
      isFinished = true;
      untilQuiet();
    },
    lose: async () => {
      terminals.crash();
      terminals.keep(log.terminal, tell);
      untilQuiet();
    },
    deafen: () => log.deafen(),
    nextDaemon: async () => {
      log.listen();
      terminals.keep(log.terminal, tell);
      if (isFinished) untilQuiet();
    },
    end: async () => undefined,
  };
}
