// Commands that outlive the daemon. A small shell leads each one, in a session of its own, and leaves its exit
// status in a file; a daemon that comes back finds the file, or waits for it. A lost exit is "unknown", never success.

import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { identify, isAlive, sessionOf, signalProcess, type ProcessIdentity } from "./process-identity.ts";

export type CommandOrder = {
  /** A folder of this command's own: the same folder again is the same command. */
  readonly folder: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

export type CommandEnd = { readonly exit: number | "unknown"; readonly tail: string };

const tailBytes = 2000;
const lookEveryMs = 500;
const startGraceMs = 2000;
const termGraceMs = 2000;

// The leader says who it is before it starts anything, and writes the exit status in one move.
const leader = `echo $$ > "$0/pid.new" && mv "$0/pid.new" "$0/pid"
"$@" > "$0/output" 2>&1 < /dev/null
echo $? > "$0/exit.new" && mv "$0/exit.new" "$0/exit"`;

/** Starts the command, or finds the one that was started before, and waits for its end. */
export async function runCommand(order: CommandOrder, signal: AbortSignal): Promise<CommandEnd> {
  const fresh = await isFresh(order.folder);
  if (fresh) start(order);
  const exit = await waitForExit(order.folder, fresh, signal);
  return { exit, tail: await readTail(join(order.folder, "output")) };
}

/** Ends a command and everything in its session: gently first, then for good. Resolves when it is proven gone. */
export async function endCommand(folder: string): Promise<void> {
  const leader = await leaderOf(folder);
  if (leader === undefined) return;
  const byMs = performance.now() + termGraceMs;
  let signal: NodeJS.Signals = "SIGTERM";
  for (let members = sessionOf(leader); members.length > 0; members = sessionOf(leader)) {
    for (const member of members) signalProcess(member, signal);
    await pause(20);
    if (performance.now() > byMs) signal = "SIGKILL";
  }
}

/** Claims the folder for one start, for ever: whoever comes second waits instead. */
async function isFresh(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const marker = await open(join(folder, "started"), "wx");
    await marker.sync();
    await marker.close();
    return true;
  } catch {
    return false;
  }
}

function start(order: CommandOrder): void {
  const child = spawn("/bin/sh", ["-c", leader, order.folder, ...order.argv], {
    cwd: order.cwd,
    env: order.env,
    detached: true,
    stdio: "ignore",
  });
  child.on("error", (error) => {
    void writeFile(join(order.folder, "output"), `${error.message}\n`).then(() =>
      writeFile(join(order.folder, "exit"), "127\n"),
    );
  });
  child.unref();
}

async function waitForExit(folder: string, fresh: boolean, signal: AbortSignal): Promise<number | "unknown"> {
  const startedMs = performance.now();
  const changed = watchFolder(folder);
  try {
    for (;;) {
      const exit = await readExit(folder);
      if (exit !== undefined) return exit;
      if (signal.aborted) return "unknown";
      const identity = await leaderOf(folder);
      const starting =
        identity === undefined && performance.now() - startedMs < (fresh ? startGraceMs * 5 : startGraceMs);
      if (!starting && (identity === undefined || !isAlive(identity))) {
        // It may have written its status between the two looks.
        return (await readExit(folder)) ?? "unknown";
      }
      await changed.next(lookEveryMs, signal);
    }
  } finally {
    changed.close();
  }
}

async function readExit(folder: string): Promise<number | undefined> {
  try {
    return Number.parseInt(await readFile(join(folder, "exit"), "utf8"), 10);
  } catch {
    return undefined;
  }
}

async function leaderOf(folder: string): Promise<ProcessIdentity | undefined> {
  try {
    const known = await readFile(join(folder, "identity"), "utf8").catch(() => undefined);
    if (known !== undefined) return JSON.parse(known) as ProcessIdentity;
    const identity = identify(Number.parseInt(await readFile(join(folder, "pid"), "utf8"), 10));
    if (identity !== undefined) await writeFile(join(folder, "identity"), JSON.stringify(identity));
    return identity;
  } catch {
    return undefined;
  }
}

async function readTail(path: string): Promise<string> {
  try {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const from = Math.max(0, size - tailBytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}

function watchFolder(folder: string): { next(ms: number, signal: AbortSignal): Promise<void>; close(): void } {
  let wake: (() => void) | undefined;
  const watcher = watch(folder, () => wake?.());
  return {
    next: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(finish, ms);
        signal.addEventListener("abort", finish, { once: true });
        wake = finish;
        function finish(): void {
          clearTimeout(timer);
          signal.removeEventListener("abort", finish);
          wake = undefined;
          resolve();
        }
      }),
    close: () => watcher.close(),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
