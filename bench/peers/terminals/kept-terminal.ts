// Ours: a terminal in the cage of a run, recorded and drawn by its keeper, looked at over the daemon's WebSocket.

import type { Client } from "../../../src/client/client.ts";
import { TerminalLine } from "../../../src/client/terminal-line.ts";
import type { TerminalNews } from "../../../src/protocol/terminal-stream.ts";
import { threadsCpuMs } from "../../harness/cpu.ts";
import { processesNamed, treeOf } from "../../harness/memory.ts";
import type { Daemon } from "../daemon.ts";
import { size } from "./plain-pty.ts";
import { Looking, ready, type Seat } from "./seat.ts";

let seats = 0;

export async function sitAtOurs(daemon: Daemon, argv: readonly string[]): Promise<Seat> {
  const client = daemon.connect();
  const script = JSON.stringify({ task: "a terminal", steps: [{ ask: "may I end?" }] });
  const { run } = await client.call("run.submit", { project: daemon.project, runner: "script", script });
  await client.waitForRun(run, { states: ["awaiting-input"] });
  const { terminal } = await client.call("terminal.open", { run, argv: [...argv], ...size });
  const looking = new Looking();
  const isReady = looking.until(ready);
  const viewer = `bench-${process.pid}-${++seats}`;
  const keyboard = Promise.withResolvers<void>();
  const line = new TerminalLine({
    open: (path) =>
      new WebSocket(`${daemon.url.replace(/^http/, "ws")}${path}`, ["signalbox", `bearer.${daemon.token}`]),
    wish: { terminal, viewer, name: viewer, size },
    onShow: (bytes) => looking.take(bytes),
    onNews: (news) => hasKeyboard(news, viewer) && keyboard.resolve(),
  });
  line.done.catch(() => undefined);
  await Promise.all([keyboard.promise, isReady]);
  // Those who keep it: the daemon, its keepers and their helpers, without the program in it.
  const nodes = new Set(processesNamed(process.execPath));
  const keepers = treeOf([daemon.pid, ...processesNamed(daemon.keepers)]).filter((pid) => nodes.has(pid));
  return {
    type: (text) => line.type(Buffer.from(text)),
    sees: (text) => looking.until(text),
    cpuMs: () => keepers.reduce((sum, pid) => sum + threadsCpuMs(pid), 0),
    stop: () => end(client, run, line),
  };
}

async function end(client: Client, run: string, line: TerminalLine): Promise<void> {
  line.leave();
  await client.call("run.stop", { run });
  client.close();
}

function hasKeyboard(news: TerminalNews, viewer: string): boolean {
  return "viewers" in news && news.viewers.some((each) => each.keyboard && each.viewer === viewer);
}
