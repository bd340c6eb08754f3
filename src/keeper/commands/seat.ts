// A place for one command: inside the walls, under its limits and its filter, waiting to be told what to run. Making one
// takes longer than most commands do, so that one is kept ready.

import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync } from "node:fs";
import { Socket } from "node:net";
import type { Cage } from "../cage/cage.ts";
import type { Holder } from "../cage/holder.ts";
import type { Limits } from "../cage/limits.ts";
import type { Ground } from "../cage/view.ts";
import { markName } from "./command-processes.ts";
import type { PipeEnds, Pipes } from "./pipes.ts";
import { waitForLine } from "./shell-line.ts";

/** How a process ended. */
export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export class Seat {
  readonly mark: string;
  /** The name of its control group. */
  readonly group: string;
  readonly holder: Holder | undefined;
  /** The end of its output that we read, and what reads it. */
  readonly output: number;
  readonly reader: Socket;
  readonly exited: Promise<Exit | Error>;
  readonly pid: number | undefined;
  isGone = false;
  readonly #input: Socket;

  constructor(parts: {
    readonly mark: string;
    readonly group: string;
    readonly holder: Holder | undefined;
    readonly output: number;
    readonly input: number;
    readonly child: ChildProcess;
  }) {
    this.mark = parts.mark;
    this.group = parts.group;
    this.holder = parts.holder;
    this.output = parts.output;
    this.pid = parts.child.pid;
    this.reader = new Socket({ fd: parts.output, readable: true, writable: false });
    this.reader.on("error", () => undefined);
    this.#input = new Socket({ fd: parts.input, readable: false, writable: true });
    // Nobody reads any more: whoever waits for the end hears of it.
    this.#input.on("error", () => undefined);
    this.exited = new Promise((resolve) => {
      const finish = (how: Exit | Error): void => {
        this.isGone = true;
        resolve(how);
      };
      parts.child.once("error", finish);
      parts.child.once("exit", (code, signal) => finish({ code, signal }));
    });
  }

  /** Whether it is still there. What an earlier command killed may be dead without our having heard of it. */
  answers(): Promise<boolean> {
    return new Promise((resolve) => {
      this.reader.once("data", (said: Buffer) => {
        this.reader.pause();
        // One that was killed while it was made may say why it ends, which is no answer.
        resolve(said.toString() === "\n");
      });
      void this.exited.then(() => resolve(false));
      this.#input.write("\n");
    });
  }

  /** Tells it what to run. With `end`, nothing more will come. */
  say(line: string, options: { readonly end: boolean }): void {
    this.#input.write(`${line}\n`);
    if (options.end) this.#input.end();
  }

  /** False when nobody reads any more. */
  write(bytes: Buffer, end: boolean): boolean {
    if (this.#input.destroyed || this.#input.writableEnded) return false;
    if (bytes.length > 0) this.#input.write(bytes);
    if (end) this.#input.end();
    return true;
  }

  /** Resolves when what was written is in its pipe, or nobody reads any more. */
  async inputTaken(): Promise<void> {
    if (!this.#input.writableNeedDrain || this.#input.destroyed) return;
    await new Promise<void>((resolve) => {
      this.#input.once("drain", resolve);
      this.#input.once("close", resolve);
    });
  }

  closeInput(): void {
    this.#input.destroy();
  }
}

export class Seats {
  readonly #cage: Cage;
  readonly #limits: Limits;
  readonly #pipes: Pipes;
  #spare: Promise<Seat> | undefined;
  #made = 0;

  constructor(parts: { readonly cage: Cage; readonly limits: Limits; readonly pipes: Pipes }) {
    this.#cage = parts.cage;
    this.#limits = parts.limits;
    this.#pipes = parts.pipes;
  }

  /** The one that is ready, or a new one. */
  async take(ground: Ground): Promise<Seat> {
    const isUsual = ground === "agent" || (ground === "machine" && !this.#cage.hasImage);
    if (!isUsual) return this.#make(ground);
    const spare = this.#spare;
    this.#spare = undefined;
    const seat = await spare?.catch(() => undefined);
    if (seat?.isGone === false && seat.holder === this.#cage.livingHolder && (await seat.answers())) return seat;
    if (seat !== undefined) this.giveUp(seat);
    return this.#make("agent");
  }

  /** Makes one ahead. */
  prepare(): void {
    if (!this.#cage.caged || this.#spare !== undefined) return;
    this.#spare = this.#make("agent");
    this.#spare.catch(() => undefined);
  }

  /** Forgets the one that is ready; it goes with everything else inside. */
  async clear(): Promise<void> {
    const spare = this.#spare;
    this.#spare = undefined;
    const seat = await spare?.catch(() => undefined);
    if (seat !== undefined) this.giveUp(seat);
  }

  /** Nothing will be said to this one. */
  giveUp(seat: Seat): void {
    // At the end of its input it leaves by itself.
    seat.closeInput();
    void seat.exited.then(() => {
      seat.reader.destroy();
      this.#limits.remove(seat.group);
    });
  }

  async #make(ground: Ground): Promise<Seat> {
    const [mark, group] = [randomUUID(), `c${process.pid}-${++this.#made}`];
    const pipes: PipeEnds[] = [];
    try {
      const output = await this.#pipes.take();
      pipes.push(output);
      const input = await this.#pipes.take();
      pipes.push(input);
      const shell = ["/bin/sh", "-c", waitForLine];
      const how = await this.#cage.spawnable(shell, { [markName]: mark }, { group, ground });
      pipes.length = 0;
      try {
        const child = spawn(how.file, how.args, {
          ...{ env: how.env, cwd: how.cwd, detached: true },
          stdio: [input.read, output.write, output.write, ...how.handles],
        });
        const holder = this.#cage.livingHolder;
        return new Seat({ mark, group, holder, output: output.read, input: input.write, child });
      } finally {
        how.release();
        [input.read, output.write].forEach((fd) => closeSync(fd));
      }
    } catch (error) {
      for (const { read, write } of pipes) [read, write].forEach(tryClose);
      this.#limits.remove(group);
      throw error;
    }
  }
}

function tryClose(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // It was closed before.
  }
}
