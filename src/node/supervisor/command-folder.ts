// What a command leaves in its folder: that it was started and under which mark, who leads it, its output, its exit
// status. A daemon that comes back finds everything it has to know here.

import { watch, writeFileSync } from "node:fs";
import { open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../durable-file.ts";
import { isErrno } from "../errno.ts";
import type { CommandTraces } from "./command-processes.ts";
import { parseIdentity } from "./process-identity.ts";

const tailBytes = 2000;

/** Says for ever that the command was started. False when somebody said so before: whoever comes second waits instead. */
export async function markStarted(folder: string, mark: string): Promise<boolean> {
  return writeDurably(join(folder, "started"), `${mark}\n`, "create");
}

/** It was not started after all. */
export async function unmarkStarted(folder: string): Promise<void> {
  await unlink(join(folder, "started"));
}

/** What is known of the command, undefined when it was never started. */
export async function readTraces(folder: string): Promise<CommandTraces | undefined> {
  const mark = /^(.+)\n$/.exec((await readText(join(folder, "started"))) ?? "")?.[1];
  if (mark === undefined) return undefined;
  return { mark, leader: parseIdentity((await readText(join(folder, "leader"))) ?? "") };
}

/** The exit status, once it is there whole. */
export async function readExit(folder: string): Promise<number | undefined> {
  const text = (await readText(join(folder, "exit"))) ?? "";
  return /^\d+\n$/.test(text) ? Number(text) : undefined;
}

/** It could not be started at all. */
export function writeNotStarted(folder: string, why: string): void {
  writeFileSync(join(folder, "output"), `${why}\n`);
  writeFileSync(join(folder, "exit"), "127\n");
}

/** The end of the output. */
export async function readTail(folder: string): Promise<string> {
  try {
    const file = await open(join(folder, "output"), "r");
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

export type ExitWatch = { next(ms: number, signal: AbortSignal): Promise<void>; close(): void };

/** Wakes when the exit status may be there, at the latest after the given time: a watch may be missed or not be had. */
export function watchExit(folder: string): ExitWatch {
  let changed = false;
  let wake: (() => void) | undefined;
  const watcher = tryWatch(folder, (name) => {
    if (name !== "exit" && name !== null) return;
    changed = true;
    wake?.();
  });
  return {
    next: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(finish, changed || signal.aborted ? 0 : ms);
        signal.addEventListener("abort", finish, { once: true });
        wake = finish;
        function finish(): void {
          clearTimeout(timer);
          signal.removeEventListener("abort", finish);
          wake = undefined;
          changed = false;
          resolve();
        }
      }),
    close: () => watcher?.close(),
  };
}

function tryWatch(folder: string, tell: (name: string | null) => void): { close(): void } | undefined {
  try {
    return watch(folder, (_event, name) => tell(name)).on("error", () => undefined);
  } catch {
    return undefined;
  }
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: unknown) => {
    if (!isErrno(error, "ENOENT")) throw error;
    return undefined;
  });
}
