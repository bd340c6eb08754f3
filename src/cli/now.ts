// The daemon's time as people see it. Engine time stands still while the daemon is down, and a run that has waited since
// yesterday would seem to have come a minute ago: what is past is told by the watch on the wall. What is to come is told by
// engine time, which goes as fast as any other while somebody can look at it.

import { type Opening, sinceMs } from "../protocol/wall-time.ts";
import type { Cli } from "./cli.ts";

export class Now {
  readonly #ms: number;
  readonly #openings: readonly Opening[];

  constructor(ms: number, openings: readonly Opening[]) {
    this.#ms = ms;
    this.#openings = openings;
  }

  /** How long ago that was. */
  since(atMs: number): number {
    return sinceMs(this.#openings, atMs, this.#ms);
  }

  /** How long until then. */
  until(atMs: number): number {
    return Math.max(0, atMs - this.#ms);
  }
}

/** Asks the daemon. With an instant of an answer, that is taken for now: it may be long past. */
export async function askNow(cli: Cli, atMs?: number): Promise<Now> {
  const { nowMs, openings } = await cli.link.call("status", {});
  return new Now(atMs ?? nowMs, openings);
}
