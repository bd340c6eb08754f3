// How agents and services were over time, read off their events: for which part of it they were well, and how long each phase of
// coming up took.

import type { Logged } from "../events.ts";

type Told = Pick<Logged, "type" | "atMs"> & Readonly<Record<string, unknown>>;
type Is = "well" | "ill" | "off";

/**
 * For which part of a time a service was well, of what it was wanted in; null where it was not at all (AU40). Events come the
 * oldest first. What was before the first of them is not counted.
 */
export function availabilityOf(
  events: readonly Told[],
  service: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): number | null {
  const sums = { well: 0, ill: 0, off: 0 };
  let is: Is = "off";
  let sinceMs = fromMs;
  const pass = (atMs: number): void => {
    const untilMs = Math.min(Math.max(atMs, fromMs), toMs);
    sums[is] += Math.max(0, untilMs - sinceMs);
    sinceMs = Math.max(sinceMs, untilMs);
  };
  for (const event of events) {
    if (event["service"] !== service) continue;
    const next = isAfter(event, is);
    pass(event.atMs);
    is = next;
  }
  pass(toMs);
  const wanted = sums.well + sums.ill;
  return wanted === 0 ? null : sums.well / wanted;
}

/** Whoever is asked to go is not missed; whoever fails, or has not come up yet after it failed, is. */
function isAfter(event: Told, was: Is): Is {
  if (event.type === "service.judged") return event["healthy"] === true ? "well" : "ill";
  if (event.type === "service.failed") return "ill";
  if (event.type !== "service.moved") return was;
  const to = event["to"];
  if (to === "up" || to === "completed" || to === "scheduled") return "well";
  if (to === "failed" || to === "delayed") return "ill";
  if (to === "stopping") return event["failing"] === undefined ? "off" : "ill";
  // On its way back up, it is as it was.
  return to === "waiting" || to === "starting" ? was : "off";
}

export type Startup = {
  readonly atMs: number;
  readonly ms: number | null;
  readonly phases: readonly { readonly phase: string; readonly fromMs: number; readonly ms: number | null }[];
};

/** An assistant that was called for later than this after everything was up was wanted by somebody, and is not of the start. */
const assistantMsMax = 1000;

/** How an agent came up, each time that these events tell of, the oldest first (AU41). */
export function startupsOf(events: readonly Told[]): Startup[] {
  const begins = events.flatMap(({ type, to }, at) => (type === "agent.moved" && to === "spawning" ? [at] : []));
  return begins.map((at, nth) => startupOf(events.slice(at, begins[nth + 1])));
}

/** Its place, its setup, each service until it was started and well, and what comes when it is up. */
function startupOf(events: readonly Told[]): Startup {
  const story = new StartStory(events[0]?.atMs ?? 0);
  for (const [at, event] of events.entries()) if (at > 0 && !story.take(event)) break;
  return story.told();
}

class StartStory {
  readonly #atMs: number;
  readonly #open = new Map<string, number>();
  readonly #phases: { phase: string; fromMs: number; ms: number | null }[] = [];
  #runningAtMs: number | null = null;
  /** When there was last anything to do that the assistant comes after. */
  #upAtMs = 0;

  constructor(atMs: number) {
    this.#atMs = atMs;
    this.#begin("place", atMs);
  }

  /** Whether what comes after it may still be of this start. */
  take(event: Told): boolean {
    const { type, atMs, to } = event;
    if (type === "agent.moved" && to !== "running") return false;
    if (type === "agent.moved") [this.#runningAtMs, this.#upAtMs] = [atMs, atMs];
    if (type === "agent.made") this.#end("place", atMs);
    if (this.#runningAtMs === null) this.#ofService(event);
    if (type === "hook.begun") this.#begin(String(event["hook"]), atMs);
    if (type === "hook.ended") {
      this.#end(String(event["hook"]), atMs);
      this.#upAtMs = Math.max(this.#upAtMs, atMs);
    }
    const isOfStart = this.#runningAtMs !== null && atMs <= this.#upAtMs + assistantMsMax;
    if (type === "assistant.called" && isOfStart) this.#begin("assistant", atMs);
    if (type === "assistant.begun" || type === "assistant.failed") this.#end("assistant", atMs);
    return true;
  }

  told(): Startup {
    // Whoever has no check was well when it was up.
    for (const [phase, fromMs] of this.#open)
      if (this.#runningAtMs === null || !phase.endsWith(" healthy"))
        this.#phases.push({ phase, fromMs: fromMs - this.#atMs, ms: null });
    const phases = this.#phases.toSorted((a, b) => a.fromMs - b.fromMs);
    return { atMs: this.#atMs, ms: this.#runningAtMs === null ? null : this.#runningAtMs - this.#atMs, phases };
  }

  /** What a service does once everything is up is not of the start. */
  #ofService(event: Told): void {
    const { type, atMs, to } = event;
    const service = String(event["service"]);
    if (type === "service.moved" && to === "starting") this.#begin(`${service} starts`, atMs);
    if (type === "service.moved" && (to === "up" || to === "completed")) {
      this.#end(`${service} starts`, atMs);
      if (to === "up") this.#begin(`${service} healthy`, atMs);
    }
    if (type === "service.judged" && event["healthy"] === true) this.#end(`${service} healthy`, atMs);
  }

  #begin(phase: string, atMs: number): void {
    if (!this.#open.has(phase) && !this.#phases.some((each) => each.phase === phase)) this.#open.set(phase, atMs);
  }

  #end(phase: string, atMs: number): void {
    const fromMs = this.#open.get(phase);
    if (fromMs === undefined) return;
    this.#open.delete(phase);
    this.#phases.push({ phase, fromMs: fromMs - this.#atMs, ms: atMs - fromMs });
  }
}
