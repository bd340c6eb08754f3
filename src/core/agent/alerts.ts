// When a person is told of an agent that still mends itself: as its template says. Read off the state, so it is over when what
// it was told for is.

import { type Agent, rungs, type Service } from "./agent-state.ts";

/** `name` tells it from the agent's others, and from itself at another rung. */
export type Alert = { readonly name: string; readonly what: string; readonly sinceMs: number };

/** The time in which restarts are counted for people. */
export const alertWindowMs = 3_600_000;

/** Of an agent in `error` somebody is told anyway. */
export function alertsOf(agent: Agent, nowMs: number): Alert[] {
  const { alerts } = agent.spec;
  const isAlive =
    agent.wish === "run" && (agent.state === "running" || agent.state === "spawning" || isBegunAnew(agent));
  if (alerts === undefined || !isAlive) return [];
  const services = [...agent.services.values()].filter(({ wanted }) => wanted);
  return [
    ...climbAlert(agent),
    ...services.flatMap((service) => restartAlert(service, alerts.restarts, nowMs)),
    ...services.flatMap((service) => unwellAlert(service, alerts.unwellMs, nowMs)),
  ];
}

function isBegunAnew({ state, rung }: Agent): boolean {
  return state === "stopping" && rung !== null;
}

function climbAlert({ spec, rung, climbed }: Agent): Alert[] {
  const from = spec.alerts?.rung ?? null;
  if (from === null || rung === null || climbed === null || rungs.indexOf(rung) < rungs.indexOf(from)) return [];
  return [{ name: rung, what: `${rung} was tried: ${climbed.what}`, sinceMs: climbed.atMs }];
}

function restartAlert({ spec, restarts }: Service, most: number | null, nowMs: number): Alert[] {
  const counted = restarts.filter((atMs) => atMs > nowMs - alertWindowMs);
  const [first] = counted;
  if (most === null || first === undefined || counted.length < most) return [];
  const times = counted.length === 1 ? "once" : `${counted.length} times`;
  return [
    { name: `${spec.name}:restarts`, what: `${spec.name} was started again ${times} within an hour`, sinceMs: first },
  ];
}

function unwellAlert({ spec, unwellSinceMs, because }: Service, afterMs: number | null, nowMs: number): Alert[] {
  if (afterMs === null || unwellSinceMs === null || nowMs - unwellSinceMs < afterMs) return [];
  const why = because === null ? "" : `: ${because}`;
  return [
    {
      name: `${spec.name}:unwell`,
      what: `${spec.name} has not been well for ${Math.floor((nowMs - unwellSinceMs) / 1000)} s${why}`,
      sinceMs: unwellSinceMs,
    },
  ];
}
