// Looks whether a service inside answers. That it does not is an answer too.

import type { Socket } from "node:net";
import type { ProbeAnswer, ProbeOp } from "../../protocol/keeper/keeper-wire.ts";
import { toMessage } from "../os/errno.ts";
import { type Connect, Refused } from "./dial.ts";

/** How long a service may go on after it was heard: one that is cut off complains, each time somebody looks. */
const lingerMs = 1000;
const headCharsMax = 16 * 1024;

type Seen = { readonly ok: boolean; readonly what: string };

export async function probe({ port, timeoutMs, http }: ProbeOp, connect: Connect): Promise<ProbeAnswer> {
  const startedMs = performance.now();
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), timeoutMs);
  const look = async (): Promise<Seen> => {
    const socket = await connect(port, over.signal);
    socket.on("error", () => undefined);
    if (http === undefined) return leave(socket.end(), { ok: true, what: `port ${port} takes connections` });
    const { path } = http;
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\naccept: */*\r\nconnection: close\r\n\r\n`);
    return leave(socket, toSeen(await statusOf(socket, over.signal)));
  };
  const { ok, what } = await look().catch((error: unknown): Seen => {
    if (over.signal.aborted) return { ok: false, what: `there was no answer within ${timeoutMs} ms` };
    if (error instanceof Refused) return { ok: false, what: error.message };
    return { ok: false, what: `port ${port} cannot be reached: ${toMessage(error)}` };
  });
  clearTimeout(timer);
  return { ok, ms: Math.round(performance.now() - startedMs), what };
}

function toSeen(status: number | "closed" | "garbage"): Seen {
  if (status === "closed") return { ok: false, what: "it closed the connection without an answer" };
  if (status === "garbage") return { ok: false, what: "it answered, but not in HTTP" };
  return { ok: status < 400, what: `it answered with status ${status}` };
}

function statusOf(socket: Socket, signal: AbortSignal): Promise<number | "closed" | "garbage"> {
  return new Promise((resolve, reject) => {
    let head = "";
    const hear = (bytes: Buffer): void => {
      head += bytes.toString("latin1");
      const status = readStatus(head);
      if (status === undefined) return;
      socket.off("data", hear);
      resolve(status);
    };
    socket.once("end", () => resolve("closed"));
    socket.once("close", () => resolve("closed"));
    socket.on("data", hear).resume();
    signal.addEventListener("abort", () => {
      socket.destroy();
      reject(signal.reason as Error);
    });
  });
}

/** The status of the answer that the text begins with, undefined while more has to come. */
function readStatus(text: string): number | "garbage" | undefined {
  // What is said ahead of the answer is none.
  const answer = text.replace(/^(?:HTTP\/1\.\d 1\d\d[^]*?\r?\n\r?\n)+/, "");
  const [line = "", rest] = answer.split("\n", 2);
  const isBegun = "HTTP/1.".startsWith(line.slice(0, 7)) && text.length < headCharsMax;
  if (rest === undefined) return isBegun ? undefined : "garbage";
  const status = Number(/^HTTP\/1\.\d (\d{3})(?: .*)?$/.exec(line.trimEnd())?.[1] ?? 0);
  if (status >= 200) return status;
  return status >= 100 && isBegun ? undefined : "garbage";
}

function leave(socket: Socket, seen: Seen): Seen {
  socket.allowHalfOpen = false;
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer)).resume();
  return seen;
}
