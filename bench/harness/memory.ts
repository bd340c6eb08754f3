// Memory of trees of processes: what they have for themselves, and their share of what they have with others.

import fs from "node:fs";

const lookEveryMs = 200;

/** Looks again and again at what some processes and everything that stems from them have; ends with the most that it saw. */
export class MemoryWatch {
  readonly #roots: () => readonly number[];
  readonly #timer: NodeJS.Timeout;
  #mostBytes = 0;

  constructor(roots: () => readonly number[]) {
    this.#roots = roots;
    this.#timer = setInterval(() => this.#look(), lookEveryMs);
  }

  end(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#mostBytes;
  }

  #look(): void {
    this.#mostBytes = Math.max(this.#mostBytes, memoryOf(this.#roots()));
  }
}

export function memoryOf(roots: readonly number[]): number {
  return treeOf(roots).reduce((sum, pid) => sum + shareOf(pid), 0);
}

/** Some processes and everything that stems from them, but for those that have a text in their command lines. */
export function treeOf(roots: readonly number[], without?: string): number[] {
  const parents = parentsOfAll();
  const isOfThem = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at))
      if (roots.includes(at)) return true;
    return false;
  };
  const isWanted = (pid: number): boolean => without === undefined || !commandOf(pid).includes(without);
  return [...parents.keys()].filter((pid) => isOfThem(pid) && isWanted(pid));
}

/** Processes that have a text in their command lines. */
export function processesNamed(text: string): number[] {
  return [...parentsOfAll().keys()].filter((pid) => commandOf(pid).includes(text));
}

export function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`);
}

function parentsOfAll(): Map<number, number> {
  const pids = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return new Map(pids.map((pid) => [Number(pid), parentOf(pid)]));
}

/** The fields after the name, which may have anything in it. */
function parentOf(pid: string): number {
  return Number(read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ")[1] ?? 0);
}

export function shareOf(pid: number): number {
  return 1024 * Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
}

/** Processes end at any moment. */
function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
