// What an event says itself is shown at once, without asking: a run, an agent or a service has moved, is wanted or is well. Everything
// else of it is asked for as before. An event that is older than what was read changes nothing: it does not begin where that stands.

import { type AgentView, agentStateNames, type ServiceView, serviceStateNames } from "../../protocol/wire/agent.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";
import type { Run } from "../../protocol/wire/run.ts";
import { isOver, isRunState } from "../model/signals.ts";
import { numberIn, textIn } from "./event-fields.ts";
import type { LiveState } from "./live-state.ts";

export function evolveMoves(state: LiveState, events: readonly LogEvent[]): LiveState {
  const runs = new Changes(state.runs);
  const agents = new Changes(state.agents);
  let active = state.totals.active;
  for (const event of events) {
    if (event.type === "run.moved") {
      const [before, after] = runs.change(textIn(event, "run"), (run) => movedRun(run, event));
      if (before !== after)
        active += Number(!isOver(after?.state ?? "done")) - Number(!isOver(before?.state ?? "done"));
    } else if (event.type === "agent.moved") agents.change(textIn(event, "agent"), (agent) => movedAgent(agent, event));
    else if (Object.hasOwn(servicesBy, event.type))
      agents.change(textIn(event, "agent"), (agent) => withService(agent, event));
  }
  if (runs.now === state.runs && agents.now === state.agents) return state;
  return { ...state, runs: runs.now, agents: agents.now, totals: { ...state.totals, active } };
}

/** A map that is copied once, however many of its entries change. */
class Changes<T> {
  now: ReadonlyMap<string, T>;
  #copy: Map<string, T> | undefined;

  constructor(before: ReadonlyMap<string, T>) {
    this.now = before;
  }

  change(key: string | undefined, to: (each: T) => T): [before: T | undefined, after: T | undefined] {
    const before = key === undefined ? undefined : this.now.get(key);
    if (key === undefined || before === undefined) return [undefined, undefined];
    const after = to(before);
    if (after !== before) {
      this.#copy ??= new Map(this.now);
      this.#copy.set(key, after);
      this.now = this.#copy;
    }
    return [before, after];
  }
}

function movedRun(run: Run, event: LogEvent): Run {
  const to = textIn(event, "to");
  if (to === undefined || !isRunState(to) || run.state !== textIn(event, "from")) return run;
  return { ...run, state: to, sinceMs: event.atMs, because: textIn(event, "because") ?? null };
}

function movedAgent(agent: AgentView, event: LogEvent): AgentView {
  const to = agentStateNames.find((name) => name === textIn(event, "to"));
  if (to === undefined || agent.state !== textIn(event, "from")) return agent;
  return { ...agent, state: to, sinceMs: event.atMs, because: textIn(event, "because") ?? null };
}

function withService(agent: AgentView, event: LogEvent): AgentView {
  const name = textIn(event, "service");
  const at = agent.services.findIndex((service) => service.name === name);
  const service = agent.services[at];
  const moved = service === undefined ? undefined : servicesBy[event.type]?.(service, event);
  return moved === undefined ? agent : { ...agent, services: agent.services.with(at, moved) };
}

type Evolve = (service: ServiceView, event: LogEvent) => ServiceView | undefined;

/** What becomes of a service by an event; nothing where the event is older than what was read of it. */
const servicesBy: Readonly<Record<string, Evolve>> = {
  "service.moved": movedService,
  "service.wished": (service, { atMs, up }) =>
    typeof up !== "boolean" || up === service.wanted || atMs < service.sinceMs ? undefined : { ...service, wanted: up },
  "service.judged": (service, { atMs, life, healthy }) =>
    typeof healthy !== "boolean" || life !== service.life || service.state !== "up" || atMs < service.sinceMs
      ? undefined
      : { ...service, healthy },
};

function movedService(service: ServiceView, event: LogEvent): ServiceView | undefined {
  const to = serviceStateNames.find((name) => name === textIn(event, "to"));
  if (to === undefined || service.state !== textIn(event, "from")) return undefined;
  const because = textIn(event, "because") ?? null;
  // Whether it is well is said anew once it is up.
  return {
    ...service,
    state: to,
    sinceMs: event.atMs,
    life: numberIn(event, "life") ?? service.life,
    because,
    healthy: null,
  };
}
