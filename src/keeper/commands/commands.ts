// All commands of the agent, by their calls: a call is begun once, whoever asks, and its end is there for whoever comes.

import { Fault } from "../../base/fault.ts";
import type {
  CommandEnd,
  CommandLimits,
  KeeperOp,
  OutputAnswer,
  ProcessesAnswer,
  StartAnswer,
  StartOp,
  StopAnswer,
  StopSignalName,
  WholeLimits,
} from "../../protocol/keeper/keeper-wire.ts";
import type { Cage } from "../cage/cage.ts";
import type { Limits } from "../cage/limits.ts";
import type { Quota } from "../cage/quota.ts";
import type { Ground } from "../cage/view.ts";
import { isErrno, toMessage } from "../os/errno.ts";
import { bootId, lookAt, ProcessLook } from "../os/processes.ts";
import { Blotter } from "./blotter.ts";
import { CallJournal, type Started } from "./call-journal.ts";
import { Command } from "./command.ts";
import { endProcesses, processesOf, signal, wroteBytesOf } from "./command-processes.ts";
import { goOnFree, haltFree, haltInside } from "./halt.ts";
import { KeptHeads } from "./kept-heads.ts";
import { readOutput } from "./output-file.ts";
import { OutputRate } from "./output-rate.ts";
import type { Pipes } from "./pipes.ts";
import { type Seat, Seats } from "./seat.ts";
import { settledWithin } from "./settled-within.ts";
import { toShellLine } from "./shell-line.ts";

const partBytesMax = 512 * 1024;
const seatDelayMs = 5;
const unlimited: CommandLimits = { memoryBytes: null, processes: null, files: null, cpu: null };

/** What runs here beside commands, as a terminal does: it is halted, let go on and ended with them. */
export type Running = Pick<Command, "belonging" | "clock" | "willBeStopped" | "isOver"> & {
  readonly ended: Promise<unknown>;
};

type InputOp = Extract<KeeperOp, { op: "input" }>;
type OutputOp = Extract<KeeperOp, { op: "output" }>;

type CommandsParts = {
  readonly cage: Cage;
  readonly limits: Limits;
  readonly quota: Quota;
  readonly pipes: Pipes;
  /** What has to be there before the agent's own commands are. */
  readonly before: () => Promise<void> | undefined;
  /** How much of what one says is kept, while there is room. */
  readonly outputBytesMax: number;
};

export class Commands {
  readonly #journal: CallJournal;
  readonly #cage: Cage;
  readonly #limits: Limits;
  readonly #quota: Quota;
  readonly #seats: Seats;
  readonly #before: CommandsParts["before"];
  readonly #outputBytesMax: number;
  readonly #known = new Map<string, Promise<Command>>();
  /** Those that were begun, and those that are about to be. */
  readonly #begun = new Map<string, Running>();
  readonly #beginning = new Set<Promise<Running>>();
  /** Control groups that may still be there. */
  readonly #groups = new Map<string, string>();
  /** What long outputs have taken of the agent's share: their copies stay when nobody here knows them any more. */
  readonly #heads: KeptHeads;
  /** What those may use that have limits of their own. */
  readonly #held = new Map<string, CommandLimits>();
  /** What nothing that is said here shows. */
  readonly #blotted = new Set<string>();
  /** Set while everything is being ended: what comes meanwhile waits. */
  #ending: Promise<void> | undefined;
  /** Set while everything stands still; resolves when it may go on. */
  #halted: PromiseWithResolvers<void> | undefined;
  #halting: Promise<void> = Promise.resolve();

  constructor(journal: string, parts: CommandsParts) {
    this.#journal = new CallJournal(journal);
    this.#cage = parts.cage;
    this.#limits = parts.limits;
    this.#quota = parts.quota;
    this.#heads = new KeptHeads(parts.quota);
    this.#before = parts.before;
    this.#outputBytesMax = parts.outputBytesMax;
    this.#seats = new Seats(parts);
  }

  list(): string[] {
    return this.#journal.list();
  }

  /** Makes ready for the first command. */
  warmUp(): void {
    this.#seats.prepare();
  }

