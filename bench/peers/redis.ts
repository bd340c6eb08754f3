import fs from "node:fs";
import path from "node:path";
import { startPrivately } from "./private-process.ts";
import type { Program } from "./programs.ts";
import { encode, RespClient } from "./resp-client.ts";

export type Redis = {
  readonly connect: () => Promise<RespClient>;
  readonly cpuMs: () => number;
  readonly stop: () => Promise<void>;
};

/** Redis on a socket of its own. Durable: every answer waits for the disk, like ours. Otherwise it keeps nothing. */
export async function startRedis(program: Program, parent: string, isDurable: boolean): Promise<Redis> {
  const folder = fs.mkdtempSync(path.join(parent, "redis-"));
  const socket = path.join(folder, "s");
  // Rewriting the file in the background would disturb a slice now and then; without it Redis is at its best.
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--auto-aof-rewrite-percentage", "0"];
  const args = ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", folder, "--loglevel", "warning"];
  const process_ = await startPrivately({
    file: program.file,
    env: program.env,
    args: isDurable ? [...args, ...durable] : args,
    cwd: folder,
    isReady: () => answers(socket),
  });
  return { connect: () => RespClient.connect(socket), cpuMs: process_.cpuMs, stop: process_.stop };
}

async function answers(socket: string): Promise<boolean> {
  try {
    const client = await RespClient.connect(socket);
    const reply = await client.send(encode("PING"));
    client.close();
    return reply === "PONG";
  } catch {
    return false;
  }
}
