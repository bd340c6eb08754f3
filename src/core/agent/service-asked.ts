// What somebody asks of a service by its name, and what becomes of it when files change that it watches: of every instance of it,
// where there are several.

import { refuse, type Result } from "../../base/result.ts";
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
  if (agent.isArchived) return refuse({ code: "agent-archived", agent: agent.name });
  if (input.type === "service.stop") {
    for (const service of members) {
      markOutdated(step, agent, service, false, "somebody stopped it");
      want(step, agent, service, false);
    }
    return done();
  }
  // What is only to be begun anew comes up with its agent. Who asks for it is told that it would not.
  const isSaid = input.type === "service.start" || input.because === undefined;
  if (isSaid && isDown(agent)) return refuse({ code: "agent-down", agent: agent.name, state: agent.state });
  const because = input.type === "service.start" ? "somebody started it" : (input.because ?? "somebody restarted it");
  const meant = meantBy(members, input);
  // Who starts the whole has none of it kept down.
  if (input.type === "service.start" && members.length > 1)
    for (const service of members) if (service.stopped && !meant.includes(service)) standBy(step, agent, service);
  for (const service of meant) {
    want(step, agent, service, true);
    if (input.type === "service.start") {
      if (hasGivenUp(service) || service.state === "completed" || service.state === "scheduled")
        moveService(step, agent, service, "waiting", because);
    } else if (agent.state !== "stopping") restart(step, agent, service, because);
  }
  return done();
}

/** Whether nothing of it comes up before somebody starts it. */
function isDown({ state, wish, isMade }: Agent): boolean {
  if (state === "error") return !isMade;
  return wish !== "run" && (state === "stopped" || state === "stopping");
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

/**
 * Those that are to run. Who starts the whole wants as many as there are instances; who restarts it leaves those down that somebody
 * stopped, unless that is all of it; and what only has to be begun anew starts nobody.
 */
function meantBy(members: readonly Service[], input: Asked): readonly Service[] {
  const [first] = members;
  const wanted = members.filter((each) => each.wanted);
  if (input.type === "service.restart" && input.because !== undefined) return wanted;
  if (first === undefined || members.length === 1) return members;
  if (input.type === "service.restart" && wanted.length > 0) return wanted;
  const idle = members.filter((each) => !each.wanted).toSorted((a, b) => Number(b.stopped) - Number(a.stopped));
  return [...wanted, ...idle.slice(0, Math.max(0, countOf(first.spec) - wanted.length))];
}

function want(step: Step, agent: Agent, { spec, wanted, stopped }: Service, up: boolean): void {
  if (wanted !== up || stopped === up)
    step.emit({ type: "service.wished", v: 1, agent: agent.id, service: spec.name, up });
}

function standBy(step: Step, agent: Agent, { spec }: Service): void {
  step.emit({ type: "service.wished", v: 1, agent: agent.id, service: spec.name, up: false, as: "spare" });
}
