// A terminal of a keeper, as a test talks with it.

import { onTestFinished } from "vitest";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pidNamespaceOf } from "../../src/keeper/os/processes.ts";
import type { CommandEnd, KeeperOp } from "../../src/protocol/keeper/keeper-wire.ts";
import type {
  TerminalListAnswer,
  TerminalReadAnswer,
  TerminalScreenAnswer,
} from "../../src/protocol/keeper/terminal-wire.ts";
import { giveTo, type KeeperRig } from "./keeper-rig.ts";
import { processesWith } from "./processes-with.ts";

type OpenOp = Extract<KeeperOp, { op: "terminal-open" }>;

export class TerminalRig {
  static #made = 0;
  readonly name: string;
  /** To be in the words of what a test starts, so that it is found again. */
  readonly mark: string;
  readonly #rig: KeeperRig;
  readonly #order: OpenOp;
  #typed = 0;

  private constructor(rig: KeeperRig, order: OpenOp) {
    this.#rig = rig;
    this.#order = order;
    this.name = order.terminal;
    this.mark = `${order.terminal}-${process.pid}-${rig.who}`;
  }

  static async open(rig: KeeperRig, argv: readonly string[], env: Record<string, string> = {}): Promise<TerminalRig> {
    const terminal = `te_${++TerminalRig.#made}`;
    const folder = rig.path("recordings", terminal);
    mkdirSync(folder, { recursive: true });
    giveTo(rig.who, rig.path("recordings"));
    const order: OpenOp = {
      ...{ op: "terminal-open", terminal, argv, cwd: null, cols: 80, rows: 24, folder },
      env: { TERM: "xterm-256color", ...env },
    };
    const opened = new TerminalRig(rig, order);
    onTestFinished(async ({ task }) => {
      // What it said says more than a time-out.
      if (task.result?.state === "fail") console.error(JSON.stringify(await opened.said().catch(() => "")));
    });
    await opened.again();
    return opened;
  }

  again(): Promise<unknown> {
    return this.#rig.client.request(this.#order);
  }

  file(name: string): string {
    return join(this.#order.folder, name);
  }

  async type(text: string, tag = `typed-${++this.#typed}`): Promise<void> {
    const base64 = Buffer.from(text).toString("base64");
    await this.#ask({ op: "terminal-input", terminal: this.name, base64, tag });
  }

  async resize(cols: number, rows: number): Promise<void> {
    await this.#ask({ op: "terminal-resize", terminal: this.name, cols, rows });
  }

  read(offset = 0, wait = false): Promise<TerminalReadAnswer> {
    return this.#ask({ op: "terminal-read", terminal: this.name, offset, limit: 512 * 1024, wait });
  }

  screen(scrollback = 0): Promise<TerminalScreenAnswer> {
    return this.#ask({ op: "terminal-screen", terminal: this.name, scrollback });
  }

  close(graceMs = 1000): Promise<unknown> {
    return this.#ask({ op: "terminal-close", terminal: this.name, graceMs });
  }

  async list(): Promise<TerminalListAnswer["terminals"]> {
    return (await this.#ask<TerminalListAnswer>({ op: "terminal-list" })).terminals;
  }

  end(): Promise<CommandEnd> {
    return this.#ask({ op: "terminal-wait", terminal: this.name });
  }

  /** Everything it has said. */
  async bytes(): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let at = 0; ;) {
      const { base64, totalBytes } = await this.read(at);
      const bytes = Buffer.from(base64, "base64");
      parts.push(bytes);
      at += bytes.length;
      if (at >= totalBytes) return Buffer.concat(parts);
    }
  }

  async said(): Promise<string> {
    return (await this.bytes()).toString("utf8");
  }

  /** Everything it has said by the time that this is in it. */
  async heard(text: string | RegExp): Promise<string> {
    for (let at = 0; ;) {
      const { ended } = await this.read(at, true);
      const all = await this.bytes();
      if (typeof text === "string" ? all.includes(text) : text.test(all.toString())) return all.toString("utf8");
      if (ended) throw new Error(`it ended, and said: ${all.toString("utf8")}`);
      at = all.length;
    }
  }

  /** Resolves when its screen shows this. */
  async sees(text: string | RegExp): Promise<void> {
    for (;;) {
      const { lines, offset } = await this.screen();
      const all = lines.join("\n");
      if (typeof text === "string" ? all.includes(text) : text.test(all)) return;
      const { ended, totalBytes } = await this.read(offset, true);
      if (ended && totalBytes <= offset) throw new Error(`it ended, and showed:\n${all}`);
    }
  }

  /** What was started in it, with the words that the test gave it. */
  processes(): number[] {
    return processesWith(this.mark).filter((pid) => pidNamespaceOf(pid) !== pidNamespaceOf(process.pid));
  }

  #ask<T>(op: KeeperOp): Promise<T> {
    return this.#rig.client.request<T>(op);
  }
}
