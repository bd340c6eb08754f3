import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { threadsCpuMs } from "../../harness/cpu.ts";
import type { Program } from "../programs.ts";
import { sitAtPlainPty, size } from "./plain-pty.ts";
import type { Seat } from "./seat.ts";

const run = promisify(execFile);

/** A server of its own with one window, and a client that is attached to it in a terminal that we read. */
export async function sitAtTmux({ file, env }: Program, parent: string, argv: readonly string[]): Promise<Seat> {
  const folder = fs.mkdtempSync(path.join(parent, "tmux-"));
  const config = path.join(folder, "conf");
  // Nothing to draw but what the program says, and no key to wait for after another.
  fs.writeFileSync(config, "set -g status off\nset -g escape-time 0\nset -g default-terminal screen-256color\n");
  const words = ["-S", path.join(folder, "s"), "-f", config];
  const plain = { ...env, TMUX: "", TERM: "xterm-256color", LC_ALL: "C.UTF-8" };
  const ask = (...more: readonly string[]): ReturnType<typeof run> => run(file, [...words, ...more], { env: plain });
  await ask("new-session", "-d", "-x", String(size.cols), "-y", String(size.rows), ...argv);
  const { stdout } = await ask("display-message", "-p", "#{pid}");
  const server = Number(stdout);
  const attach = [file, ...words, "attach"];
  // Its server and its client, without the program in it.
  const cpuMs = (client: number): number => threadsCpuMs(server) + threadsCpuMs(client);
  const seat = await sitAtPlainPty(attach, { cwd: folder, env: plain, cpuMs });
  return {
    ...seat,
    stop: async () => {
      await ask("kill-server").catch(() => undefined);
      await seat.stop();
    },
  };
}
