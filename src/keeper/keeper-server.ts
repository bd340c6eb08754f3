// The keeper's socket. Daemons come and go; a request that was begun goes on when the one who sent it is gone.

import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { Fault } from "../base/fault.ts";
import { type KeeperAnswer, keeperLineBytesMax, type KeeperRequest } from "../protocol/keeper/keeper-wire.ts";
import { KeeperFault } from "./keeper-fault.ts";
import { onLines } from "./os/lines.ts";
import { parseRequest } from "./parse-request.ts";
import { say } from "./os/say.ts";

export type Answering = (request: KeeperRequest) => Promise<unknown>;

export async function serve(path: string, answer: Answering, onClosed: () => void): Promise<Server> {
  rmSync(path, { force: true });
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    onLines(socket, keeperLineBytesMax, (line) => void take(path, socket, line, answer, onClosed));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, resolve);
  });
  chmodSync(path, 0o600);
  return server;
}

let answers = 0;

async function take(
  path: string,
  socket: Socket,
  line: string,
  answer: Answering,
  onClosed: () => void,
): Promise<void> {
  const parsed = parseRequest(line);
  if (parsed === undefined) return void socket.destroy();
  const reply = await toAnswer(parsed.id, async () => {
    const request = parsed.file === undefined ? parsed.read() : readLong(parsed.file);
    const value = await answer(request);
    if (request.op === "close") setImmediate(onClosed);
    return value;
  });
  send(socket, reply, join(dirname(path), `answer-${parsed.id}-${++answers}.json`));
  return undefined;
}

function readLong(file: string): KeeperRequest {
  const text = readFileSync(file, "utf8");
  rmSync(file, { force: true });
  const parsed = parseRequest(text);
  if (parsed === undefined) throw new Fault("bad-request", { retry: "never", message: "the request is no request" });
  return parsed.read();
}

async function toAnswer(id: number, act: () => Promise<unknown>): Promise<KeeperAnswer> {
  try {
    return { id, ok: true, value: (await act()) ?? null };
  } catch (error) {
    if (error instanceof Fault) {
      const { code, message, retry } = error;
      return { id, ok: false, code, message, retry, ...(error instanceof KeeperFault ? { data: error.data } : {}) };
    }
    say(error);
    const message = error instanceof Error ? error.message : String(error);
    return { id, ok: false, code: "keeper-failed", message, retry: "later" };
  }
}

function send(socket: Socket, answer: KeeperAnswer, file: string): void {
  if (socket.destroyed) return;
  let text = JSON.stringify(answer);
  if (text.length > keeperLineBytesMax / 2 && "value" in answer) {
    writeFileSync(file, JSON.stringify(answer.value), { mode: 0o600 });
    text = JSON.stringify({ id: answer.id, ok: true, file } satisfies KeeperAnswer);
  }
  socket.write(`${text}\n`);
}
