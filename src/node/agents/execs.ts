// Commands that somebody runs inside an agent and listens to: begun, read as they speak, given input, ended. They are the
// keeper's like all others, so that they go on while a daemon restarts; but whoever wanted one has to come back for it. A
// command for which nobody asks any more is ended, and nothing of it stays.

import { randomUUID } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import type { Agent, Service } from "../../core/agent/agent-state.ts";
import type { State } from "../../core/state.ts";
import type { Clock } from "../../ports/clock.ts";
import {
  type CommandEnd,
  type HelloAnswer,
  keeperProtocol,
  type OutputAnswer,
  type StopSignalName,
} from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import type { LivingAgents } from "./living-agents.ts";

export type ExecsOptions = {
  readonly agents: Pick<LivingAgents, "standing" | "envOf" | "systemOf"> & {
    readonly byHand: Pick<LivingAgents["byHand"], "noteCommand">;
  };
  readonly state: () => State;
  readonly clock: Pick<Clock, "setTimer">;
  /** Something went wrong that nobody can be told of. */
  readonly onFailed: (error: unknown) => void;
};

export type ExecOrder = {
  readonly argv: readonly string[];
  /** The service whose variables it sees, too, and whose system it runs on. */
  readonly beside?: Service | null;
  readonly cwd: string | null;
  readonly timeoutMs: number | null;
  readonly stdin: boolean;
  /** Whether it waits for whoever reads, so that nothing is left out. Else of much only the beginning and the end are kept. */
  readonly paced: boolean;
  /** The same one again is the same command. */
  readonly key?: string | undefined;
};

export type ExecPart = OutputAnswer & { readonly end: CommandEnd | null };

/** Of one command in one agent. */
export type ExecRef = { readonly agent: Agent; readonly exec: string };

/** How long a command goes on for which nobody asks: a daemon that restarts and whoever waits for it need a while. */
export const execPatienceMs = 30_000;
/** The same where whoever asked has left in the middle. */
const leftPatienceMs = 2_000;
const endGraceMs = 2_000;
/** What may be said ahead of whoever reads. More is kept, for what is left in the pipe when the command ends. */
const aheadBytes = 4 * 1024 * 1024;
const rotation = { bytes: 1024 * 1024, keep: 10 };

type Known = { asking: number; cancel: () => void; tied?: AbortSignal };

export class Execs {
  readonly #options: ExecsOptions;
  /** By their calls: those that will be ended when nobody asks. */
  readonly #known = new Map<string, Known>();
  #isClosed = false;

  constructor(options: ExecsOptions) {
    this.#options = options;
  }

