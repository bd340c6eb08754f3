// The host of an agent's terminals: a child of its keeper, made with the first one. It is a process of its own because our
// ends of terminals must never be inherited by what the keeper starts, and because a terminal that floods must not keep
// the agent's files and commands waiting. It starts nothing, and ends with its keeper, which ends it where it hears nothing of it
// for long.

import { flushCompileCache } from "node:module";
import { HostedTerminal } from "./hosted-terminal.ts";
import type { HostMessage, HostOp, HostRequest } from "./host-wire.ts";
import { serveLines } from "./viewer-lines.ts";

/** How often the keeper hears how much was said. */
const tellMs = 20;

const terminals = new Map<string, HostedTerminal>();
const [socket = ""] = process.argv.slice(2);
let said: Record<string, number> = {};
let isTelling = false;

// At once and without a trace: what was compiled is kept now, for there may be nowhere to keep it then.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
flushCompileCache();
serveLines(socket, (terminal) => terminals.get(terminal));
process.on("message", (request: HostRequest) => {
  answer(request).then(
    (value) => send({ id: request.id, ok: true, value }),
    (error: unknown) => {
      send({ id: request.id, ok: false, message: error instanceof Error ? error.message : String(error) });
    },
  );
});
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);

async function answer(request: HostOp): Promise<unknown> {
  if (request.op === "there") return null;
  if (request.op === "open") {
    const { terminal } = request;
    const opened = new HostedTerminal({ ...request, onSaid: (total) => tell(terminal, total) });
    terminals.set(terminal, opened);
    return { path: opened.path };
  }
  const found = terminals.get(request.terminal);
  if (found === undefined) throw new Error(`there is no terminal ${request.terminal}`);
  switch (request.op) {
    case "begun":
      found.begun();
      return null;
    case "input":
      return found.type(Buffer.from(request.bytes), request.tag);
    case "resize":
      found.resize(request.cols, request.rows);
      return null;
    case "screen":
      return found.screen(request.scrollback);
    default:
      return { totalBytes: await found.end() };
  }
}

/** What is said after a silence is told at once; then one word for all that is said in a while. */
function tell(terminal: string, total: number): void {
  said[terminal] = total;
  if (!isTelling) tellNow();
}

function tellNow(): void {
  isTelling = Object.keys(said).length > 0;
  if (!isTelling) return;
  send({ said });
  said = {};
  setTimeout(tellNow, tellMs);
}

function send(message: HostMessage): void {
  process.send?.(message);
}
