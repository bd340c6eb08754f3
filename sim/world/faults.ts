// Where chance hurts the world. Each kind of fault draws from a stream of its own, so that one more draw here does not
// shift the workload, and all of them stop when the world heals.

import type { Prng } from "../../src/base/prng.ts";
import type { WorldOptions } from "./options.ts";

export class Faults {
  readonly #options: WorldOptions;
  readonly #store: Prng;
  readonly #bus: Prng;
  readonly #clock: Prng;
  readonly #crash: Prng;
  /** How many times the world was hurt. */
  count = 0;
  on = true;

  constructor(options: WorldOptions, prng: Prng) {
    this.#options = options;
    this.#store = prng.stream("faults.store");
    this.#bus = prng.stream("faults.bus");
    this.#clock = prng.stream("faults.clock");
    this.#crash = prng.stream("faults.crash");
  }

  appendMs(): number {
    return this.on ? this.#store.between(0, this.#options.appendMsMax) : 1;
  }

  appendFate(): "done" | "refused" | "ack-lost" {
    if (this.#hit(this.#store, this.#options.refuseChance)) return "refused";
    return this.#hit(this.#store, this.#options.ackLostChance) ? "ack-lost" : "done";
  }

  readMs(): number {
    return this.on ? this.#store.between(0, 5) : 1;
  }

  readFails(): boolean {
    return this.#hit(this.#store, this.#options.readFailChance);
  }

  snapshotIsLost(): boolean {
    return this.#hit(this.#store, this.#options.refuseChance);
  }

  crashIsDurable(): boolean {
    return this.#crash.chance(0.5);
  }

  timerLateMs(): number {
    if (!this.on || this.#options.timerLateMsMax === 0 || this.#clock.chance(0.6)) return 0;
    this.count++;
    return this.#clock.between(1, this.#options.timerLateMsMax);
  }

  isLost(): boolean {
    return this.#hit(this.#bus, this.#options.lossChance);
  }

  isDoubled(): boolean {
    return this.#hit(this.#bus, this.#options.doubleChance);
  }

  /** How long a message travels. Random times are what reorders messages. */
  travelMs(): number {
    const usual = this.#bus.between(0, 3);
    if (!this.on || this.#options.lateMsMax === 0 || this.#bus.chance(0.85)) return usual;
    this.count++;
    return this.#bus.between(1, this.#options.lateMsMax);
  }

  #hit(prng: Prng, chance: number): boolean {
    if (!this.on || chance === 0 || !prng.chance(chance)) return false;
    this.count++;
    return true;
  }
}
