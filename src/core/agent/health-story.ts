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

/** How an agent came up the last time: its place, its setup, and each service until it was started and well (AU41). */
export function startupOf(events: readonly Told[]): Startup | null {
  const at = events.findLastIndex(({ type, to }) => type === "agent.moved" && to === "spawning");
  const began = events[at];
  if (began === undefined) return null;
  const after = events.slice(at);
  const open = new Map<string, number>();
  const phases: { phase: string; fromMs: number; ms: number | null }[] = [];
  const begin = (phase: string, atMs: number): void => {
    if (!open.has(phase) && !phases.some((each) => each.phase === phase)) open.set(phase, atMs);
  };
  const end = (phase: string, atMs: number): void => {
    const fromMs = open.get(phase);
    if (fromMs === undefined) return;
    open.delete(phase);
    phases.push({ phase, fromMs: fromMs - began.atMs, ms: atMs - fromMs });
  };
  begin("place", began.atMs);
  let runningAtMs: number | null = null;
  for (const event of after) {
    const service = String(event["service"]);
    if (event.type === "agent.made") end("place", event.atMs);
    if (event.type === "hook.begun" && event["hook"] === "setup") begin("setup", event.atMs);
    if (event.type === "hook.ended" && event["hook"] === "setup") end("setup", event.atMs);
    if (event.type === "service.moved" && event["to"] === "starting") begin(`${service} starts`, event.atMs);
    if (event.type === "service.moved" && (event["to"] === "up" || event["to"] === "completed")) {
      end(`${service} starts`, event.atMs);
      if (event["to"] === "up") begin(`${service} healthy`, event.atMs);
    }
    if (event.type === "service.judged" && event["healthy"] === true) end(`${service} healthy`, event.atMs);
    if (event.type === "agent.moved" && event["to"] === "running") {
      runningAtMs = event.atMs;
      break;
    }
    if (event.type === "agent.moved" && event !== began) break;
  }
  // Whoever has no check was well when it was up.
  for (const [phase, fromMs] of open)
    if (runningAtMs === null || !phase.endsWith(" healthy"))
      phases.push({ phase, fromMs: fromMs - began.atMs, ms: null });
  const sorted = phases.toSorted((a, b) => a.fromMs - b.fromMs);
  return { atMs: began.atMs, ms: runningAtMs === null ? null : runningAtMs - began.atMs, phases: sorted };
}
