// Hears from keepers which files have changed that services watch, and tells it. One listens for each such service of an agent,
// from its first start until its agent's place goes.

import type { Input } from "../../core/inputs.ts";
import type { ServiceSpec } from "../../core/agent/agent-spec.ts";
import type { WatchAnswer } from "../../protocol/keeper/keeper-wire.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import type { KeeperLine } from "../workspace/keepers.ts";

type FileWatchesParts = {
  readonly report: (input: Input) => Promise<unknown>;
  readonly nowMs: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly closing: AbortSignal;
  readonly onDefect: (error: unknown) => void;
};

/** A change that comes so soon after the one before is a quick one. After a few of these each waits twice as long, up to a bound. */
const quickMs = 2000;
const quickMax = 5;
const pauseMsMax = 20_000;

type Watching = { readonly spec: Pick<ServiceSpec, "name" | "watch">; readonly group: string | null };
type Listening = { readonly globs: string; readonly over: AbortController };

export class FileWatches {
  readonly #parts: FileWatchesParts;
  /** By agent, then by service. */
  readonly #listening = new Map<string, Map<string, Listening>>();

  constructor(parts: FileWatchesParts) {
    this.#parts = parts;
  }

  /** Listens for a service, if it watches anything and nobody listens for that yet. */
  listen(agent: string, { spec, group }: Watching, keeper: KeeperLine): void {
    const { watch } = spec;
    // Instances have one list.
    const name = group ?? spec.name;
    const known = this.#listening.get(agent) ?? new Map<string, Listening>();
    const before = known.get(name);
    const globs = JSON.stringify(watch ?? []);
    if (before?.globs === globs) return;
    // Its template says something else now.
    before?.over.abort();
    known.delete(name);
    if (watch === undefined) return;
    const over = new AbortController();
    const listening = { globs, over };
    this.#listening.set(agent, known.set(name, listening));
    const signal = AbortSignal.any([over.signal, this.#parts.closing]);
    void this.#follow(agent, name, watch, keeper, signal)
      .catch((error: unknown) => {
        // Its keeper is gone: whoever starts the service again listens anew.
        if (!signal.aborted && !isOfTheWorld(error)) this.#parts.onDefect(error);
      })
      .finally(() => {
        if (known.get(name) === listening) known.delete(name);
      });
  }

  /** The place of an agent goes. */
  leave(agent: string): void {
    for (const { over } of this.#listening.get(agent)?.values() ?? []) over.abort();
    this.#listening.delete(agent);
  }

  async #follow(
    agent: string,
    service: string,
    globs: readonly string[],
    keeper: KeeperLine,
    signal: AbortSignal,
  ): Promise<void> {
    let quick = 0;
    for (let seen: number | null = null; !signal.aborted;) {
      const order = { op: "watch", watch: service, globs, seen } as const;
      const askedMs = this.#parts.nowMs();
      let answer = (await keeper.request(order, signal)) as WatchAnswer;
      quick = this.#parts.nowMs() - askedMs < quickMs ? quick + 1 : 0;
      // One that changes its own files at each start would be begun anew without end, as fast as it can.
      if (quick > quickMax) {
        await this.#parts.sleep(Math.min(pauseMsMax, 250 * 2 ** Math.min(quick - quickMax, 16)), signal);
        answer = (await keeper.request(order, signal)) as WatchAnswer;
      }
      const { paths, count } = answer;
      await this.#parts.report({ type: "service.change", agent, service, paths, count });
      ({ seen } = answer);
    }
  }
}
