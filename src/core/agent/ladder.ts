// What is tried when a service fails: it is started again, later each time; then everything of its agent is begun anew; then it
// is given more, or something else, where that may help; then the agent is made anew around its workspace; then a person is
// asked. Which rungs there are follows from what failed, and which of them were tried since it was last well.

import type { Step } from "../step.ts";
import { moveAgent, moveService } from "./agent-moves.ts";
import type { FailureUse } from "./agent-events.ts";
import { giveUpRenewal, isNewcomer } from "./renew.ts";
import { isAwaited, membersOf } from "./instances.ts";
import { isOwnFault } from "./own-fault.ts";
import { hasRung, mayTryAgain, rungDelayMs } from "./recovery.ts";
import { memoryAllowed } from "./agent-limits.ts";
import { newestOf } from "./note-change.ts";
import { limitsOf, moreMemory, type RoomKind } from "./room.ts";
import {
  type Agent,
  type AgentChange,
  type AgentFailure,
  type Failing,
  type Rung,
  rungs,
  type Service,
  type ServiceEnd,
} from "./agent-state.ts";

/** Rungs that may help, by what failed. A wrong configuration stays wrong however often it is started. */
const rungsFor: Readonly<Record<AgentFailure, readonly Rung[]>> = {
  service: ["recreate", "respawn", "ask"],
  network: ["recreate", "respawn", "ask"],
  lost: ["recreate", "respawn", "ask"],
  resources: ["respawn", "ask"],
  configuration: ["ask"],
};

/** What was done to an agent within this time may be why a service of it fails. */
const changeMs = 3_600_000;
/** Whom a service cannot reach may come back: it is tried more often before more than that is tried. */
const networkPatience = 2;

export type FailureContext = {
  readonly end: ServiceEnd | null;
  readonly use: FailureUse | null;
  /** What was done lately of which the log says nothing. */
  readonly done?: readonly AgentChange[];
};

/** A service has failed, and nothing of it runs any more. */
export function failService(
  step: Step,
  agent: Agent,
  service: Service,
  failing: Failing,
  context: FailureContext,
): void {
  const { end } = context;
  tell(step, agent, service, failing, context);
  // Somebody else stands where it was to stand.
  if (isNewcomer(agent, service)) {
    moveService(step, agent, service, "failed", failing.what, end === null ? {} : { end });
    return giveUpRenewal(step, agent, service, failing.what);
  }
  const { restart } = service.spec;
  const more = end === null ? {} : { end };
  const tried = countedRestarts(agent, service, step.nowMs);
  if (restart.policy !== "never" && tried < triesOf(service, failing)) {
    const dueAtMs = Math.max(
      step.nowMs + Math.min(restart.delayMs * 2 ** tried, restart.delayMsMax),
      pacedAtMs(service),
    );
    return moveService(step, agent, service, "delayed", failing.what, { ...more, dueAtMs });
  }
  // It will be tried anyway.
  if (service.spec.schedule !== undefined) return moveService(step, agent, service, "scheduled", failing.what, more);
  const asking: Failing = restart.policy === "never" ? { ...failing, class: "configuration" } : failing;
  const waitMs = hasLadder(agent) ? rungDelayMs(agent, nextRung(step, agent, service, asking)) : 0;
  if (waitMs > 0) {
    const dueAtMs = step.nowMs + waitMs;
    return moveService(step, agent, service, "delayed", failing.what, { ...more, dueAtMs, failing: asking });
  }
  moveService(step, agent, service, "failed", failing.what, more);
  return climb(step, agent, service, asking);
}

/** It has failed, and its process goes on, so that a person can look at it (AG25). By its rule nobody begins it anew: they are asked at once. */
export function failAsItRuns(
  step: Step,
  agent: Agent,
  service: Service,
  failing: Failing,
  use: FailureUse | null,
): void {
  tell(step, agent, service, failing, { end: null, use });
  climb(step, agent, service, { ...failing, class: "configuration" });
}

/** Of one service there are at most so many restarts within ten seconds, unless its template says a higher limit (AG93). */
const pacedMax = 5;
const pacedMs = 10_000;

/** When it may be started again by that. Each of its restarts was over when the next one was decided. */
function pacedAtMs({ restarts, spec }: Service): number {
  const max = Math.max(pacedMax, spec.restart.limit);
  const atMs = restarts.length < max ? undefined : restarts.at(1 - max);
  return atMs === undefined ? 0 : atMs + pacedMs;
}

/** How often it is started again before more than that is tried. What cannot be right is not tried again (AG22). */
function triesOf({ spec }: Service, failing: Failing): number {
  if (failing.class === "configuration") return 0;
  return failing.class === "network" ? spec.restart.limit * networkPatience : spec.restart.limit;
}

