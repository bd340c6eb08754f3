// An assistant's program under its agent's keeper. It goes on while no daemon is there, and what it wrote meanwhile is kept.

import { Fault } from "../../base/fault.ts";
import type { CommandEnd, OutputAnswer } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";

/** Whole lines, and the byte of the output that they end at. */
export type Lines = { readonly lines: readonly string[]; readonly upTo: number };

const partBytes = 256 * 1024;
/** A line that is longer is no line: it is cut. */
const lineBytesMax = 4 * 1024 * 1024;
const lineEnd = 10;

export class Program {
  readonly call: string;
  readonly #keeper: KeeperLine;

  constructor(keeper: KeeperLine, call: string) {
    this.#keeper = keeper;
    this.call = call;
  }

  /** Starts it, or finds it where it was started before. */
  async begin(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
    await this.#keeper.request({ op: "start", call: this.call, argv, cwd: null, env, timeoutMs: null, stdin: true });
  }

  /** Whether it is there and has not ended. */
  async isRunning(): Promise<boolean> {
    try {
      const op = { op: "output", call: this.call, offset: 0, limit: 0 } as const;
      return !((await this.#keeper.request(op)) as OutputAnswer).ended;
    } catch (error) {
      if (error instanceof Fault && error.code === "unknown-call") return false;
      throw error;
    }
  }

  /** False when it does not read any more. */
  async write(text: string): Promise<boolean> {
    const base64 = Buffer.from(text).toString("base64");
    const op = { op: "input", call: this.call, base64, end: false } as const;
    return ((await this.#keeper.request(op)) as { readonly taken: boolean }).taken;
  }

  /** Ends it with everything it started. */
  async stop(graceMs: number): Promise<CommandEnd> {
    await this.#keeper.request({ op: "stop", call: this.call, graceMs });
    return this.ended();
  }

  async ended(signal?: AbortSignal): Promise<CommandEnd> {
    return (await this.#keeper.request({ op: "wait", call: this.call }, signal)) as CommandEnd;
  }

  /** What it says from a byte on, as it says it, until it has ended. */
  async *read(from: number, signal: AbortSignal): AsyncGenerator<Lines> {
    let rest = Buffer.alloc(0);
    for (let at = from; ;) {
      const op = { op: "output", call: this.call, offset: at, limit: partBytes, wait: true } as const;
      const part = (await this.#keeper.request(op, signal)) as OutputAnswer;
      const bytes = Buffer.from(part.base64, "base64");
      // Where something was left out, the line that it broke off in means nothing.
      if (part.offset > at) rest = Buffer.alloc(0);
      at = part.offset + bytes.length;
      rest = Buffer.concat([rest, bytes]);
      const isLast = part.ended && bytes.length === 0;
      const until = isLast || rest.length > lineBytesMax ? rest.length : rest.lastIndexOf(lineEnd) + 1;
      const lines = rest.subarray(0, until).toString("utf8").split("\n");
      rest = rest.subarray(until);
      if (until > 0) yield { lines: lines.filter((line) => line.trim() !== ""), upTo: at - rest.length };
      if (isLast) return;
    }
  }
}
