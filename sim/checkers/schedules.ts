// Services that come by a schedule (SV31, SV32): at their time and not before, once for all times that have passed, and never
// while they run.

import type { Logged } from "../../src/core/events.ts";
import type { ModelService } from "../world/agent-model.ts";
import type { Checker, Watch } from "../world/watch.ts";

/** Whatever is due is looked at before anything else; a little more may pass between two looks. */
const lateMsMax = 120_000;

type Planned = {
  atMs: number;
  readonly agent: string;
  readonly service: string;
  /** When its template said other times. */
  changedAtMs?: number;
};

export function schedulesAreKept(): Checker {
  const planned = new Map<string, Planned>();
  let offsetMs = 0;
  let openedAtMs = 0;
  const before = (event: Logged, { model, report, sometimes }: Watch): void => {
    if (event.type === "engine.opened") {
      offsetMs = event.wallMs - event.atMs;
      openedAtMs = event.atMs;
    }
    const dayMs = event.atMs + offsetMs;
    for (const [key, { agent, service, atMs }] of planned) {
      const state = model.agents.get(agent)?.services.get(service)?.state;
      if (state === undefined || state === "down") planned.delete(key);
      // What passed while nobody was there is due when somebody is.
      else if (event.atMs - Math.max(atMs - offsetMs, openedAtMs) > lateMsMax)
        report("SV31", `${service} of ${agent} was to be started ${dayMs - atMs} ms ago`);
    }
    if (event.type === "agent.reloaded") noteChanges(event, model.agents.get(event.agent)?.services);
    if (!("agent" in event) || !("service" in event) || typeof event.agent !== "string") return;
    const service = model.agents.get(event.agent)?.services.get(String(event.service));
    const key = `${event.agent}/${String(event.service)}`;
    const last = planned.get(key);
    if (event.type === "service.scheduled") {
      const isChanged = last?.changedAtMs !== undefined;
      if (isChanged && last.changedAtMs !== event.atMs) report("AW14", `${key} came at a time of its last template`);
      if (isChanged) sometimes("schedule changed");
      else if (last !== undefined && last.atMs > dayMs) report("SV31", `${key} is planned anew before its time`);
      if (event.nextAtMs <= dayMs) report("SV32", `${key} is planned for what has passed`);
      planned.set(key, { atMs: event.nextAtMs, agent: event.agent, service: event.service });
    }
    if (event.type === "service.skipped") {
      sometimes("schedule skipped");
      if (service?.state === "scheduled") report("SV31", `${key} is skipped, and does not run`);
    }
    if (event.type === "service.moved" && event.from === "scheduled" && event.to === "waiting") {
      if (event.because === "its time has come") sometimes("schedule came");
    }
  };
  /** Whoever has other times now is planned anew at once, and whoever has none is not waited for. */
  function noteChanges(
    { agent, spec, atMs }: Extract<Logged, { type: "agent.reloaded" }>,
    services: ReadonlyMap<string, ModelService> | undefined,
  ): void {
    for (const [key, each] of planned) {
      if (each.agent !== agent) continue;
      const cron = spec.services.find(({ name }) => name === each.service)?.schedule?.cron;
      if (cron === undefined) planned.delete(key);
      else if (cron !== services?.get(each.service)?.cron) each.changedAtMs = atMs;
    }
  }

  return { name: "SV schedules are kept", before };
}
