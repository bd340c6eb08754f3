// One terminal as the keeper sees it: the program in it, a child of the keeper like any command, and how it ended.

import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { CommandEnd } from "../../protocol/keeper/keeper-wire.ts";
import { type Belonging, endProcesses, processesOf, signal } from "../commands/command-processes.ts";
import { Countdown } from "../commands/countdown.ts";
import type { HostEnded } from "./host-wire.ts";
import type { TerminalHost } from "./terminal-host.ts";
import { say } from "../os/say.ts";

export type TerminalParts = {
  readonly terminal: string;
  readonly folder: string;
  readonly cols: number;
  readonly rows: number;
  readonly belonging: Belonging;
  readonly child: ChildProcess;
  readonly host: TerminalHost;
  readonly record: (end: CommandEnd) => Promise<void>;
  /** Calls back once when it makes the agent take more of the disk than that may; answers how to stop that. */
  readonly watchDisk: (onPassed: () => void) => Promise<() => void>;
};

export class Terminal {
  readonly folder: string;
  readonly belonging: Belonging;
  /** How it ended; never rejects. */
  readonly ended: Promise<CommandEnd>;
  /** Nobody's patience ends here. */
  readonly clock = new Countdown(null, () => undefined);
  readonly #parts: TerminalParts;
  #cols: number;
  #rows: number;
  #total = 0;
  #more: PromiseWithResolvers<void> | undefined;
  #why: CommandEnd["why"] = "ended";
  #isOver = false;

  constructor(parts: TerminalParts) {
    this.#parts = parts;
    this.folder = parts.folder;
    this.belonging = parts.belonging;
    this.#cols = parts.cols;
    this.#rows = parts.rows;
    this.ended = this.#run();
  }

  get size(): { readonly cols: number; readonly rows: number } {
    return { cols: this.#cols, rows: this.#rows };
  }

  get total(): number {
    return this.#total;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** So much has been said by now. */
  said(total: number): void {
    this.#total = Math.max(total, this.#total);
    this.#tellMore();
  }

  /** Resolves when it has said more than this, or has ended. */
  async saidMore(offset: number): Promise<void> {
    while (this.#total <= offset && !this.#isOver) {
      this.#more ??= Promise.withResolvers<void>();
      await this.#more.promise;
    }
  }

  /** False when nobody reads it any more. What was taken under a tag is not taken again. */
  async input(bytes: Uint8Array, tag: string): Promise<boolean> {
    if (this.#isOver) return false;
    return this.#parts.host.ask<boolean>({ op: "input", terminal: this.#parts.terminal, bytes, tag });
  }

  async resize(cols: number, rows: number): Promise<void> {
    if (this.#isOver) return;
    [this.#cols, this.#rows] = [cols, rows];
    await this.#parts.host.ask({ op: "resize", terminal: this.#parts.terminal, cols, rows });
  }

  /** Everything of the agent is about to be ended. A shell with a person at it takes no other word than this. */
  willBeStopped(): void {
    if (this.#isOver) return;
    if (this.#why === "ended") this.#why = "stopped";
    void signal(this.belonging, "HUP", processesOf(this.belonging)).catch(() => undefined);
  }

  async stop(graceMs: number): Promise<{ stopped: number; gone: boolean }> {
    const stopped = processesOf(this.belonging).length;
    if (this.#why === "ended" && !this.#isOver) this.#why = "stopped";
    // A shell with a person at it goes by the first of these alone, and many a program in it by the second.
    return { stopped, gone: await endProcesses(this.belonging, graceMs, { first: ["HUP", "TERM"] }) };
  }

  async #run(): Promise<CommandEnd> {
    const { child, host, terminal } = this.#parts;
    const watching = this.#parts.watchDisk(() => void this.#passDisk().catch(say));
    watching.catch(say);
    const exited = new Promise<{ exit: number; signal: string | null }>((resolve) => {
      child.once("error", () => {
        this.#why = "not-started";
        resolve({ exit: 127, signal: null });
      });
      child.once("exit", (code, name) =>
        resolve({ exit: code ?? 128 + (name === null ? 0 : constants.signals[name]), signal: name }),
      );
    });
    void host.gone.then(() => this.#loseHost());
    const how = await exited;
    void watching.then((unwatch) => unwatch()).catch(say);
    const { totalBytes } = await host
      .ask<HostEnded>({ op: "end", terminal })
      .catch((): HostEnded => ({ totalBytes: this.#total }));
    this.#total = totalBytes;
    const end: CommandEnd = {
      ...how,
      ...(this.#why === "lost" ? { exit: "unknown" } : {}),
      ...{ why: this.#why, outputBytes: totalBytes, leftOutBytes: 0, tail: "" },
    };
    await this.#parts.record(end).catch((error: unknown) => say(error));
    this.#isOver = true;
    this.#tellMore();
    return end;
  }

  /** Whoever is told of it by a word of the shell's could go on writing. */
  async #passDisk(): Promise<void> {
    if (this.#isOver) return;
    if (this.#why === "ended") this.#why = "out-of-disk";
    await endProcesses(this.belonging, 0);
  }

  /** Nobody hears what its program says any more. */
  async #loseHost(): Promise<void> {
    if (this.#isOver) return;
    this.#why = "lost";
    await endProcesses(this.belonging, 0).catch(() => false);
  }

  #tellMore(): void {
    this.#more?.resolve();
    this.#more = undefined;
  }
}
