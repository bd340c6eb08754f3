// Stays with a command inside an agent: what it says goes to standard output as it comes, what is piped in here goes to it,
// and whoever interrupts us interrupts it. A daemon that restarts meanwhile is waited for.

import { randomUUID } from "node:crypto";
import { fstatSync } from "node:fs";
import { ProtocolError } from "../protocol/errors.ts";
import type { InputOf, OutputOf } from "../protocol/operations.ts";
import { execInputBytesMax } from "../protocol/operations/exec.ts";
import type { Cli } from "./cli.ts";
import { Interrupted } from "./interrupt.ts";
import { askPatiently } from "./patience.ts";
import { SafeStream } from "./text/safe-stream.ts";
import { toSize } from "./text/size.ts";

type Ended = NonNullable<OutputOf<"exec.output">["end"]>;
type Ref = { readonly agent: string; readonly exec: string };

const waitMs = 20_000;
/** Well within the time after which a command for which nobody asks is ended. */
const signEveryMs = 10_000;
/** Whoever interrupts waits for the command; the second time the process ends without it. */
const never = new AbortController().signal;

/** Begins a command and answers how it ended, when everything that it said was written. */
export async function listenTo(cli: Cli, wish: Omit<InputOf<"exec.start">, "key" | "stdin">): Promise<Ended> {
  const { agent } = await cli.link.call("agent.get", { agent: wish.agent });
  const stdin = hasInput();
  const order = { ...wish, agent: agent.id, stdin, key: randomUUID() };
  const { exec } = await askPatiently(cli, never, () => cli.link.call("exec.start", order));
  const ref = { agent: agent.id, exec };
  const over = new AbortController();
  const interrupting = stopWhenInterrupted(cli, ref, over.signal);
  // Whoever reads slowly, as a pager does, still wants it.
  const here = { ...ref, offset: 0, limit: 1 };
  const signs = setInterval(() => void cli.link.call("exec.output", here).catch(() => undefined), signEveryMs);
  const giving = stdin ? giveInput(cli, ref, over.signal) : Promise.resolve();
  try {
    return await Promise.race([writeAll(cli, ref), failing(interrupting), failing(giving)]);
  } finally {
    over.abort();
    clearInterval(signs);
    if (stdin) process.stdin.destroy();
    // Nobody else needs what it said. One that is gone with its agent has said nothing.
    await cli.link.call("exec.stop", { ...ref, graceMs: 0, forget: true }).catch(() => undefined);
  }
}

/** Whether there is something to read here that is no person. */
function hasInput(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false;
  }
}

async function writeAll(cli: Cli, ref: Ref): Promise<Ended> {
  const safe = cli.out.isScreen ? new SafeStream() : undefined;
  for (let offset = 0; ;) {
    const asked = { ...ref, offset, waitMs };
    const part = await askPatiently(cli, never, () => cli.link.call("exec.output", asked));
    const missing = part.offset - offset;
    if (missing > 0) cli.out.note(`${toSize(missing)} of what it said were not kept.`);
    const bytes = Buffer.from(part.base64, "base64");
    await cli.out.stream([safe === undefined ? bytes : safe.push(bytes)]);
    offset = part.offset + bytes.length;
    if (part.end === null || offset < part.size) continue;
    if (safe !== undefined) await cli.out.stream([safe.end()]);
    return part.end;
  }
}

/** Gives it everything that comes in here, no faster than it reads. */
async function giveInput(cli: Cli, ref: Ref, over: AbortSignal): Promise<void> {
  let number = 0;
  const give = async (bytes: Buffer, end: boolean): Promise<boolean> => {
    const input = { ...ref, base64: bytes.toString("base64"), end, tag: `${++number}` };
    try {
      return (await askPatiently(cli, over, () => cli.link.call("exec.input", input))).taken;
    } catch (error) {
      // It has ended, which is told elsewhere.
      if (over.aborted || (error instanceof ProtocolError && error.code === "not-found")) return false;
      throw error;
    }
  };
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>)
      for (let at = 0; at < chunk.length; at += execInputBytesMax)
        if (!(await give(chunk.subarray(at, at + execInputBytesMax), false))) return;
  } catch (error) {
    // Our own end of it is closed when the command is over.
    if (over.aborted) return;
    throw error;
  }
  await give(Buffer.alloc(0), true);
}

const signals = { SIGINT: "INT", SIGTERM: "TERM", SIGHUP: "HUP" } as const;

async function stopWhenInterrupted(cli: Cli, ref: Ref, over: AbortSignal): Promise<void> {
  const { signal: interrupt } = cli.interrupt;
  await new Promise<void>((resolve) => {
    interrupt.addEventListener("abort", () => resolve(), { once: true });
    over.addEventListener("abort", () => resolve(), { once: true });
  });
  if (over.aborted) return;
  const { reason } = interrupt as { reason: unknown };
  const name = reason instanceof Interrupted ? reason.signalName : "SIGINT";
  const signal = name in signals ? signals[name as keyof typeof signals] : "TERM";
  await askPatiently(cli, over, () => cli.link.call("exec.stop", { ...ref, signal })).catch((error: unknown) => {
    if (!over.aborted) throw error;
  });
}

/** Settles only when it fails: that something else is over is no end. */
function failing(promise: Promise<void>): Promise<never> {
  return new Promise((_, reject) => void promise.catch(reject));
}