  /** Finds those that an earlier daemon began: whoever wanted them may come back. */
  async begin(): Promise<void> {
    const made = [...this.#options.state().agents.values()].filter(({ isMade }) => isMade);
    for (const agent of made) {
      try {
        const keeper = await this.#keeperOf(agent);
        const { calls } = (await keeper.request({ op: "hello", protocol: keeperProtocol })) as HelloAnswer;
        for (const call of calls) {
          const exec = execIn(agent, call);
          if (exec !== undefined) this.#await({ agent, exec }, execPatienceMs);
        }
      } catch (error) {
        // It went meanwhile, and its commands with it.
        if (!(error instanceof Fault)) this.#options.onFailed(error);
      }
    }
  }

  /** Begins a command, or finds the one of this key. */
  async start(agent: Agent, order: ExecOrder): Promise<string> {
    const exec = order.key ?? randomUUID();
    await this.#asking({ agent, exec }, undefined, async (keeper, call) => {
      const { argv, cwd, timeoutMs, stdin, beside = null } = order;
      const env = await this.#options.agents.envOf(agent, beside);
      const system = beside === null ? null : await this.#options.agents.systemOf(agent, beside.spec.name);
      const where = system === null ? {} : { system: system.name };
      const paced = order.paced ? { ahead: aheadBytes, rotate: rotation } : {};
      await keeper.request({ op: "start", call, argv, cwd, env, timeoutMs, stdin, ...paced, ...where });
      this.#options.agents.byHand.noteCommand(agent.id, argv[0] ?? "");
    });
    return exec;
  }

  /** Whoever listens does so over one connection: when that is over they have left, whatever they were about to ask. */
  tie(ref: ExecRef, connection: AbortSignal): void {
    const call = callOf(ref);
    const known = this.#known.get(call);
    if (known === undefined || known.tied === connection) return;
    known.tied = connection;
    const leave = (): void => {
      const isMeant = this.#known.get(call) === known && known.tied === connection;
      if (isMeant && known.asking === 0) this.#await(ref, leftPatienceMs);
    };
    connection.addEventListener("abort", leave, { once: true });
  }

  /** How it ended, once it has. */
  wait(ref: ExecRef, signal: AbortSignal | undefined): Promise<CommandEnd> {
    return this.#asking(ref, signal, (keeper, call) => endOf(keeper, call, signal));
  }

  /**
   * What it said from an offset on, once there is something or the patience is over. Whoever asks has read what comes before
   * the offset: it may be let go.
   */
  read(
    ref: ExecRef,
    { offset, limit }: { readonly offset: number; readonly limit: number },
    { patience, signal }: { readonly patience?: AbortSignal; readonly signal?: AbortSignal | undefined },
  ): Promise<ExecPart> {
    return this.#asking(ref, signal, async (keeper, call) => {
      const ask = (until?: AbortSignal): Promise<OutputAnswer> =>
        keeper.request(
          { op: "output", call, offset, limit, wait: until !== undefined },
          until,
        ) as Promise<OutputAnswer>;
      const waits = [patience, signal].filter((each) => each !== undefined);
      const part = patience === undefined ? await ask() : await ask(AbortSignal.any(waits)).catch(() => ask());
      return { ...part, end: part.ended ? await endOf(keeper, call) : null };
    });
  }

  /** Gives it something to read. False when it reads no more. */
  write(
    ref: ExecRef,
    input: { readonly base64: string; readonly end: boolean; readonly tag: string },
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    return this.#asking(ref, signal, async (keeper, call) => {
      const { taken } = (await keeper.request({ op: "input", call, ...input, wait: true }, signal)) as {
        readonly taken: boolean;
      };
      return taken;
    });
  }

  /** Ends it with everything that it started, first by this signal. */
  async stop(
    ref: ExecRef,
    { first, graceMs }: { readonly first: StopSignalName; readonly graceMs: number },
  ): Promise<void> {
    await this.#asking(ref, undefined, (keeper, call) => keeper.request({ op: "stop", call, graceMs, signal: first }));
  }

  /** Ends it if it has not ended, and lets go of what it said. */
  async forget(ref: ExecRef): Promise<void> {
    const call = callOf(ref);
    this.#known.get(call)?.cancel();
    this.#known.delete(call);
    try {
      const keeper = await this.#keeperOf(ref.agent);
      await keeper.request({ op: "stop", call, graceMs: endGraceMs });
      await keeper.request({ op: "forget", call });
    } catch (error) {
      // It is forgotten already, or went with its agent; what still runs is found by the next daemon.
      if (!(error instanceof Fault)) throw error;
    }
  }

  /** They go on; the next daemon finds them. */
  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#known.values()) cancel();
    this.#known.clear();
  }

  /** As it stands now: its agent may have changed since. */
  async #keeperOf({ id }: Agent): Promise<KeeperLine> {
    return (await this.#options.agents.standing(id)).keeper;
  }

  /** While somebody asks, and for a while after, it goes on. */
  async #asking<T>(
    ref: ExecRef,
    signal: AbortSignal | undefined,
    ask: (keeper: KeeperLine, call: string) => Promise<T>,
  ): Promise<T> {
    const call = callOf(ref);
    const known = this.#known.get(call) ?? { asking: 0, cancel: () => undefined };
    this.#known.set(call, known);
    known.cancel();
    known.asking += 1;
    try {
      return await ask(await this.#keeperOf(ref.agent), call);
    } finally {
      known.asking -= 1;
      if (known.asking === 0 && this.#known.get(call) === known)
        this.#await(ref, signal?.aborted === true ? leftPatienceMs : execPatienceMs);
    }
  }

  #await(ref: ExecRef, patienceMs: number): void {
    if (this.#isClosed) return;
    const call = callOf(ref);
    const known = this.#known.get(call) ?? { asking: 0, cancel: () => undefined };
    known.cancel();
    const forget = (): void => void this.forget(ref).catch((error: unknown) => this.#options.onFailed(error));
    known.cancel = this.#options.clock.setTimer(patienceMs, forget);
    this.#known.set(call, known);
  }
}

async function endOf(keeper: KeeperLine, call: string, signal?: AbortSignal): Promise<CommandEnd> {
  return (await keeper.request({ op: "wait", call }, signal)) as CommandEnd;
}

/** No service has lives that are numbered like this. */
function callOf({ agent, exec }: ExecRef): string {
  return `${agent.id}-exec-${exec}`;
}

function execIn(agent: Agent, call: string): string | undefined {
  const begin = `${agent.id}-exec-`;
  const exec = call.startsWith(begin) ? call.slice(begin.length) : "";
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(exec) ? exec : undefined;
}
