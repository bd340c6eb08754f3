// The port of a home: whoever has its console or a face open finds it there again. Where another program has that port, the daemon
// has another one until that is free again.

import { readFileSync, writeFileSync } from "node:fs";

export type HomePort = {
  readonly wanted: number;
  /** What it had instead when it was last started, where that was taken. */
  readonly instead?: number;
};

/** Null where it has had none yet. */
export function readHomePort(file: string): HomePort | null {
  try {
    const [wanted, instead] = readFileSync(file, "utf8").trim().split(" ").map(Number).filter(isPort);
    return wanted === undefined ? null : { wanted, ...(instead === undefined ? {} : { instead }) };
  } catch {
    return null;
  }
}

/** Those that are tried, in order. */
export function portsToTry(had: HomePort | null, usual: number): number[] {
  const own = had === null ? [] : [had.wanted, ...(had.instead === undefined ? [] : [had.instead])];
  return [...new Set([...own, usual])];
}

/** What is remembered: one that had to give way once comes back. */
export function portAfter(had: HomePort | null, got: number): HomePort {
  return had === null || had.wanted === got ? { wanted: got } : { wanted: had.wanted, instead: got };
}

export function noteHomePort(file: string, { wanted, instead }: HomePort): void {
  try {
    writeFileSync(file, instead === undefined ? String(wanted) : `${wanted} ${instead}`);
  } catch {
    // The next one begins with the usual port: that is all that is lost.
  }
}

export function tellMoved({ wanted, instead }: HomePort): string | undefined {
  if (instead === undefined) return undefined;
  return `port ${wanted} is taken by another program, so the console and faces are at port ${instead}. The next start goes back to ${wanted} where that is free; to stay here: signalbox up --port ${instead}`;
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port > 0 && port < 65_536;
}
