// What is tried when a service fails: it is started again, later each time; then everything of its agent is begun anew; then
// the agent is made anew around its workspace; then a person is asked. Which rungs there are follows from what failed.

import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import { moveAgent, moveService } from "./agent-moves.ts";
import { giveUpRenewal, isNewcomer } from "./renew.ts";
import {
  type Agent,
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
  lost: ["recreate", "respawn", "ask"],
  resources: ["respawn", "ask"],
  configuration: ["ask"],
};

/** How long an agent has to be well until its ladder begins at the foot again. */
export const wellMs = 600_000;
/** All restarts of the machine's services together: so many within the window, and the others wait. */
export const stormMax = 32;
export const stormWindowMs = 10_000;

/** Exits by which shells say that there is no such program, or none that may be run. */
const notRunnable: readonly (number | "unknown")[] = [126, 127];

export function classOf({ exit, why }: ServiceEnd): AgentFailure {
  if (why === "lost") return "lost";
  if (why === "out-of-memory" || why === "out-of-disk") return "resources";
  return why === "not-started" || notRunnable.includes(exit) ? "configuration" : "service";
}

/** How something ended, for people. */
export function endText({ exit, why }: ServiceEnd): string {
  if (why === "not-started") return "it could not be started";
  if (why === "out-of-memory") return "it took more memory than it may";
  if (why === "out-of-disk") return "it took more of the disk than it may";
  if (why === "timed-out") return "it took longer than it may";
  return exit === "unknown" ? "it ended, and nobody knows how" : `it ended with ${exit}`;
}

/** A service has failed, and nothing of it runs any more. */
export function failService(
  step: Step,
  agent: Agent,
  service: Service,
  failing: Failing,
  end: ServiceEnd | null,
): void {
  // Somebody else stands where it was to stand.
  if (isNewcomer(agent, service)) {
    moveService(step, agent, service, "failed", failing.what, end === null ? {} : { end });
    return giveUpRenewal(step, agent, service, failing.what);
  }
  const { restart } = service.spec;
  const recent = recentRestarts(service, step.nowMs);
  const limit = failing.class === "configuration" ? Math.min(1, restart.limit) : restart.limit;
  const more = end === null ? {} : { end };
  if (restart.policy !== "never" && recent.length < limit) {
    const delayMs = Math.min(restart.delayMs * 2 ** recent.length, restart.delayMsMax);
    const dueAtMs = afterStorm(step.state, step.nowMs + delayMs);
    return moveService(step, agent, service, "delayed", failing.what, { ...more, dueAtMs });
  }
  // It will be tried anyway.
  if (service.spec.schedule !== undefined) return moveService(step, agent, service, "scheduled", failing.what, more);
  moveService(step, agent, service, "failed", failing.what, more);
  return climb(step, agent, service, restart.policy === "never" ? { ...failing, class: "configuration" } : failing);
}

/** Takes the next rung that may help and was not tried since the agent was last well. */
export function climb(step: Step, agent: Agent, service: Service | null, failing: Failing): void {
  // Whoever waits for a person, or goes down anyway, has no rung left to try.
  if (agent.state === "error" || agent.state === "stopping" || agent.state === "stopped") return;
  const tried = agent.rung === null ? -1 : rungs.indexOf(agent.rung);
  const rung = rungsOf(service, failing.class).find((each) => rungs.indexOf(each) > tried) ?? "ask";
  // What fails while it is about to be archived is mended first: what it does before that may need it (AW8).
  if (agent.wish === "archive") step.emit({ type: "agent.wished", v: 1, agent: agent.id, wish: "run", force: false });
  const { class: failure, what } = failing;
  const name = service?.spec.name ?? null;
  step.emit({ type: "agent.climbed", v: 1, agent: agent.id, service: name, rung, failure, what });
  moveAgent(step, agent, rung === "ask" ? "error" : "stopping", name === null ? what : `${name}: ${what}`);
}

/** What runs into a limit of its own would run into it in any place; and everybody else of its agent is well. */
function rungsOf(service: Service | null, failure: AgentFailure): readonly Rung[] {
  const isOwn = service?.end?.why === "out-of-memory" && (service.spec.limits?.memoryBytes ?? null) !== null;
  return isOwn && failure === "resources" ? ["ask"] : rungsFor[failure];
}

export function recentRestarts({ restarts, spec }: Service, nowMs: number): readonly number[] {
  return restarts.filter((atMs) => atMs > nowMs - spec.restart.windowMs);
}

/** The first instant, from this one on, at which one more service may be started again. */
function afterStorm({ restarts }: State, atMs: number): number {
  const within = restarts.filter((each) => each > atMs - stormWindowMs);
  return within.length < stormMax ? atMs : (within.at(-stormMax) ?? atMs) + stormWindowMs;
}