/** How everything was when it failed (AG71). */
function tell(step: Step, agent: Agent, service: Service, failing: Failing, context: FailureContext): void {
  const { end, use, done = [] } = context;
  const { class: failure, cause: found = "ended", what } = failing;
  const { spec, life } = service;
  const needs = spec.needs.flatMap(({ service: name }) =>
    membersOf(agent, name).map((each) => ({ service: each.spec.name, state: each.state, healthy: each.healthy })),
  );
  const lately = [...agent.changes, ...done].filter(({ atMs }) => atMs > step.nowMs - changeMs);
  const changes = newestOf(lately.toSorted((a, b) => a.atMs - b.atMs));
  const { count = 0, lastAtMs = null } = service.failures[found] ?? {};
  step.emit({
    ...{ type: "service.failed", v: 1, agent: agent.id, service: spec.name, life, failure, found, what, end },
    ...{ limits: limitsOf(agent, service) ?? null, use, needs, changes, before: { count, lastAtMs } },
  });
}

/** Whoever waits for a person, or goes down anyway, has no rung left to try. */
function hasLadder({ state }: Agent): boolean {
  return state !== "error" && state !== "stopping" && state !== "stopped";
}

/** The next rung that may help, that the template has, and that was not tried often enough since the agent was last well. */
function nextRung(step: Step, agent: Agent, service: Service | null, failing: Failing): Rung {
  const tried = agent.rung === null ? -1 : rungs.indexOf(agent.rung);
  const room = roomFor(step, agent, service, failing);
  const isOpen = (each: Rung): boolean =>
    rungs.indexOf(each) > tried ||
    (agent.rung === each && (mayTryAgain(agent, each) || (each === "reallocate" && room?.kind === "memory")));
  return rungsOf(agent, service, failing, room).find((each) => hasRung(agent, each) && isOpen(each)) ?? "ask";
}

export function climb(step: Step, agent: Agent, service: Service | null, failing: Failing): void {
  if (!hasLadder(agent)) return;
  const room = roomFor(step, agent, service, failing);
  const rung = nextRung(step, agent, service, failing);
  // What fails while it is about to be archived is mended first: what it does before that may need it (AW8).
  if (agent.wish === "archive") step.emit({ type: "agent.wished", v: 1, agent: agent.id, wish: "run", force: false });
  const { class: failure, what } = failing;
  const name = service?.spec.name ?? null;
  step.emit({ type: "agent.climbed", v: 1, agent: agent.id, service: name, rung, failure, what });
  if (rung === "reallocate" && room !== null) return reallocate(step, agent, service, room, what);
  moveAgent(step, agent, rung === "ask" ? "error" : "stopping", name === null ? what : `${name}: ${what}`);
}

type Given = { readonly kind: RoomKind; readonly service: Service | null; readonly memoryBytes: number | null };

/** What could be given to whoever failed, if anything (AG74). */
function roomFor(
  { state }: Step,
  agent: Agent,
  service: Service | null,
  { class: failure, cause }: Failing,
): Given | null {
  if (failure !== "resources") return null;
  if (cause === "port-taken") return { kind: "ports", service, memoryBytes: null };
  if (cause === "disk") return { kind: "disk", service, memoryBytes: null };
  if (cause !== "memory") return null;
  const whose = hasOwn(service, "memoryBytes") ? service : null;
  const memoryBytes = moreMemory(agent, whose, memoryAllowed(state, agent));
  return memoryBytes === null ? null : { kind: "memory", service: whose, memoryBytes };
}

/** What is its own fault, or runs into a limit of its own, would do so in any place; and everybody else of its agent is well. */
function rungsOf(agent: Agent, service: Service | null, failing: Failing, room: Given | null): readonly Rung[] {
  const { class: failure, cause } = failing;
  if (isOwnFault(agent, service, failing)) return ["ask"];
  if (failure !== "resources") return rungsFor[failure];
  const more: readonly Rung[] = room === null ? [] : ["reallocate"];
  const isOwn =
    (cause === "memory" && hasOwn(service, "memoryBytes")) ||
    (cause === "files" && hasOwn(service, "files")) ||
    (cause === "processes" && hasOwn(service, "processes"));
  return isOwn || cause === "port-taken" ? [...more, "ask"] : [...more, ...rungsFor[failure]];
}

function hasOwn(service: Service | null, limit: "memoryBytes" | "files" | "processes"): boolean {
  return (service?.spec.limits?.[limit] ?? null) !== null;
}

/** Whoever gets more memory for itself alone is started again with it; everything else is a matter of the whole place. */
function reallocate(step: Step, agent: Agent, failed: Service | null, given: Given, what: string): void {
  const { kind: room, service, memoryBytes } = given;
  const name = service?.spec.name ?? null;
  step.emit({ type: "agent.reallocated", v: 1, agent: agent.id, service: name, room, memoryBytes });
  if (room === "memory" && service !== null && service.state === "failed")
    return moveService(step, agent, service, "waiting", "it may take more memory now");
  moveAgent(step, agent, "stopping", failed === null ? what : `${failed.spec.name}: ${what}`);
}

/** While its agent comes up, one whose end others wait for is not well by lasting: each restart since then counts. */
function countedRestarts(agent: Agent, service: Service, nowMs: number): number {
  if (agent.state !== "spawning" || !isAwaited(agent, service)) return recentRestarts(service, nowMs).length;
  return service.restarts.filter((atMs) => atMs >= agent.sinceMs).length;
}

export function recentRestarts({ restarts, spec }: Service, nowMs: number): readonly number[] {
  return restarts.filter((atMs) => atMs > nowMs - spec.restart.windowMs);
}
