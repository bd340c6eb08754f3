// One command under way: a child of the keeper, its output on the way into a file, its end on the way into the journal.

import { readSync } from "node:fs";
import type { Socket } from "node:net";
import { constants } from "node:os";
import type { CommandEnd, StopSignalName } from "../../protocol/keeper/keeper-wire.ts";
import { isErrno, toMessage } from "../os/errno.ts";
import { Asking } from "./asking.ts";
import type { Blotter } from "./blotter.ts";
import { type Belonging, endProcesses, processesOf } from "./command-processes.ts";
import { Countdown } from "./countdown.ts";
import type { OutputRate } from "./output-rate.ts";
import { OutputTimes } from "./output-times.ts";
import { type Head, OutputFile, readTail, type Rotation } from "./output-file.ts";
import type { Exit, Seat } from "./seat.ts";
import { say } from "../os/say.ts";

export type CommandOrder = {
  readonly folder: string;
  readonly timeoutMs: number | null;
  readonly belonging: Belonging;
  /** How many of its processes were ended for want of memory. */
  readonly oomKills: () => number;
  /** What the seat is told, and whether more will follow. */
  readonly line: string;
  readonly stdin: boolean;
  readonly rotate?: Rotation | undefined;
  /** How much of it is kept, where nothing rotates. */
  readonly head?: Head | undefined;
  /** Whether it is noted when it says what. */
  readonly timed?: boolean | undefined;
  /** How many bytes it may be ahead of whoever reads. */
  readonly ahead?: number | undefined;
  readonly rate: OutputRate;
  readonly record: (end: CommandEnd) => Promise<void>;
  /** Calls back once when the agent takes more of the disk than it may; answers how to stop that. */
  readonly watchDisk: (onPassed: () => void) => Promise<() => void>;
  readonly blotter: Blotter;
};

const timeoutGraceMs = 2000;

export class Command {
  readonly belonging: Belonging;
  /** How it ended; never rejects. */
  readonly ended: Promise<CommandEnd>;
  readonly #order: CommandOrder;
  readonly #output: OutputFile;
  readonly #reader: Socket;
  readonly #seat: Seat;
  readonly #inputTags = new Set<string>();
  /** Who was asked to go, by each signal. A daemon that asks for the same again goes on with that. */
  readonly #asking = new Map<StopSignalName, Asking>();
  #why: CommandEnd["why"] = "ended";
  /** How long it may go on; no time passes for a command that stands still. */
  readonly clock: Countdown;
  #more: PromiseWithResolvers<void> | undefined;
  /** How far somebody has read its output. */
  #readTo = 0;
  /** Whether it says too much at once. */
  #isTooFast = false;
  #isOver = false;
  readonly #unwatch: Promise<() => void>;
  #finish: (end: CommandEnd) => void = () => undefined;

