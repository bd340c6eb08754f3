// Hears from keepers which files have changed that services watch, and tells it. One listens for each such service of an agent,
// from its first start until its agent's place goes.

import type { Input } from "../../core/inputs.ts";
import type { ServiceSpec } from "../../core/agent/agent-spec.ts";
import type { WatchAnswer } from "../../protocol/keeper/keeper-wire.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import type { KeeperLine } from "../workspace/keepers.ts";

type FileWatchesParts = {
  readonly report: (input: Input) => Promise<unknown>;
  readonly closing: AbortSignal;
  readonly onDefect: (error: unknown) => void;
};

export class FileWatches {
  readonly #parts: FileWatchesParts;
  /** By agent, then by service. */
  readonly #listening = new Map<string, Map<string, AbortController>>();

  constructor(parts: FileWatchesParts) {
    this.#parts = parts;
  }

  /** Listens for a service, if it watches anything and nobody listens for it yet. */
  listen(agent: string, { name, watch }: Pick<ServiceSpec, "name" | "watch">, keeper: KeeperLine): void {
    const known = this.#listening.get(agent) ?? new Map<string, AbortController>();
    if (watch === undefined || known.has(name)) return;
    const over = new AbortController();
    this.#listening.set(agent, known.set(name, over));
    const signal = AbortSignal.any([over.signal, this.#parts.closing]);
    void this.#follow(agent, name, watch, keeper, signal)
      .catch((error: unknown) => {
        // Its keeper is gone: whoever starts the service again listens anew.
        if (!signal.aborted && !isOfTheWorld(error)) this.#parts.onDefect(error);
      })
      .finally(() => {
        if (known.get(name) === over) known.delete(name);
      });
  }

  /** The place of an agent goes. */
  leave(agent: string): void {
    for (const over of this.#listening.get(agent)?.values() ?? []) over.abort();
    this.#listening.delete(agent);
  }

  async #follow(
    agent: string,
    service: string,
    globs: readonly string[],
    keeper: KeeperLine,
    signal: AbortSignal,
  ): Promise<void> {
    for (let seen: number | null = null; !signal.aborted;) {
      const order = { op: "watch", watch: service, globs, seen } as const;
      const answer = (await keeper.request(order, signal)) as WatchAnswer;
      const { paths, count } = answer;
      await this.#parts.report({ type: "service.change", agent, service, paths, count });
      ({ seen } = answer);
    }
  }
}
