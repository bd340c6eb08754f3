import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { startPrivately } from "./private-process.ts";

export type NaiveBroadcast = {
  readonly port: number;
  /** Opens the line on which events are published. */
  readonly connect: () => net.Socket;
  readonly cpuMs: () => number;
  readonly stop: () => Promise<void>;
};

/** A server that spells each event anew for each client. */
export async function startNaiveBroadcast(parent: string): Promise<NaiveBroadcast> {
  const folder = fs.mkdtempSync(path.join(parent, "naive-"));
  const portFile = path.join(folder, "port");
  const process_ = await startPrivately({
    file: process.execPath,
    args: [path.join(import.meta.dirname, "naive-broadcast-process.ts"), folder],
    cwd: path.dirname(import.meta.dirname),
    isReady: () => Promise.resolve(fs.existsSync(portFile)),
  });
  const port = Number(fs.readFileSync(portFile, "utf8"));
  return { port, connect: () => net.connect(path.join(folder, "s")), cpuMs: process_.cpuMs, stop: process_.stop };
}
