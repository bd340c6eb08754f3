// The keeper's line to the host of its terminals.

import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import { maybeProgramPath } from "../os/run-program.ts";
import { say } from "../os/say.ts";
import type { HostMessage, HostOp } from "./host-wire.ts";

type Pending = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };

/** A host of which nothing is heard for so long is asked whether it is there, and ended when nothing is heard for as long again. */
const silentMsMax = 7500;

export class TerminalHost {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #onSaid: (said: Readonly<Record<string, number>>) => void;
  /** Resolves when the host is gone. */
  readonly gone: Promise<void>;
  isGone = false;
  readonly #silentMs: number;
  #lastId = 0;
  #watching: NodeJS.Timeout | undefined;
  #hasBeenHeard = false;

  /** `socket` is where viewers reach it. */
  constructor(
    socket: string,
    onSaid: (said: Readonly<Record<string, number>>) => void,
    { silentMs = silentMsMax }: { readonly silentMs?: number } = {},
  ) {
    this.#onSaid = onSaid;
    this.#silentMs = silentMs;
    this.#child = fork(join(import.meta.dirname, "host-main.ts"), [socket], {
      ...{ cwd: "/", stdio: ["ignore", "inherit", "inherit", "ipc"], serialization: "advanced" },
      ...endedWithUs(),
      // It takes no signals that are meant for a group.
      detached: true,
    });
    this.#child.on("message", (message: HostMessage) => this.#take(message));
    this.gone = new Promise((resolve) => {
      const end = (): void => {
        this.isGone = true;
        clearTimeout(this.#watching);
        for (const { reject } of this.#pending.values()) reject(lost());
        this.#pending.clear();
        resolve();
      };
      this.#child.once("error", end);
      this.#child.once("exit", end);
    });
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  ask<T>(op: HostOp): Promise<T> {
    if (this.isGone) return Promise.reject(lost());
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#watch();
      this.#child.send({ id, ...op }, (error) => {
        if (error === null || !this.#pending.delete(id)) return;
        reject(lost());
      });
    });
  }

  /** While somebody waits for it. What is asked may take as long as a full disk; whether it is there, it can say at any time. */
  #watch(wasAsked = false): void {
    if (this.#watching !== undefined) return;
    this.#hasBeenHeard = false;
    this.#watching = setTimeout(() => {
      this.#watching = undefined;
      if (this.#pending.size === 0) return;
      if (this.#hasBeenHeard) return this.#watch();
      if (wasAsked) {
        say("the host of the terminals does not answer any more, and is ended");
        this.#child.kill("SIGKILL");
        return;
      }
      this.#watch(true);
      void this.ask({ op: "there" }).catch(() => undefined);
    }, this.#silentMs);
    this.#watching.unref();
  }

  #take(message: HostMessage): void {
    this.#hasBeenHeard = true;
    if ("said" in message) return this.#onSaid(message.said);
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.ok) pending?.resolve(message.value);
    else pending?.reject(new Fault("terminal-failed", { retry: "never", message: message.message }));
    return undefined;
  }
}

/** The kernel ends it with the process that starts it, also when it does not hear by then that this has gone. */
export function endedWithUs(setpriv = maybeProgramPath("setpriv")): {
  readonly execPath?: string;
  readonly execArgv?: string[];
} {
  const ending = ["--pdeathsig", "KILL"];
  // Not each program of that name can do it: busybox's cannot.
  if (setpriv === undefined || spawnSync(setpriv, [...ending, "true"]).status !== 0) return {};
  return { execPath: setpriv, execArgv: [...ending, process.execPath, ...process.execArgv] };
}

function lost(): Fault {
  return new Fault("terminal-lost", { retry: "never", message: "the terminals of this agent were lost" });
}
