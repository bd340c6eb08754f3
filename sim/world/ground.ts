// The shared things themselves: processes that run, and who wrote which file last. Whatever a node lets through happens
// here, right or wrong; checkers watch.

import type { Deed } from "./watch.ts";

export class Ground {
  readonly #processes = new Map<string, Deed>();
  readonly #seenExits = new Set<string>();
  readonly #onDeed: (deed: Deed) => void;

  constructor(onDeed: (deed: Deed) => void) {
    this.#onDeed = onDeed;
  }

  write(deed: Deed): void {
    this.#onDeed(deed);
  }

  start(deed: Deed): void {
    this.#onDeed(deed);
    this.#processes.set(keyOf(deed), deed);
  }

  /** What runs under the name that this deed is about. */
  running(deed: Deed): Deed | undefined {
    return this.#processes.get(keyOf(deed));
  }

  /** The process ends by itself, and its exit is seen. */
  finish(deed: Deed): { readonly ok: true; readonly exit: 0 } {
    if (this.isRunning(deed)) this.#processes.delete(keyOf(deed));
    this.#seenExits.add(`${deed.run}#${deed.call}`);
    return { ok: true, exit: 0 };
  }

  /** Whether anybody saw this call's process end well. */
  sawExit(run: string, call: number): boolean {
    return this.#seenExits.has(`${run}#${call}`);
  }

  isRunning(deed: Deed): boolean {
    return this.#processes.get(keyOf(deed)) === deed;
  }

  /** Ends all processes that match. */
  kill(matches: (deed: Deed) => boolean): void {
    for (const [key, deed] of this.#processes) if (matches(deed)) this.#processes.delete(key);
  }
}

function keyOf(deed: Deed): string {
  return `${deed.project} ${deed.unit.key}`;
}
