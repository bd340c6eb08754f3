// The home that a command speaks of, and the daemon that runs there.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type DaemonInfo, homeFrom, homePaths } from "../protocol/home.ts";

export type Env = Readonly<Record<string, string | undefined>>;

export function homeOf(env: Env, cwd: string): string {
  return resolve(cwd, homeFrom(env));
}

/** What the daemon of this home said of itself. It may have died since. */
export function readDaemonInfo(home: string): DaemonInfo | undefined {
  try {
    return JSON.parse(readFileSync(homePaths(home).daemon, "utf8")) as DaemonInfo;
  } catch {
    return undefined;
  }
}

export function readToken(home: string): string {
  return readFileSync(homePaths(home).token, "utf8").trim();
}
