// ttyd: one C program that reads a terminal and writes what comes to a WebSocket. It keeps neither a screen nor a recording.

import { threadsCpuMs } from "../../harness/cpu.ts";
import { freePort } from "../free-port.ts";
import { startPrivately } from "../private-process.ts";
import type { Program } from "../programs.ts";
import { size } from "./plain-pty.ts";
import { Looking, ready, type Seat } from "./seat.ts";

/** Begins each message that has bytes of the terminal in it, both ways. */
const ofTerminal = "0";

/** A server of its own, and a viewer at its WebSocket. The program begins when the viewer has said how large it is. */
export async function sitAtTtyd({ file, env }: Program, folder: string, argv: readonly string[]): Promise<Seat> {
  const port = await freePort();
  const words = ["--interface", "127.0.0.1", "--port", String(port), "--writable", "--debug", "1"];
  const server = await startPrivately({
    ...{ file, env, cwd: folder, args: [...words, ...argv] },
    isReady: () => answers(port),
  });
  const looking = new Looking();
  const isReady = looking.until(ready);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, "tty");
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer>) => {
    const bytes = new Uint8Array(data);
    if (bytes[0] === ofTerminal.charCodeAt(0)) looking.take(bytes.subarray(1));
  });
  socket.addEventListener("open", () => {
    socket.send(Buffer.from(JSON.stringify({ AuthToken: "", columns: size.cols, rows: size.rows })));
  });
  const gone = new Promise<never>((_, reject) => {
    socket.addEventListener("close", () => reject(new Error("ttyd closed its viewer's connection")));
  });
  await Promise.race([isReady, gone]);
  gone.catch(() => undefined);
  return {
    type: (text) => socket.send(Buffer.from(ofTerminal + text)),
    sees: (text) => looking.until(text),
    cpuMs: () => threadsCpuMs(server.pid),
    stop: async () => {
      socket.close();
      await server.stop();
    },
  };
}

async function answers(port: number): Promise<boolean> {
  try {
    const { ok } = await fetch(`http://127.0.0.1:${port}/token`, { signal: AbortSignal.timeout(500) });
    return ok;
  } catch {
    return false;
  }
}
