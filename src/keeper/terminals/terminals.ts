// All terminals of the agent, by their names. The program in one is started as commands are, inside the same walls; what it
// has beside them is a terminal of its own.

import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { Fault } from "../../base/fault.ts";
import type { CommandEnd, KeeperOp, StopAnswer } from "../../protocol/keeper/keeper-wire.ts";
import {
  terminalColsMax,
  type TerminalLineAnswer,
  type TerminalListAnswer,
  type TerminalReadAnswer,
  terminalRowsMax,
  type TerminalScreenAnswer,
} from "../../protocol/keeper/terminal-wire.ts";
import type { Cage, Spawnable } from "../cage/cage.ts";
import type { Limits } from "../cage/limits.ts";
import type { Quota } from "../cage/quota.ts";
import { CallJournal } from "../commands/call-journal.ts";
import { type Belonging, markName, wroteBytesOf } from "../commands/command-processes.ts";
import type { Commands } from "../commands/commands.ts";
import type { Pipes } from "../commands/pipes.ts";
import { toShellLine, waitInTerminal, wordsHandle } from "../commands/shell-line.ts";
import { toMessage } from "../os/errno.ts";
import { bootId, lookAt } from "../os/processes.ts";
import type { HostOpened } from "./host-wire.ts";
import { readRecording } from "./recording.ts";
import { Terminal } from "./terminal.ts";
import { TerminalHost } from "./terminal-host.ts";

type OpOf<Name extends KeeperOp["op"]> = Extract<KeeperOp, { op: Name }>;
type OpenOp = OpOf<"terminal-open">;

const readBytesMax = 512 * 1024;

export type TerminalsParts = {
  readonly cage: Cage;
  readonly limits: Limits;
  readonly quota: Quota;
  readonly pipes: Pipes;
  readonly commands: Commands;
  /** What has to be there before the agent's own programs are. */
  readonly before: () => Promise<void> | undefined;
  /** Where viewers reach the host. */
  readonly socket: string;
};

export class Terminals {
  readonly #parts: TerminalsParts;
  readonly #journal: CallJournal;
  readonly #known = new Map<string, Promise<Terminal>>();
  #host: TerminalHost | undefined;
  #made = 0;

  constructor(journal: string, parts: TerminalsParts) {
    this.#journal = new CallJournal(journal);
    this.#parts = parts;
  }

