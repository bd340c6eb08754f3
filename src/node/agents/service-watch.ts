// One life of a service, from its start to its end: a command of the agent's keeper, and checks of how it does.

import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { FailureUse } from "../../core/agent/agent-events.ts";
import type { UseLimits } from "../../core/agent/agent-spec.ts";
import type { Agent, AgentChange, Service } from "../../core/agent/agent-state.ts";
import { limitsOf } from "../../core/agent/room.ts";
import type { Input } from "../../core/inputs.ts";
import type { CommandEnd, LimitAnswer, StartAnswer } from "../../protocol/keeper/keeper-wire.ts";
import { limits as protocolLimits } from "../../protocol/limits.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import { formsOf, isHideable } from "../relay/redactor.ts";
import type { KeeperLine } from "../workspace/keepers.ts";
import { keepOutput } from "../tool-host/keep-output.ts";
import { type EnvFile, envFileOf, envTextOf, putEnv } from "./env-file.ts";
import { lookerOf } from "./health-look.ts";
import { type Checked, watchHealth } from "./health-watch.ts";
import { lastSaid } from "./last-said.ts";
import { checkOrderOf, type Given, numberOf, orderOf, type ServiceOrder } from "./service-order.ts";
import type { OwnSystem } from "./service-systems.ts";

export type ServiceWatchOptions = {
  readonly callsFolder: string;
  readonly call: string;
  readonly name: string;
  readonly life: number;
  readonly agent: () => Agent;
  /** What no template says itself, as it is now. */
  readonly given: () => Promise<Given>;
  /** That without secrets: nobody but whoever is started needs them to be there. */
  readonly openGiven: () => Promise<Omit<Given, "secrets">>;
  /** Makes the system ready that it has for itself; null where it has its agent's. */
  readonly system: () => Promise<OwnSystem | null>;
  readonly keeper: KeeperLine;
  readonly report: (input: Input) => Promise<{ readonly ok: boolean }>;
  readonly nowMs: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly closing: AbortSignal;
  readonly onDefect: (error: unknown) => void;
  readonly onOver: () => void;
  /** What it used when somebody last looked. */
  readonly lastUse: (sinceMs: number) => FailureUse | null;
  /** What was done to its agent of which the log says nothing. */
  readonly doneByHand: () => Promise<readonly AgentChange[]>;
  /** How long a check took, and whether it was well. */
  readonly onChecked: (check: { readonly ms: number; readonly ok: boolean }) => void;
};

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const steadyMs = 300;

/** What a keeper holds to. How far a limit may be raised is none of its business, and of the disk it is told by itself. */
export function commandLimits(
  limits: UseLimits | undefined,
): Omit<UseLimits, "memoryBytesMax" | "diskBytes"> | undefined {
  if (limits === undefined) return undefined;
  const { memoryBytesMax: _, diskBytes: _disk, ...held } = limits;
  return held;
}

/** Under which name the output of a life that is over is kept. */
export function outputNameOf(agent: string, service: string, life: number): string {
  return `${agent}/${service}-${life}/output`;
}

/** Why it is begun anew for what others are told while they run. */
export const cannotBeTold = "its template has changed, and it cannot be told while it runs";

export class ServiceWatch {
  readonly #options: ServiceWatchOptions;
  readonly #over = new AbortController();
  readonly #begun = Promise.withResolvers<void>();
  #ending: Promise<void> | undefined;
  /** Set while it is being asked to go, or is ended for not having gone. */
  #stopping: Promise<unknown> | undefined;
  /** Whether it ran already, and has not been told yet what is another since. */
  #isBehind = false;
  /** What it knows. Secrets are those that it was started with. */
  #given: Given = { made: {}, secrets: {}, joined: {} };
  /** One after another: a later one would not know what an earlier one has told it. */
  #adapting: Promise<unknown> = Promise.resolve();
  /** The check that is being made, and what ends that for another one. */
  #checking: { readonly health: string; readonly over: AbortController } | undefined;
  /** Since when it is watched: what was seen before is of an earlier life. */
  readonly #beganAtMs: number;

