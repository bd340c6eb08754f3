// Looks at what agents use, again and again, and notes it. What takes the disk changes slowly, and looking takes longest.

import type { Agent } from "../../core/agent/agent-state.ts";
import type { Clock } from "../../ports/clock.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import type { AgentUsage } from "./agent-usage.ts";
import { fineMs, type MemoryLeft, type UseHistory } from "./use-history.ts";

export type UseSamplerOptions = {
  readonly clock: Pick<Clock, "setTimer">;
  readonly usage: Pick<AgentUsage, "stats">;
  readonly agents: () => readonly Agent[];
  readonly freeBytes: () => Promise<number>;
  readonly memory: () => Promise<MemoryLeft>;
  readonly history: Pick<UseHistory, "note" | "save">;
  readonly onDefect: (error: unknown) => void;
};

const looksPerDisk = 20;

export class UseSampler {
  readonly #options: UseSamplerOptions;
  #looks = 0;
  #cancel: (() => void) | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: UseSamplerOptions) {
    this.#options = options;
  }

  begin(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#options.clock.setTimer(fineMs, () => {
      this.#looking = this.look()
        .catch((error: unknown) => {
          // A machine that is in trouble is looked at again.
          if (!isOfTheWorld(error)) this.#options.onDefect(error);
        })
        .then(() => this.begin());
    });
  }

  async look(): Promise<void> {
    const { usage, agents, freeBytes, memory, history } = this.#options;
    const all = agents();
    const disk = this.#looks++ % looksPerDisk === 0;
    const there = all.filter(({ isMade }) => isMade);
    const uses = there.length === 0 ? [] : await usage.stats(there, { disk });
    const [diskFreeBytes, left] = await Promise.all([freeBytes().catch(() => null), memory().catch(() => null)]);
    history.note(uses, new Set(all.map(({ id }) => id)), { diskFreeBytes, memory: left });
    if (disk) await history.save();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#looking;
    await this.#options.history.save().catch(() => undefined);
  }
}