  async open(order: OpenOp): Promise<{ readonly found: boolean }> {
    const { terminal } = order;
    const known = this.#known.get(terminal);
    if (known !== undefined) {
      await known;
      return { found: true };
    }
    if (this.#journal.has(terminal)) return { found: true };
    mustBeSize(order);
    const { before, commands } = this.#parts;
    const begin = (): Promise<Terminal> => commands.take(terminal, () => this.#begin(order));
    // A shell is of use also where there is no git.
    const opening = before()?.then(begin, begin) ?? begin();
    this.#known.set(terminal, opening);
    await opening.catch((error: unknown) => {
      this.#known.delete(terminal);
      throw error;
    });
    return { found: false };
  }

  async input({ terminal, base64, tag }: OpOf<"terminal-input">): Promise<{ readonly taken: boolean }> {
    return { taken: await (await this.#of(terminal)).input(Buffer.from(base64, "base64"), tag) };
  }

  async resize({ terminal, cols, rows }: OpOf<"terminal-resize">): Promise<object> {
    mustBeSize({ cols, rows });
    await (await this.#of(terminal)).resize(cols, rows);
    return {};
  }

  async read(op: OpOf<"terminal-read">): Promise<TerminalReadAnswer> {
    const terminal = await this.#of(op.terminal);
    if (op.wait === true) await terminal.saidMore(op.offset);
    // Asked for first: what is said between the two is found by the next one who asks.
    const { isOver: ended } = terminal;
    const { bytes, offset, total } = readRecording(terminal.folder, op.offset, Math.min(op.limit, readBytesMax));
    return { base64: bytes.toString("base64"), offset, totalBytes: total, ended };
  }

  async screen({ terminal, scrollback }: OpOf<"terminal-screen">): Promise<TerminalScreenAnswer> {
    await this.#of(terminal);
    return this.#hosting().ask({ op: "screen", terminal, scrollback });
  }

  /** Where the host lets viewers of this terminal in. */
  async line(terminal: string): Promise<TerminalLineAnswer> {
    await this.#of(terminal);
    return { socket: this.#parts.socket };
  }

  async wait(terminal: string): Promise<CommandEnd> {
    const known = await this.#known.get(terminal);
    if (known !== undefined) return known.ended;
    const end = this.#journal.readEnd(terminal);
    if (end !== undefined) return end;
    throw unknownTerminal(terminal);
  }

  async close({ terminal, graceMs }: OpOf<"terminal-close">): Promise<StopAnswer> {
    const known = await this.#known.get(terminal);
    if (known === undefined) {
      if (this.#journal.has(terminal)) return { stopped: 0 };
      throw unknownTerminal(terminal);
    }
    // Who stands still cannot be asked to go.
    const { stopped, gone } = await known.stop(this.#parts.commands.isHalted ? 0 : graceMs);
    if (!gone) {
      const message = `some of what was started in ${terminal} does not go; stop-all ends everything of the agent`;
      throw new Fault("still-running", { retry: "later", message });
    }
    await known.ended;
    return { stopped };
  }

  async list(): Promise<TerminalListAnswer> {
    const terminals: TerminalListAnswer["terminals"][number][] = [];
    for (const [terminal, opening] of this.#known) {
      const { size, total, isOver } = await opening;
      terminals.push({ terminal, ...size, totalBytes: total, ended: isOver });
    }
    return { terminals };
  }

  async #begin(order: OpenOp): Promise<Terminal> {
    const { terminal, argv, cols, rows, folder } = order;
    const { cage, limits, quota } = this.#parts;
    const [mark, group] = [randomUUID(), `t${process.pid}-${++this.#made}`];
    const list = limits.listOf(group);
    await cage.bridged();
    await cage.shareTerminals();
    const host = this.#hosting();
    const { path } = await host.ask<HostOpened>({ op: "open", terminal, argv, cols, rows, folder });
    try {
      await this.#journal.begin(terminal, { mark, caged: cage.caged, list });
      const child = await this.#spawn(order, { path, mark, group });
      const holder = cage.livingHolder;
      if (!cage.caged) this.#writeLeader(terminal, child.pid);
      // It listens from here on: a program may be over before its host has heard that it has begun.
      const isGone = (): boolean => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
      const belonging: Belonging = { mark, list, holder, close: () => limits.close(group), isGone };
      const opened = new Terminal({
        ...{ terminal, folder, cols, rows, child, host, belonging },
        watchDisk: (onPassed) => quota.watch({ wroteBytes: (look) => wroteBytesOf(belonging, look), onPassed }),
        record: (end) => this.#journal.end(terminal, end),
      });
      void opened.ended.then(() => limits.remove(group));
      await host.ask({ op: "begun", terminal });
      return opened;
    } catch (error) {
      void host.ask({ op: "end", terminal }).catch(() => undefined);
      limits.remove(group);
      // It was never started, and nobody shall believe that it may have been.
      this.#journal.forget(terminal);
      if (error instanceof Fault) throw error;
      throw new Fault("start-failed", { retry: "later", cause: error, message: `not started: ${toMessage(error)}` });
    }
  }

  /** Starts a shell where commands run, with the terminal as its own, and tells it by another way what to become. */
  async #spawn(
    { argv, cwd, env }: OpenOp,
    { path, mark, group }: { readonly path: string; readonly mark: string; readonly group: string },
  ): Promise<ChildProcess> {
    const { cage, pipes } = this.#parts;
    const words = await pipes.take();
    const handles = [words.read, openSync(path, constants.O_RDWR | constants.O_NOCTTY)];
    const say = new Socket({ fd: words.write, readable: false, writable: true });
    say.on("error", () => undefined);
    let how: Spawnable | undefined;
    try {
      // Our end of the pipe does not wait for words, and the shell's has to.
      const read = openSync(`/proc/self/fd/${words.read}`, "r");
      handles.push(read);
      const [, end = -1] = handles;
      const shell = ["/bin/sh", "-c", waitInTerminal];
      how = await cage.spawnable(shell, { [markName]: mark }, { group, ground: "agent" });
      // What is not handed over has to be something: the handle of the words has the same number with and without a cage.
      const rest = Array.from({ length: wordsHandle - 3 - how.handles.length }, () => "ignore" as const);
      const child = spawn(how.file, how.args, {
        ...{ env: how.env, cwd: how.cwd, detached: true },
        stdio: [end, end, end, ...how.handles, ...rest, read],
      });
      const line = toShellLine({
        argv,
        cwd: cage.cwdOf(cwd, "agent"),
        env: { ...cage.imageEnvOn("agent"), ...env },
        stdin: true,
      });
      say.end(`${line}\n`);
      return child;
    } catch (error) {
      say.destroy();
      throw error;
    } finally {
      how?.release();
      for (const handle of handles) closeSync(handle);
    }
  }

  #hosting(): TerminalHost {
    if (this.#host?.isGone === false) return this.#host;
    this.#host = new TerminalHost(this.#parts.socket, (said) => void this.#hear(said));
    return this.#host;
  }

  async #hear(said: Readonly<Record<string, number>>): Promise<void> {
    for (const [terminal, total] of Object.entries(said)) {
      const known = await this.#known.get(terminal)?.catch(() => undefined);
      known?.said(total);
    }
  }

  #writeLeader(terminal: string, pid: number | undefined): void {
    const startTicks = pid === undefined ? undefined : lookAt(pid)?.startTicks;
    if (pid === undefined || startTicks === undefined) return;
    this.#journal.writeLeader(terminal, { pid, startTicks, bootId: bootId() });
  }

  async #of(terminal: string): Promise<Terminal> {
    const known = await this.#known.get(terminal);
    if (known !== undefined) return known;
    throw unknownTerminal(terminal);
  }
}

function mustBeSize({ cols, rows }: { readonly cols: number; readonly rows: number }): void {
  const isFine = (size: number, max: number): boolean => Number.isInteger(size) && size >= 1 && size <= max;
  if (isFine(cols, terminalColsMax) && isFine(rows, terminalRowsMax)) return;
  const message = `${cols} × ${rows} is no size of a terminal`;
  throw new Fault("bad-request", { retry: "never", message });
}

function unknownTerminal(terminal: string): Fault {
  return new Fault("unknown-call", { retry: "never", message: `there is no terminal ${terminal}` });
}
