// Commands that outlive the daemon. A small shell leads each one, in a session of its own, and leaves its exit
// status in a file; a daemon that comes back finds the file, or waits for it. A lost exit is "unknown", never success.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  markStarted,
  readExit,
  readTail,
  readTraces,
  unmarkStarted,
  watchExit,
  writeNotStarted,
} from "./command-folder.ts";
import { cutOutput, joinOutput } from "./command-output.ts";
import { endProcesses, isLed, markName, processesOf, type EndOptions } from "./command-processes.ts";
import { thisPlace } from "./process-identity.ts";

export type CommandOrder = {
  /** A folder of this command's own: the same folder again is the same command. */
  readonly folder: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Asked right before the start; throws when it must not happen any more. */
  readonly mayStart?: (() => void) | undefined;
};

export type CommandEnd = { readonly exit: number | "unknown"; readonly tail: string };

const lookEveryMs = 500;
/** After an output had to be cut: whoever writes that much writes on. */
const lookSoonMs = 20;
const startGraceMs = 2000;

// The leader says who it is before it starts anything: its pid alone could be somebody else's by the time it is read. The
// command is never taken for a word of the shell. Each file is written in one move, and one without its line end is not there. The
// output is appended to, so that its middle can be taken away while the command goes on.
const leader = `read -r stat < /proc/self/stat && echo "$1 $stat" > "$0/leader" || exit
shift
(exec "$@") >> "$0/output" 2>&1 < /dev/null
echo $? > "$0/exit"`;

/** Starts under way in this process: between the mark and the process there is a moment. */
const starts = new Map<string, Promise<void>>();

/** Starts the command, or finds the one that was started before, and waits for its end. An abort leaves it alone. */
export async function runCommand(order: CommandOrder, signal: AbortSignal): Promise<CommandEnd> {
  signal.throwIfAborted();
  await startOnce(order, signal);
  const exit = await waitForExit(order.folder, signal);
  await cutOutput(order.folder);
  await joinOutput(order.folder);
  return { exit, tail: await readTail(order.folder) };
}

/** Ends commands and everything they started. Resolves when all of it is proven gone. */
export async function endCommands(folders: readonly string[], options: EndOptions = {}): Promise<void> {
  const known = [];
  for (const folder of folders) {
    await starts.get(folder)?.catch(() => undefined);
    const traces = await readTraces(folder);
    if (traces !== undefined) known.push(traces);
  }
  if (known.length > 0) await endProcesses(known, options);
}

export async function endCommand(folder: string, options: EndOptions = {}): Promise<void> {
  await endCommands([folder], options);
}

async function startOnce(order: CommandOrder, signal: AbortSignal): Promise<void> {
  const { folder } = order;
  const known = starts.get(folder);
  if (known !== undefined) return known.catch(() => startOnce(order, signal));
  const start = startUnlessStarted(order, signal).finally(() => starts.delete(folder));
  starts.set(folder, start);
  return start;
}

async function startUnlessStarted(order: CommandOrder, signal: AbortSignal): Promise<void> {
  const mark = randomUUID();
  if (!(await markStarted(order.folder, mark))) return;
  try {
    signal.throwIfAborted();
    order.mayStart?.();
  } catch (error) {
    await unmarkStarted(order.folder);
    throw error;
  }
  spawnLeader(order, mark);
}

function spawnLeader({ folder, argv, cwd, env }: CommandOrder, mark: string): void {
  try {
    const child = spawn("/bin/sh", ["-c", leader, folder, thisPlace(), ...argv], {
      cwd,
      env: { ...env, [markName]: mark },
      detached: true,
      stdio: "ignore",
    });
    child.on("error", (error) => writeNotStarted(folder, error.message));
    child.unref();
  } catch (error) {
    writeNotStarted(folder, error instanceof Error ? error.message : String(error));
  }
}

async function waitForExit(folder: string, signal: AbortSignal): Promise<number | "unknown"> {
  const startedByMs = performance.now() + startGraceMs;
  const changed = watchExit(folder);
  try {
    for (;;) {
      const exit = await readExit(folder);
      if (exit !== undefined) return exit;
      signal.throwIfAborted();
      if (!(await isUnderWay(folder, startedByMs))) break;
      const isTalkative = await cutOutput(folder);
      await changed.next(isTalkative ? lookSoonMs : lookEveryMs, signal);
    }
  } finally {
    changed.close();
  }
  // It may have written its status between the two looks.
  const exit = await readExit(folder);
  if (exit !== undefined) return exit;
  // Nobody will say how it ended. What is left of it must not go on while others believe that it is over.
  await endCommand(folder, { force: true });
  return "unknown";
}

async function isUnderWay(folder: string, startedByMs: number): Promise<boolean> {
  const traces = await readTraces(folder);
  if (traces?.leader !== undefined) return isLed(traces);
  if (performance.now() < startedByMs) return true;
  return traces !== undefined && processesOf([traces]).length > 0;
}
