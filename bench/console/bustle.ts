// What a crowd does all day: runs call and end and begin, servers turn ill and well, people hold files for a moment.

import { Prng } from "../../src/base/prng.ts";
import type { Crowd } from "./crowd.ts";

const tickMs = 20;
/** Acts by how often they come, each with about how many events it makes. */
const mix = { work: 60, flip: 20, hold: 12, turnover: 8 } as const;
const eventsPerAct = 3.5;

export class Bustle {
  readonly #crowd: Crowd;
  readonly #prng = new Prng(7);
  #timer: ReturnType<typeof setInterval> | undefined;
  #number = 0;
  #owed = 0;

  constructor(crowd: Crowd) {
    this.#crowd = crowd;
  }

  setRate(eventsPerSecond: number): void {
    clearInterval(this.#timer);
    if (eventsPerSecond === 0) return;
    this.#timer = setInterval(() => {
      this.#owed += (eventsPerSecond * tickMs) / 1000 / eventsPerAct;
      for (; this.#owed >= 1; this.#owed--) void this.#act();
    }, tickMs);
  }

  /** Acts without a pause until the log is so long. */
  async until(seq: number): Promise<void> {
    while (this.#crowd.state.seq < seq) await this.#act();
  }

  async #act(): Promise<void> {
    const { atWork, agents } = this.#crowd;
    const number = this.#number++;
    // Those in front are left alone: their pixels are waited for.
    const at = Math.floor(atWork.length * (0.2 + 0.6 * this.#prng.unit()));
    const run = atWork[at];
    const agent = agents[Math.floor(agents.length * (0.2 + 0.6 * this.#prng.unit()))];
    let drawn = this.#prng.unit() * 100;
    // Two acts may meet at one run, and one of them is refused then, as in life.
    try {
      if ((drawn -= mix.work) < 0) await this.#crowd.work(run ?? "");
      else if ((drawn -= mix.flip) < 0) await this.#crowd.flip(agent ?? "");
      else if ((drawn -= mix.hold) < 0) await this.#crowd.hold(number);
      else await this.#turnOver(at);
    } catch {
      return;
    }
  }

  /** One run ends, and another begins. */
  async #turnOver(at: number): Promise<void> {
    const { atWork } = this.#crowd;
    const [old] = atWork.splice(at, 1);
    if (old !== undefined) await this.#crowd.end(old);
    atWork.push(await this.#crowd.begin(1));
  }
}
