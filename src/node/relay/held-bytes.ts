// How much the daemon holds in memory of what cages send, at one time. Each cage has a share that nobody else can take; what goes
// beyond comes from one pool for all, of which a cage may have a part. Whoever finds no room waits, first come first served, and not
// for long. It counts what it is told of and holds nothing itself.

import { assert } from "../../base/assert.ts";
import type { Clock } from "../../ports/clock.ts";

export type HeldBytesOptions = {
  readonly clock: Pick<Clock, "setTimer">;
  /** What each cage may always hold. */
  readonly shareBytes?: number;
  /** What one cage may hold, its share included. */
  readonly cageBytesMax?: number;
  /** What all cages may hold beyond their shares. */
  readonly poolBytes?: number;
  readonly waitMsMax?: number;
};

/** Bytes that are held for a cage until they are released. */
export type Room = {
  /** Takes as many more if there is room for them now and nobody waits for it; answers whether. */
  readonly grow: (bytes: number) => boolean;
  /** Gives back what goes beyond so many. */
  readonly shrinkTo: (bytes: number) => void;
  readonly release: () => void;
};

/** What there was no room in: what the cage may hold, or what all may. */
export type Full = "cage" | "pool";

/** A prompt of a million tokens has about so many bytes. */
const shareBytesDefault = 4_194_304;
/** Two of the largest that a provider takes. */
const cageBytesMaxDefault = 67_108_864;
const poolBytesDefault = 268_435_456;
/** Shorter than any assistant's patience with its model. */
const waitMsMaxDefault = 20_000;

type Waiter = { readonly cage: string; readonly bytes: number; readonly grant: () => void };

export class HeldBytes {
  readonly #clock: Pick<Clock, "setTimer">;
  readonly #shareBytes: number;
  readonly #cageBytesMax: number;
  readonly #poolBytes: number;
  readonly #waitMsMax: number;
  readonly #cages = new Map<string, number>();
  /** In the order of their arrival. */
  readonly #waiters = new Set<Waiter>();
  #pooled = 0;

  constructor(options: HeldBytesOptions) {
    this.#clock = options.clock;
    this.#shareBytes = options.shareBytes ?? shareBytesDefault;
    this.#cageBytesMax = options.cageBytesMax ?? cageBytesMaxDefault;
    this.#poolBytes = options.poolBytes ?? poolBytesDefault;
    this.#waitMsMax = options.waitMsMax ?? waitMsMaxDefault;
  }

  /** What is held now, for all. */
  get bytes(): number {
    return [...this.#cages.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Resolves once there is room, or with what was full for too long. Whoever leaves (`left`) waits no more. */
  take(cage: string, bytes: number, left: AbortSignal): Promise<Room | Full> {
    return new Promise((resolve) => {
      const waiter: Waiter = { cage, bytes, grant: () => end(this.#grant(cage, bytes)) };
      const giveUp = (): void => end(this.#fullFor(cage, bytes) ?? "pool");
      const end = (outcome: Room | Full): void => {
        stopTimer();
        left.removeEventListener("abort", giveUp);
        resolve(outcome);
        if (this.#waiters.delete(waiter) && typeof outcome === "string") this.#serve();
      };
      const stopTimer = this.#clock.setTimer(this.#waitMsMax, giveUp);
      left.addEventListener("abort", giveUp);
      this.#waiters.add(waiter);
      if (left.aborted) giveUp();
      else this.#serve();
    });
  }

  /** Lets in whom there is room for. Who needs the pool waits behind whoever waits for it, and behind those of the own cage. */
  #serve(): void {
    let isPoolWanted = false;
    const behind = new Set<string>();
    for (const { cage, bytes, grant } of this.#waiters) {
      if ((behind.has(cage) || isPoolWanted) && this.#fromPool(cage, bytes) > 0) continue;
      const full = this.#fullFor(cage, bytes);
      if (full === undefined) {
        grant();
        continue;
      }
      behind.add(cage);
      isPoolWanted ||= full === "pool";
    }
  }

  #fullFor(cage: string, bytes: number): Full | undefined {
    if ((this.#cages.get(cage) ?? 0) + bytes > this.#cageBytesMax) return "cage";
    return this.#pooled + this.#fromPool(cage, bytes) > this.#poolBytes ? "pool" : undefined;
  }

  /** How many more of the pool's bytes a cage has once it has so many more. */
  #fromPool(cage: string, more: number): number {
    const held = this.#cages.get(cage) ?? 0;
    return Math.max(0, held + more - this.#shareBytes) - Math.max(0, held - this.#shareBytes);
  }

  #change(cage: string, more: number): void {
    this.#pooled += this.#fromPool(cage, more);
    const held = (this.#cages.get(cage) ?? 0) + more;
    assert(held >= 0 && this.#pooled >= 0, "nothing is given back twice");
    if (held === 0) this.#cages.delete(cage);
    else this.#cages.set(cage, held);
    if (more < 0) this.#serve();
  }

  #grant(cage: string, bytes: number): Room {
    let own = bytes;
    this.#change(cage, bytes);
    const shrinkTo = (left: number): void => {
      if (left >= own) return;
      const less = own - left;
      own = left;
      this.#change(cage, -less);
    };
    return {
      grow: (more) => {
        const isWanted = this.#waiters.size > 0 && this.#fromPool(cage, more) > 0;
        if (isWanted || this.#fullFor(cage, more) !== undefined) return false;
        own += more;
        this.#change(cage, more);
        return true;
      },
      shrinkTo,
      release: () => shrinkTo(0),
    };
  }
}