  /** What the keeper before left under way is over: inside a cage it went with that keeper; else it is ended now. */
  async recover(): Promise<string[]> {
    const lost: string[] = [];
    for (const call of this.#journal.list()) {
      if (this.#journal.readEnd(call) !== undefined) continue;
      const started = this.#journal.readStarted(call);
      if (started?.caged === false) await this.#endLost(call, started);
      await this.#journal.lose(call);
      lost.push(call);
    }
    return lost;
  }

  /** `early` is for programs of ours, which need no way out and come before all others. */
  async start(order: StartOp, { early = false } = {}): Promise<StartAnswer> {
    const known = this.#known.get(order.call);
    if (known !== undefined) {
      await known;
      return { found: true };
    }
    if (this.#journal.has(order.call)) return { found: true };
    // Before it counts as beginning: whoever halts or ends everything waits for those, and we would wait for that.
    const before = early ? undefined : this.#before();
    const begun = before === undefined ? this.#begin(order, early) : before.then(() => this.#begin(order, early));
    this.#known.set(order.call, begun);
    await begun.catch((error: unknown) => {
      this.#known.delete(order.call);
      throw error;
    });
    return { found: false };
  }

  /** To its first process alone: those that it started are its own to tell. */
  async signal(call: string, name: "HUP" | "USR1" | "USR2"): Promise<void> {
    const known = await this.#known.get(call);
    if (known === undefined && !this.#journal.has(call)) throw unknownCall(call);
    if (known === undefined) return;
    const found = processesOf(known.belonging);
    const pids = new Set(found.map(({ pid }) => pid));
    const [first] = found
      .filter(({ parent }) => !pids.has(parent))
      .toSorted((a, b) => Number(a.startTicks) - Number(b.startTicks));
    if (first !== undefined) await signal(known.belonging, name, [first]);
  }

  /** Holds a command that runs to other limits. False, and nothing is changed, where that cannot be while it runs. */
  async limit(call: string, limits: CommandLimits | null): Promise<boolean> {
    const [known, group] = [await this.#known.get(call), this.#groups.get(call)];
    if (known === undefined || group === undefined) {
      if (this.#journal.has(call)) return true;
      throw unknownCall(call);
    }
    const [had, wanted] = [this.#held.get(call) ?? unlimited, limits ?? unlimited];
    const differs = (name: keyof CommandLimits): boolean => had[name] !== wanted[name];
    // What each process holds by itself it was given before its program began.
    const isOwn = this.#limits.tier === "prlimit" && (differs("memoryBytes") || differs("processes"));
    if (differs("files") || isOwn) return false;
    try {
      if (differs("memoryBytes") && !this.#limits.hasRoomIn(group, wanted)) return false;
      this.#limits.setOne(group, wanted);
    } catch (error) {
      // Its group went with it.
      if (isErrno(error, "ENOENT", "ENODEV")) return true;
      // Older kernels let nobody have less than it uses.
      if (!isErrno(error, "EBUSY", "EINVAL")) throw error;
      this.#limits.setOne(group, had);
      return false;
    }
    this.#held.set(call, wanted);
    return true;
  }

  /** Holds all of them together to other limits. The place that is kept ready was made with what each process had before. */
  async limitAll(limits: WholeLimits): Promise<void> {
    const words = this.#limits.shellWords();
    this.#limits.change(limits);
    if (this.#limits.shellWords() === words) return;
    await this.#seats.clear();
    this.#seats.prepare();
  }

  async wait(call: string): Promise<CommandEnd> {
    const known = await this.#known.get(call);
    if (known !== undefined) return known.ended;
    const end = this.#journal.readEnd(call);
    if (end !== undefined) return end;
    throw unknownCall(call);
  }

  async input({ call, base64, end, tag, wait = false }: InputOp): Promise<boolean> {
    const known = await this.#known.get(call);
    if (known !== undefined) {
      const isTaken = known.input(Buffer.from(base64, "base64"), end, tag);
      if (wait) await known.inputTaken();
      return isTaken;
    }
    if (this.#journal.has(call)) return false;
    throw unknownCall(call);
  }

  async output({ call, offset, limit, wait = false }: OutputOp): Promise<OutputAnswer> {
    if (!this.#journal.has(call)) throw unknownCall(call);
    const command = await this.#known.get(call);
    command?.wasRead(offset);
    if (wait) await command?.saidMore(offset);
    const part = readOutput(this.#journal.folderOf(call), offset, Math.min(limit, partBytesMax));
    return {
      ...{ base64: part.bytes.toString("base64"), offset: part.offset, totalBytes: part.total },
      ...(part.times === undefined ? {} : { times: part.times }),
      // Where the disk is full its end may be known and not written.
      ended: command?.isOver === true || this.#journal.readEnd(call) !== undefined,
    };
  }

  /** Ends a command, or what one that has ended left behind. */
  async stop(call: string, graceMs: number, first?: StopSignalName): Promise<StopAnswer> {
    const command = await this.#known.get(call);
    if (command === undefined) {
      if (this.#journal.has(call)) return { stopped: 0 };
      throw unknownCall(call);
    }
    // Who stands still cannot be asked to go.
    const { stopped, gone } = await command.stop("stopped", this.#halted === undefined ? graceMs : 0, first);
    if (!gone) {
      const message = `some of what ${call} started does not go; stop-all ends everything of the agent`;
      throw new Fault("still-running", { retry: "later", message });
    }
    await command.ended;
    this.#removeGroup(call);
    return { stopped };
  }

  /** Ends everything of the agent, and proves it. */
  async stopAll(graceMs: number): Promise<StopAnswer> {
    while (this.#ending !== undefined) await this.#ending;
    let answer: StopAnswer = { stopped: 0 };
    this.#ending = this.#endAll(graceMs).then((stopped) => void (answer = { stopped }));
    try {
      await this.#ending;
    } finally {
      this.#ending = undefined;
    }
    return answer;
  }

  /** Halts everything of the agent where it stands, or lets it go on. */
  halt(on: boolean): Promise<void> {
    const turn = this.#halting.then(() => (on ? this.#haltAll() : this.#goOn()));
    this.#halting = turn.catch(() => undefined);
    return turn;
  }

  /** Which processes belong to what. */
  processes(): ProcessesAnswer["calls"] {
    const look = new ProcessLook();
    return [...this.#begun].flatMap(([call, { belonging, isOver }]) => {
      const found = processesOf(belonging, look).map(({ pid, startTicks }) => ({ pid, startTicks }));
      // One that is only just coming up has none yet.
      return found.length === 0 && isOver ? [] : [{ call, processes: found }];
    });
  }

  async forget(call: string): Promise<void> {
    if (!this.#journal.has(call)) return;
    if (this.#journal.readEnd(call) === undefined) {
      throw new Fault("still-running", { retry: "later", message: `${call} has not ended` });
    }
    // While something that it started lives, its group and its mark are how it is found.
    const command = await this.#known.get(call);
    if (command !== undefined && processesOf(command.belonging).length > 0) return;
    if (!this.#removeGroup(call)) return;
    this.#known.delete(call);
    this.#begun.delete(call);
    this.#journal.forget(call);
    this.#heads.forget(call);
  }

  /** Begins something when its turn has come: not while everything is being ended, or stands still. */
  async take<R extends Running>(name: string, begin: () => Promise<R>): Promise<R> {
    await this.#ending;
    while (this.#halted !== undefined) await this.#halted.promise;
    const beginning = begin();
    this.#beginning.add(beginning);
    try {
      const running = await beginning;
      this.#begun.set(name, running);
      return running;
    } finally {
      this.#beginning.delete(beginning);
    }
  }

  /** Whether a program of the agent runs, and may go on. */
  get hasRunning(): boolean {
    if (this.#ending !== undefined || this.isHalted) return false;
    return [...this.#begun.values()].some(({ isOver }) => !isOver);
  }

  get isHalted(): boolean {
    return this.#halted !== undefined;
  }

  #begin(order: StartOp, early: boolean): Promise<Command> {
    return this.take(order.call, () => this.#beginNow(order, early));
  }

  async #beginNow(order: StartOp, early: boolean): Promise<Command> {
    const { call, argv, timeoutMs, stdin = false, spared = false, hide = [] } = order;
    const ground = groundOf(order);
    for (const value of hide) this.#blotted.add(value);
    const folder = this.#journal.folderOf(call);
    const seat = await this.#seats.take(ground);
    const { mark, group, holder } = seat;
    const list = this.#limits.listOf(group);
    try {
      if (!early) await this.#cage.bridged();
      await this.#journal.begin(call, { mark, caged: this.#cage.caged, list });
      const belonging = { mark, list, holder, close: () => this.#limits.close(group), isGone: () => seat.isGone };
      const env = { ...this.#cage.imageEnvOn(ground), ...order.env };
      const { limits } = order;
      if (limits !== undefined) {
        this.#limits.setOne(group, limits);
        this.#held.set(call, limits);
      }
      const first = limits === undefined ? "" : this.#limits.shellWordsOf(limits);
      const line = toShellLine({ argv, cwd: this.#cage.cwdOf(order.cwd, ground), env, stdin, first });
      const record = (end: CommandEnd): Promise<void> => this.#journal.end(call, end);
      const oomKills = (): number => this.#limits.oomKillsOf(group);
      if (!this.#cage.caged) this.#writeLeader(call, seat);
      const wroteBytes = (look: ProcessLook): number => wroteBytesOf(belonging, look);
      const watchDisk = (onPassed: () => void): Promise<() => void> =>
        this.#quota.watch({ wroteBytes, onPassed: spared ? null : onPassed });
      const { rotate, ahead, timed } = order;
      // What the assistant's program says goes with it.
      const head = {
        bytesMax: this.#outputBytesMax,
        hasRoom: this.#heads.roomOf(call, folder, { isCounted: !spared }),
      };
      const blotter = new Blotter(this.#blotted);
      const rate = new OutputRate(() => this.#limits.outputRate);
      const parts = {
        folder,
        timeoutMs,
        belonging,
        oomKills,
        line,
        stdin,
        record,
        watchDisk,
        rotate,
        head,
        timed,
        ahead,
        rate,
        blotter,
      };
      const command = new Command(parts, seat);
      this.#groups.set(call, group);
      void command.ended.then(() => this.#limits.remove(group));
      // Not at once: the command shall have the machine for itself.
      setTimeout(() => this.#seats.prepare(), seatDelayMs).unref();
      return command;
    } catch (error) {
      this.#seats.giveUp(seat);
      // It was never started, and nobody shall believe that it may have been.
      this.#journal.forget(call);
      if (error instanceof Fault) throw error;
      throw new Fault("start-failed", { retry: "later", cause: error, message: `not started: ${toMessage(error)}` });
    }
  }

  async #haltAll(): Promise<void> {
    this.#halted ??= Promise.withResolvers<void>();
    const commands = await this.#all();
    for (const command of commands) command.clock.rest();
    const holder = this.#cage.livingHolder;
    const free = commands.filter(({ belonging }) => belonging.holder === undefined);
    const still = await Promise.all([
      holder === undefined ? true : haltInside(holder),
      ...free.map(({ belonging }) => haltFree(belonging)),
    ]);
    if (still.includes(false))
      throw new Fault("still-running", { retry: "later", message: "some processes of the agent do not stand still" });
  }

  async #goOn(): Promise<void> {
    const commands = await this.#all();
    await this.#cage.livingHolder?.signal("CONT", "all");
    for (const { belonging } of commands) if (belonging.holder === undefined) await goOnFree(belonging);
    for (const command of commands) command.clock.run();
    this.#halted?.resolve();
    this.#halted = undefined;
  }

  /** All that were begun. What waits for its turn is none of them. */
  async #all(): Promise<Running[]> {
    await Promise.allSettled(this.#beginning);
    return [...this.#begun.values()];
  }

  #removeGroup(call: string): boolean {
    const group = this.#groups.get(call);
    if (group !== undefined && !this.#limits.remove(group)) return false;
    this.#groups.delete(call);
    this.#held.delete(call);
    return true;
  }

  #writeLeader(call: string, { pid }: Seat): void {
    const startTicks = pid === undefined ? undefined : lookAt(pid)?.startTicks;
    if (pid === undefined || startTicks === undefined) return;
    this.#journal.writeLeader(call, { pid, startTicks, bootId: bootId() });
  }

  async #endLost(call: string, { mark, list }: Started): Promise<void> {
    const known = this.#journal.readLeader(call);
    const leader = known?.bootId === bootId() ? known : undefined;
    await endProcesses({ mark, list, leader, holder: undefined, close: () => undefined }, 0);
  }

  async #endAll(graceMs: number): Promise<number> {
    const commands = await this.#all();
    const stopped = commands.reduce((sum, { belonging }) => sum + processesOf(belonging).length, 0);
    for (const command of commands) command.willBeStopped();
    await this.#seats.clear();
    const holder = this.#cage.livingHolder;
    if (holder !== undefined) {
      if (graceMs > 0 && stopped > 0 && this.#halted === undefined) {
        await holder.signal("TERM", "all");
        await settledWithin(graceMs, () => commands.every(({ belonging }) => processesOf(belonging).length === 0));
      }
      await this.#cage.end();
    }
    const free = commands.filter(({ belonging }) => belonging.holder === undefined);
    const freeGraceMs = this.#halted === undefined ? graceMs : 0;
    const gone = await Promise.all(free.map(({ belonging }) => endProcesses(belonging, freeGraceMs)));
    if (gone.includes(false)) {
      throw new Fault("still-running", { retry: "later", message: "some processes of the agent do not go" });
    }
    await Promise.all(commands.map(({ ended }) => ended));
    for (const call of this.#known.keys()) this.#removeGroup(call);
    this.#halted?.resolve();
    this.#halted = undefined;
    return stopped;
  }
}

function groundOf({ onMachine = false, system }: StartOp): Ground {
  if (system !== undefined) return { service: system };
  return onMachine ? "machine" : "agent";
}

function unknownCall(call: string): Fault {
  return new Fault("unknown-call", { retry: "never", message: `there is no call ${call}` });
}