  constructor(options: ServiceWatchOptions) {
    this.#options = options;
    this.#beganAtMs = options.nowMs();
    // Nobody waits for the beginning of one that is over.
    const signal = this.#signal();
    if (signal.aborted) this.#begun.resolve();
    signal.addEventListener("abort", () => this.#begun.resolve(), { once: true });
  }

  /** Starts it, or finds it running: under its name there is one only, however often it is asked for. */
  async start(): Promise<void> {
    try {
      await this.#start();
    } catch (error) {
      // Abandoned in the middle of it, when its agent goes by force: that is nobody's mistake, and nobody waits for it.
      if (!this.#over.signal.aborted) throw error;
    }
  }

  async #start(): Promise<void> {
    if (this.#over.signal.aborted) return;
    if (this.#ending === undefined) await this.#begin();
    // A daemon may have been killed before it could tell what is another since.
    if (!this.#isBehind) return;
    const isAdapted = await this.adapt();
    this.#isBehind = false;
    if (isAdapted !== false) return;
    const { name, agent, report } = this.#options;
    await report({ type: "service.restart", agent: agent().id, service: name, because: cannotBeTold });
  }

  async #begin(): Promise<void> {
    const { call, keeper } = this.#options;
    const given = { ...(await this.#givenNow()), system: await this.#options.system() };
    this.#given = given;
    const what = orderOf(this.#options.agent(), this.#service(), given);
    const { logs } = this.#service().spec;
    const limits = commandLimits(limitsOf(this.#options.agent(), this.#service()));
    const hide = Object.values(given.secrets).filter(isHideable);
    const blot = formsOf(hide);
    const order = { op: "start", call, ...what, blot, hide, timeoutMs: null, timed: true } as const;
    const more = {
      ...(limits === undefined ? {} : { limits }),
      ...(logs === undefined ? {} : { rotate: { bytes: logs.maxBytes, keep: logs.keep } }),
    };
    await this.#layEnv();
    const { found } = (await keeper.request({ ...order, ...more }, this.#signal())) as StartAnswer;
    if (!found) await this.#forgetOutput();
    this.#isBehind = found;
    const ending = this.#follow();
    // Where no check says whether it does, one that ends at once has never been up.
    const { spec } = this.#service();
    if (spec.health === null) await Promise.race([ending, this.#options.sleep(steadyMs, this.#signal())]);
    if (this.#over.signal.aborted) return;
    await this.#tell({ type: "service.began" });
    this.#begun.resolve();
    this.#check();
  }

  /**
   * Holds it to what it may use now, and tells it of other variables. False where it has to be begun anew for that; null where its
   * keeper is of a release that cannot.
   */
  async adapt(): Promise<boolean | null> {
    // One that is just beginning may do so with what it had before; and one that does not listen yet would be ended by a signal.
    await this.#begun.promise;
    const turn = this.#adapting.then(() => this.#adaptNow());
    this.#adapting = turn.catch(() => undefined);
    return turn;
  }

  async #adaptNow(): Promise<boolean | null> {
    if (this.#signal().aborted) return true;
    this.#check();
    const { call, keeper, agent } = this.#options;
    const limits = commandLimits(limitsOf(agent(), this.#service())) ?? null;
    try {
      const { held } = (await keeper.request({ op: "limit", call, limits })) as LimitAnswer;
      if (held) await this.#tellEnv();
      return held;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      // It has ended.
      if (error.code === "unknown-call") return true;
      if (error.code === "bad-request") return null;
      throw error;
    }
  }

  /** Whoever begins knows its variables, and finds them in its file. */
  async #layEnv(): Promise<void> {
    const env = this.#envFile();
    if (env === undefined) return;
    // One that runs is told later, if there is anything to tell.
    if (!(await this.#isThere())) await putEnv(this.#options.keeper, "begin", env);
  }

  /** One that runs has its secrets, also where they are gone since: it goes on, and is not begun beside itself. */
  async #givenNow(): Promise<Given> {
    try {
      return await this.#options.given();
    } catch (error) {
      const isMissing = error instanceof Fault && error.code === "secret-missing";
      if (!isMissing || !(await this.#isThere())) throw error;
      return { ...(await this.#options.openGiven()), secrets: {} };
    }
  }

  /** Whether its keeper has it. */
  async #isThere(): Promise<boolean> {
    const { call, keeper } = this.#options;
    return (await keeper.request({ op: "output", call, offset: 0, limit: 1 }).catch(passUnknownCall)) !== undefined;
  }

  async #tellEnv(): Promise<void> {
    const { envSignal: signal } = this.#service().spec;
    if (signal === undefined) return;
    this.#given = { ...this.#given, ...(await this.#options.openGiven()) };
    const env = this.#envFile();
    const { call, keeper } = this.#options;
    if (env === undefined || (await putEnv(keeper, "place", env))) return;
    await keeper.request({ op: "signal", call, signal });
    await putEnv(keeper, "told", env);
  }

  /** Undefined where it reads none. */
  #envFile(): EnvFile | undefined {
    const { call, agent } = this.#options;
    const service = this.#service();
    if (service.spec.envSignal === undefined) return undefined;
    const { env, system } = orderOf(agent(), service, { ...this.#given, secrets: {} });
    const file = { call, file: envFileOf(agent().id, service.spec.name), text: envTextOf(env) };
    return system === undefined ? file : { ...file, system };
  }

  /** Stops it in the way that its template says. What follows is told like any other end. */
  async stop(): Promise<void> {
    const { call, keeper } = this.#options;
    const { signal, graceMs } = this.#service().spec.stop;
    const ending = this.#follow();
    const stopping = keeper.request({ op: "stop", call, graceMs, signal }).catch(passUnknownCall);
    this.#stopping = stopping;
    await stopping;
    await ending;
  }

  /** Nobody wants to hear of it any more. */
  abandon(): void {
    this.#over.abort();
  }

  #follow(): Promise<void> {
    this.#ending ??= this.#hearEnd().catch((error: unknown) => this.#fail(error));
    return this.#ending;
  }

  async #hearEnd(): Promise<void> {
    const { call, keeper } = this.#options;
    const ended = (await keeper.request({ op: "wait", call }, this.#signal()).catch(passUnknownCall)) as
      | CommandEnd
      | undefined;
    this.#over.abort();
    if (ended === undefined) {
      // It was asked to go before its keeper could start it.
      await this.#tell({ type: "service.ended", end: { exit: "unknown", why: "not-started", said: "" } });
      return this.#options.onOver();
    }
    const { exit, signal, why, tail } = ended;
    const use = this.#options.lastUse(this.#beganAtMs);
    // Its first process may go before others that have as long as it to do so (AG88).
    await this.#stopping?.catch(() => undefined);
    // Whatever it left behind goes with it: the next one wants its ports.
    await keeper.request({ op: "stop", call, graceMs: 0 }).catch(() => undefined);
    await this.#keepOutput();
    const end = { exit, why, said: lastSaid(tail), ...(signal === null ? {} : { signal }) };
    const done = await this.#options.doneByHand();
    const known = { ...(use === null ? {} : { use }), ...(done.length === 0 ? {} : { done }) };
    await this.#tell({ type: "service.ended", end, ...known });
    this.#options.onOver();
    // Not before it is in the log: whoever asks for this life again after a crash would start it a second time.
    await keeper.request({ op: "forget", call }, this.#options.closing).catch((error: unknown) => {
      if (!this.#options.closing.aborted) passTroubleOfTheWorld(error);
    });
  }

  /** One of this name may have been there before, and gone with its template: what that said is not of this life. */
  async #forgetOutput(): Promise<void> {
    const { name, life, callsFolder, agent } = this.#options;
    await rm(dirname(join(callsFolder, outputNameOf(agent().id, name, life))), { recursive: true, force: true });
  }

  async #keepOutput(): Promise<void> {
    const { call, keeper, name, life, callsFolder, agent } = this.#options;
    const { id } = agent();
    try {
      await keepOutput(keeper, call, join(callsFolder, outputNameOf(id, name, life)), { sayGaps: false });
      const old = dirname(join(callsFolder, outputNameOf(id, name, life - protocolLimits.serviceLivesMax)));
      await rm(old, { recursive: true, force: true });
    } catch (error) {
      // That it has ended matters more than what it said.
      passTroubleOfTheWorld(error);
    }
  }

  /** In the way that its template says now; one that is under way in another way looks no more. */
  #check(): void {
    const { call, keeper, agent, name, nowMs, sleep } = this.#options;
    const { spec, healthy, sinceMs } = this.#service();
    const { health } = spec;
    if (this.#checking?.health === JSON.stringify(health)) return;
    this.#checking?.over.abort();
    const over = new AbortController();
    this.#checking = { health: JSON.stringify(health), over };
    if (health === null) return;
    const signal = this.#signal();
    const looking = AbortSignal.any([signal, over.signal]);
    const portOf = (port: string): number | undefined => numberOf(agent(), name, port);
    const orderFor = (argv: readonly string[]): ServiceOrder =>
      checkOrderOf(agent(), this.#service(), argv, this.#given);
    const lookOnce = lookerOf(health, { keeper, call, portOf, orderOf: orderFor, signal });
    const look = async (): Promise<Checked> => {
      const fromMs = performance.now();
      const checked = await lookOnce().catch((error: unknown) => {
        // A check that could not be made says nothing good.
        if (signal.aborted || isOfTheWorld(error)) return { ok: false, what: toMessage(error) };
        throw error;
      });
      if (!looking.aborted)
        this.#options.onChecked({ ms: Math.round((performance.now() - fromMs) * 10) / 10, ok: checked.ok });
      return checked;
    };
    void watchHealth({
      ...{ check: health, upMs: Math.max(0, nowMs() - sinceMs), healthy, look, nowMs, signal: looking },
      tell: (isHealthy, what) => {
        const use = isHealthy ? null : this.#options.lastUse(this.#beganAtMs);
        return this.#tell({ type: "service.judge", healthy: isHealthy, what, ...(use === null ? {} : { use }) });
      },
      sleep: (ms) => sleep(ms, looking),
    }).catch((error: unknown) => this.#fail(error));
  }

  async #tell(
    said:
      | { readonly type: "service.began" }
      | Pick<Extract<Input, { type: "service.ended" }>, "type" | "end" | "use">
      | Pick<Extract<Input, { type: "service.judge" }>, "type" | "healthy" | "what" | "use">,
  ): Promise<void> {
    const { agent, name: service, life } = this.#options;
    await this.#options.report({ ...said, agent: agent().id, service, life });
  }

  #service(): Service {
    const service = this.#options.agent().services.get(this.#options.name);
    if (service === undefined) throw new Error(`${this.#options.call} belongs to no service`);
    return service;
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.#over.signal, this.#options.closing]);
  }

  #fail(error: unknown): void {
    if (this.#over.signal.aborted || this.#options.closing.aborted) return;
    // Its keeper is gone for good, which is told by whoever ended it.
    if (!isOfTheWorld(error)) this.#options.onDefect(error);
  }
}

function passTroubleOfTheWorld(error: unknown): void {
  if (!isOfTheWorld(error)) throw error;
}

/** Of what its keeper never had, there is nothing to be stopped and nothing to be waited for. Whatever else it is goes on. */
export function passUnknownCall(error: unknown): undefined {
  if (!(error instanceof Fault) || error.code !== "unknown-call") throw error;
}
