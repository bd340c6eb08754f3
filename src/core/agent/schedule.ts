// Services that are started at times of the day, again and again. Time of the day is engine time and what the clock on the
// wall was ahead of it when the engine was opened: so a time that passed while nobody was there has come when somebody is.

import { type Cron, nextCron, parseCron } from "../../base/cron.ts";
import { assert } from "../../base/assert.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import { moveService } from "./agent-moves.ts";
import type { ScheduleRule } from "./agent-spec.ts";
import type { Agent, Service } from "./agent-state.ts";

/** Says when a service comes next, where nobody has yet. */
export function plan(step: Step, agent: Agent, { spec, nextAtMs }: Service): void {
  if (spec.schedule === undefined || nextAtMs !== null) return;
  const base = { agent: agent.id, service: spec.name } as const;
  step.emit({ type: "service.scheduled", v: 1, ...base, nextAtMs: nextOf(spec.schedule, dayTimeOf(step)) });
}

/** The time of a service may have come. However many have passed, it is started once; where it still runs, not at all. */
export function startScheduled(step: Step, name: string): void {
  const [id = "", own = ""] = name.split("/");
  const agent = step.state.agents.get(id);
  const service = agent?.services.get(own);
  const schedule = service?.spec.schedule;
  if (agent === undefined || service === undefined || schedule === undefined || service.nextAtMs === null) return;
  const { nextAtMs: plannedAtMs, state, spec } = service;
  if (plannedAtMs > dayTimeOf(step)) return watchSchedule(step.state, agent, service);
  const base = { agent: agent.id, service: spec.name } as const;
  const nextAtMs = nextOf(schedule, dayTimeOf(step));
  step.emit({ type: "service.scheduled", v: 1, ...base, nextAtMs });
  if (state === "scheduled") return moveService(step, agent, service, "waiting", "its time has come");
  step.emit({ type: "service.skipped", v: 1, ...base, plannedAtMs, because: `it was still ${state}` });
}

/** Asks to look again when the time of a service comes. */
export function watchSchedule({ table, wallOffsetMs }: State, agent: Agent, { spec, nextAtMs }: Service): void {
  if (nextAtMs !== null) table.due.add(`schedule:${agent.id}/${spec.name}`, nextAtMs - wallOffsetMs);
}

function dayTimeOf({ state, nowMs }: Step): number {
  return nowMs + state.wallOffsetMs;
}

function nextOf({ cron, shifts }: ScheduleRule, afterMs: number): number {
  return nextCron(toCron(cron), afterMs, shifts);
}

function toCron(text: string): Cron {
  const cron = parseCron(text);
  assert(cron.ok, () => `${text} is no schedule`);
  return cron.value;
}
