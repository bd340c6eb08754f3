// The keeper's line to the host of its terminals.

import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { Fault } from "../../base/fault.ts";
import type { HostMessage, HostOp } from "./host-wire.ts";

type Pending = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };

export class TerminalHost {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #onSaid: (said: Readonly<Record<string, number>>) => void;
  /** Resolves when the host is gone. */
  readonly gone: Promise<void>;
  isGone = false;
  #lastId = 0;

  /** `socket` is where viewers reach it. */
  constructor(socket: string, onSaid: (said: Readonly<Record<string, number>>) => void) {
    this.#onSaid = onSaid;
    this.#child = fork(join(import.meta.dirname, "host-main.ts"), [socket], {
      ...{ cwd: "/", stdio: ["ignore", "inherit", "inherit", "ipc"], serialization: "advanced" },
      // It takes no signals that are meant for a group.
      detached: true,
    });
    this.#child.on("message", (message: HostMessage) => this.#take(message));
    this.gone = new Promise((resolve) => {
      const end = (): void => {
        this.isGone = true;
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

  ask<T>(op: HostOp): Promise<T> {
    if (this.isGone) return Promise.reject(lost());
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#child.send({ id, ...op }, (error) => {
        if (error === null || !this.#pending.delete(id)) return;
        reject(lost());
      });
    });
  }

  #take(message: HostMessage): void {
    if ("said" in message) return this.#onSaid(message.said);
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.ok) pending?.resolve(message.value);
    else pending?.reject(new Fault("terminal-failed", { retry: "never", message: message.message }));
    return undefined;
  }
}

function lost(): Fault {
  return new Fault("terminal-lost", { retry: "never", message: "the terminals of this agent were lost" });
}