  constructor(order: CommandOrder, seat: Seat) {
    this.#order = order;
    this.#seat = seat;
    this.belonging = order.belonging;
    this.ended = new Promise((resolve) => (this.#finish = resolve));
    const times = order.timed === true ? new OutputTimes(order.folder) : undefined;
    this.#output = new OutputFile(order.folder, { rotation: order.rotate, head: order.head, times });
    this.#reader = this.#readFrom(seat.reader);
    this.#unwatch = order.watchDisk(() => void this.stop("out-of-disk", 0).catch(report));
    this.#unwatch.catch(report);
    seat.say(order.line, { end: !order.stdin });
    seat.exited.then((exit) => this.#exited(exit)).catch(report);
    this.clock = new Countdown(order.timeoutMs, () => void this.stop("timed-out", timeoutGraceMs).catch(report));
    this.clock.run();
  }

  /** Ends it with everything it started. Answers how many processes there were, and whether all of them are gone. */
  async stop(
    why: "stopped" | "timed-out" | "out-of-disk",
    graceMs: number,
    first: StopSignalName = "TERM",
  ): Promise<{ stopped: number; gone: boolean }> {
    if (this.#why === "ended") this.#why = why;
    const stopped = processesOf(this.belonging).length;
    // A second signal makes many programs drop everything, so each process is asked once, whoever asks.
    const asking = this.#asking.get(first) ?? new Asking([first]);
    this.#asking.set(first, asking);
    return { stopped, gone: await endProcesses(this.belonging, graceMs, { first: [first], asking }) };
  }

  /** Whether its end is known. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Everything of the agent is about to be ended. */
  willBeStopped(): void {
    if (this.#why === "ended") this.#why = "stopped";
  }

  /** Somebody has what comes before the offset: a command that was too far ahead goes on. */
  wasRead(offset: number): void {
    this.#readTo = Math.max(this.#readTo, Math.min(offset, this.#output.total));
    this.#goOnReading();
  }

  /** Resolves when its output goes beyond the offset, or it has ended. */
  async saidMore(offset: number): Promise<void> {
    while (this.#output.total <= offset && !this.#isOver) {
      this.#more ??= Promise.withResolvers<void>();
      await this.#more.promise;
    }
  }

  /** False when nobody reads any more. What was taken under a tag is not taken again. */
  input(bytes: Buffer, end: boolean, tag?: string): boolean {
    if (tag !== undefined && this.#inputTags.has(tag)) return true;
    const isTaken = this.#order.stdin && this.#seat.write(bytes, end);
    if (isTaken && tag !== undefined) this.#inputTags.add(tag);
    return isTaken;
  }

  /** Resolves when it has read what came last, but for what its pipe holds, or reads no more. */
  inputTaken(): Promise<void> {
    return this.#seat.inputTaken();
  }

  async #exited(exit: Exit | Error): Promise<void> {
    if (exit instanceof Error) {
      this.#why = "not-started";
      this.#write(Buffer.from(`${exit.message}\n`));
      return this.#end(127, null);
    }
    const { code, signal } = exit;
    return this.#end(code ?? 128 + (signal === null ? 0 : constants.signals[signal]), signal);
  }

  async #end(exit: number, signal: string | null): Promise<void> {
    this.clock.cancel();
    void this.#unwatch.then((unwatch) => unwatch()).catch(report);
    // What it wrote is in the pipe by now, also where a child of its own still holds the other end.
    this.#drain();
    this.#keep(this.#order.blotter.rest());
    this.#seat.closeInput();
    if (exit !== 0 && this.#order.oomKills() > 0) this.#why = "out-of-memory";
    const end: CommandEnd = {
      ...{ exit, signal, why: this.#why, outputBytes: this.#output.saidBytes, leftOutBytes: this.#output.leftOut },
      tail: readTail(this.#order.folder).text,
    };
    try {
      if (this.#output.total > 0) await this.#output.sync();
      await this.#order.record(end);
    } catch (error) {
      // The disk is full or gone. Whoever waits is told how it ended; a later keeper will call it unknown.
      say(`the end of a command could not be written: ${toMessage(error)}`);
    }
    this.#isOver = true;
    if (this.#reader.closed) this.#closeOutput();
    this.#tellMore();
    this.#finish(end);
  }

  /** Once nothing more comes. Often the pipe is heard to close before the exit, which has the output's end written and synced. */
  #closeOutput(): void {
    this.#keep(this.#order.blotter.rest());
    if (this.#isOver) this.#output.close();
  }

  #tellMore(): void {
    this.#more?.resolve();
    this.#more = undefined;
  }

  #readFrom(reader: Socket): Socket {
    reader.on("data", (bytes: Buffer) => {
      this.#write(bytes);
      const waitMs = this.#order.rate.take(bytes.length);
      if (this.#isTooFarAhead()) reader.pause();
      if (waitMs === 0) return;
      reader.pause();
      this.#isTooFast = true;
      setTimeout(() => {
        this.#isTooFast = false;
        this.#goOnReading();
      }, waitMs).unref();
    });
    reader.on("close", () => this.#closeOutput());
    reader.resume();
    return reader;
  }

  #isTooFarAhead(): boolean {
    return this.#output.total - this.#readTo >= (this.#order.ahead ?? Number.POSITIVE_INFINITY);
  }

  #goOnReading(): void {
    if (!this.#isTooFast && !this.#isTooFarAhead()) this.#reader.resume();
  }

  #drain(): void {
    const { output } = this.#seat;
    // What was read while it was held back comes first.
    while (this.#reader.read() !== null);
    const bytes = Buffer.alloc(65536);
    // Whoever still writes from the background must not hold us here.
    for (let rounds = 0; rounds < 64 && !this.#reader.destroyed && !this.#reader.readableEnded; rounds++) {
      try {
        const count = readSync(output, bytes, 0, bytes.length, null);
        if (count === 0) return;
        this.#write(Buffer.from(bytes.subarray(0, count)));
      } catch (error) {
        if (isErrno(error, "EAGAIN", "EBADF")) return;
        throw error;
      }
    }
  }

  #write(bytes: Buffer): void {
    this.#keep(this.#order.blotter.pass(bytes));
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    try {
      this.#output.write(bytes);
      this.#tellMore();
    } catch (error) {
      // A full disk must not take the agent's other commands down with it.
      say(`output was lost: ${toMessage(error)}`);
    }
  }
}

/** What goes wrong with one command must not take the agent's others down. */
function report(error: unknown): void {
  say(error);
}
