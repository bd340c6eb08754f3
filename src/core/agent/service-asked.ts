// What somebody asks of a service by its name, and what becomes of it when files change that it watches: of every instance of it,
// where there are several.

import type { Result } from "../../base/result.ts";
import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import type { Step } from "../step.ts";
import type { AgentInput } from "./agent-decide.ts";
import { moveService } from "./agent-moves.ts";
import type { Agent, Service } from "./agent-state.ts";
import { hasProcess } from "./agent-states.ts";
import { countOf } from "./instances.ts";
import { markOutdated } from "./renew.ts";

export type Asked = Extract<AgentInput, { readonly type: "service.start" | "service.stop" | "service.restart" }>;
export type Changed = Extract<AgentInput, { readonly type: "service.change" }>;

export function isAsked(input: Extract<AgentInput, { readonly service: string }>): input is Asked {
  return input.type === "service.start" || input.type === "service.stop" || input.type === "service.restart";
}

export function askService(
  step: Step,
  agent: Agent,
  members: readonly Service[],
  input: Asked,
): Result<Later, Refusal> {
  if (input.type === "service.stop") {
    for (const service of members) {
      markOutdated(step, agent, service, false, "somebody stopped it");
      want(step, agent, service, false);
    }
    return done();
  }
  const because = input.type === "service.start" ? "somebody started it" : (input.because ?? "somebody restarted it");
  for (const service of wantedOf(members)) {
    want(step, agent, service, true);
    if (input.type === "service.start") {
      if (hasGivenUp(service) || service.state === "completed" || service.state === "scheduled")
        moveService(step, agent, service, "waiting", because);
    } else if (agent.state !== "stopping") restart(step, agent, service, because);
  }
  return done();
}

/** Whoever runs is begun anew when that hurts nobody; whoever has given up is tried again, for it may have been mended. */
export function filesChanged(
  step: Step,
  agent: Agent,
  members: readonly Service[],
  input: Changed,
): Result<Later, Refusal> {
  const { service: name, paths, count } = input;
  const wanted = members.filter((each) => each.wanted);
  if (agent.state === "stopping" || agent.state === "stopped" || wanted.length === 0) return done();
  step.emit({ type: "service.touched", v: 1, agent: agent.id, service: name, paths, count });
  const because = `${paths[0] ?? "a file"}${count > 1 ? ` and ${count - 1} more` : ""} changed`;
  for (const service of wanted) {
    if (service.state === "up" || service.state === "starting") markOutdated(step, agent, service, true, because);
    else if (hasGivenUp(service) || service.state === "completed")
      moveService(step, agent, service, "waiting", because);
  }
  return done();
}

/** Begins one anew: beside others of its kind in its turn, alone at once. */
export function restart(step: Step, agent: Agent, service: Service, because: string): void {
  const { state, group } = service;
  if (group !== null && (state === "up" || state === "starting")) markOutdated(step, agent, service, true, because);
  else if (state === "up") moveService(step, agent, service, "stopping", because);
  else if (!hasProcess(state) && state !== "waiting" && state !== "down")
    moveService(step, agent, service, "waiting", because);
}

/** Whether it is not started again by itself: its agent's ladder was climbed for it, or will be. */
function hasGivenUp({ state, failing }: Service): boolean {
  return state === "failed" || (state === "delayed" && failing !== null);
}

/** Those that are to run: the ones that do, and as many more as there are instances. */
function wantedOf(members: readonly Service[]): readonly Service[] {
  const [first] = members;
  if (first === undefined || members.length === 1) return members;
  const wanted = members.filter((each) => each.wanted);
  const idle = members.filter((each) => !each.wanted);
  return [...wanted, ...idle.slice(0, Math.max(0, countOf(first.spec) - wanted.length))];
}

function want(step: Step, agent: Agent, service: Service, up: boolean): void {
  const { name } = service.spec;
  if (service.wanted !== up) step.emit({ type: "service.wished", v: 1, agent: agent.id, service: name, up });
}
