// Requests that wait for something to happen: a claim to end, a run to get somewhere. They are woken by durable events.

import type { Logged } from "../core/events.ts";
import type { DaemonParts } from "./parts.ts";

type Wait = { readonly wake: () => void };

/** What may bring an agent to rest, or is worth telling whoever waits for that. */
const ofAgents: ReadonlySet<Logged["type"]> = new Set([
  "agent.moved",
  "agent.wished",
  "agent.archived",
  "agent.removed",
  "agent.reloaded",
  "hook.ended",
  "service.moved",
  "service.judged",
  "service.outdated",
]);

export class Waits {
  readonly #clock: DaemonParts["clock"];
  /** By the id of a claim, a run or an agent. */
  readonly #waits = new Map<string, Set<Wait>>();
  /** Those who are woken by something that is no event and has not come about yet. */
  readonly #coming = new Set<string>();
  readonly #unsubscribe: () => void;
  #closed = false;

  constructor(parts: Pick<DaemonParts, "engine" | "clock">) {
    this.#clock = parts.clock;
    this.#unsubscribe = parts.engine.subscribe((events) => {
      if (this.#waits.size > 0) for (const event of events) this.#hear(event);
    });
  }

  get size(): number {
    return this.#waits.size;
  }

  /**
   * Looks, and looks again whenever something happened to `id`, until `look` says that it is satisfied or the time is
   * over. `look` answers by itself; here it only says whether to go on.
   */
  until(id: string, waitMs: number, signal: AbortSignal | undefined, look: (last: boolean) => boolean): void {
    if (look(waitMs <= 0 || this.#closed) || waitMs <= 0 || this.#closed) return;
    const waits = this.#waits.get(id) ?? new Set<Wait>();
    this.#waits.set(id, waits);
    const end = (): void => {
      waits.delete(wait);
      if (waits.size === 0) this.#waits.delete(id);
      cancelTimer();
      signal?.removeEventListener("abort", end);
    };
    const wait: Wait = {
      wake: () => {
        if (look(this.#closed) || this.#closed) end();
      },
    };
    const cancelTimer = this.#clock.setTimer(waitMs, () => {
      end();
      look(true);
    });
    waits.add(wait);
    signal?.addEventListener("abort", end, { once: true });
  }

  /** What they wait for may have come about without an event. */
  wake(id: string): void {
    for (const wait of [...(this.#waits.get(id) ?? [])]) wait.wake();
  }

  /** Wakes them when something is over: once, however many of them look at it meanwhile. It must not fail. */
  wakeAfter(id: string, over: () => Promise<void>): void {
    if (this.#coming.has(id)) return;
    this.#coming.add(id);
    void over().then(() => {
      this.#coming.delete(id);
      this.wake(id);
    });
  }

  /** Everyone who waits is answered with how things stand. */
  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    for (const waits of [...this.#waits.values()]) for (const wait of [...waits]) wait.wake();
  }

  #hear(event: Logged): void {
    if (event.type === "lease.granted" || event.type === "claim.ended") this.wake(event.claim);
    else if (event.type === "run.moved" || event.type === "run.removed" || event.type === "run.rewound")
      this.wake(event.run);
    else if (ofAgents.has(event.type) && "agent" in event && event.agent !== undefined) this.wake(event.agent);
  }
}
