// An assistant's program under its agent's keeper. It goes on while no daemon is there, and what it wrote meanwhile is kept.

import { Fault } from "../../base/fault.ts";
import type { CommandEnd, OutputAnswer } from "../../protocol/keeper/keeper-wire.ts";
import type { KeeperLine } from "../workspace/keepers.ts";

/** Whole lines, each with the byte of the output that it ends at. */
export type Line = { readonly text: string; readonly end: number };

export type ProgramSurroundings = {
  readonly env: Readonly<Record<string, string>>;
  /** Null is the workspace. */
  readonly cwd: string | null;
  /** Whether it is the machine's, also where its agent works in an image. */
  readonly onMachine: boolean;
};

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
  async begin(argv: readonly string[], surroundings: ProgramSurroundings): Promise<void> {
    const how = { ...surroundings, timeoutMs: null, stdin: true, spared: true };
    await this.#keeper.request({ op: "start", call: this.call, argv, ...how });
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

  /** How many bytes it has said so far. */
  async saidBytes(): Promise<number> {
    const op = { op: "output", call: this.call, offset: 0, limit: 0 } as const;
    return ((await this.#keeper.request(op)) as OutputAnswer).totalBytes;
  }

  /** False when it does not read any more. What is written under a tag is written once. */
  async write(text: string, tag?: string): Promise<boolean> {
    const base64 = Buffer.from(text).toString("base64");
    const op = { op: "input", call: this.call, base64, end: false, ...(tag === undefined ? {} : { tag }) } as const;
    return ((await this.#keeper.request(op)) as { readonly taken: boolean }).taken;
  }

  /** It has nothing more to read. */
  async endInput(): Promise<void> {
    await this.#keeper.request({ op: "input", call: this.call, base64: "", end: true });
  }

  /** Ends it with everything it started. */
  async stop(graceMs: number): Promise<CommandEnd> {
    await this.#keeper.request({ op: "stop", call: this.call, graceMs });
    return this.ended();
  }

  async ended(signal?: AbortSignal): Promise<CommandEnd> {
    return (await this.#keeper.request({ op: "wait", call: this.call }, signal)) as CommandEnd;
  }

  /** Nobody will ask for what it said again. */
  async forget(): Promise<void> {
    await this.#keeper.request({ op: "forget", call: this.call });
  }

  /** What it says from a byte on, as it says it, until it has ended. */
  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly Line[]> {
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
      const lines = toLines(rest.subarray(0, until), at - rest.length);
      rest = rest.subarray(until);
      if (lines.length > 0) yield lines;
      if (isLast) return;
    }
  }
}

/** The lines that have something in them. */
function toLines(bytes: Buffer, from: number): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(lineEnd, start);
    const end = found < 0 ? bytes.length : found + 1;
    const text = bytes.toString("utf8", start, found < 0 ? end : found);
    if (text.trim() !== "") lines.push({ text, end: from + end });
    start = end;
  }
  return lines;
}

/** The program of one life in the way in which it is spoken to, then in the other one: what a name stands for is read in one way. */
export function programsOf(
  keeper: KeeperLine,
  { run, life, isOnce }: { readonly run: string; readonly life: number; readonly isOnce: boolean },
): [Program, Program] {
  const toProgram = (kind: string): Program => new Program(keeper, `${run}-${kind}-${life}`);
  const [lasting, once] = [toProgram("assistant"), toProgram("once")];
  return isOnce ? [once, lasting] : [lasting, once];
}
