// The floor: a terminal that this process itself reads, and keeps nothing of.

import { spawn } from "@lydell/node-pty";
import { ownCpuMs } from "../../harness/cpu.ts";
import { Looking, ready, type Seat } from "./seat.ts";

export const size = { cols: 80, rows: 24 } as const;

export type PtyOptions = {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cpuMs?: (client: number) => number;
};

export async function sitAtPlainPty(
  [file = "", ...args]: readonly string[],
  { cwd, env, cpuMs }: PtyOptions,
): Promise<Seat> {
  const looking = new Looking();
  const isReady = looking.until(ready);
  const pty = spawn(file, args, { ...size, name: "xterm-256color", cwd, env: env ?? process.env, encoding: null });
  const ended = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  // Without an encoding it gives bytes, whatever its types say.
  pty.onData((bytes) => looking.take(bytes as unknown as Uint8Array));
  await isReady;
  return {
    type: (text) => pty.write(text),
    sees: (text) => looking.until(text),
    cpuMs: cpuMs === undefined ? ownCpuMs : () => cpuMs(pty.pid),
    stop: async () => {
      pty.kill("SIGKILL");
      await ended;
    },
  };
}
