// How an agent and its services go on by themselves: what is wanted comes up in the order of its needs, what is not wanted
// goes down in the reverse order, and what has ended makes room for what comes next.

import type { Step } from "../step.ts";
import { awaitsAssistant, callAssistant } from "./agent-assistant.ts";
import { awaitsArchiving, awaitsReady, awaitsSetup, beginHook } from "./agent-hooks.ts";
import { moveAgent, moveService } from "./agent-moves.ts";
import { type Agent, isWell, type Service } from "./agent-state.ts";
import { hasProcess } from "./agent-states.ts";
import { terminalsFirst } from "./place-goes.ts";
import { renew } from "./renew.ts";
import { plan } from "./schedule.ts";
import { areSoFar, membersOf, nameOf } from "./instances.ts";

/** Everything that follows from where an agent stands. */
export function settleAgent(step: Step, agent: Agent): void {
  switch (agent.state) {
    case "spawning":
    case "running":
    case "error":
      if (agent.wish === "run") return bringUp(step, agent);
      if (agent.wish === "archive" && awaitsArchiving(agent)) {
        beginHook(step, agent, "archive");
        return bringUp(step, agent);
      }
      return moveAgent(step, agent, "stopping", wishText(agent));
    case "stopping":
      return bringDown(step, agent);
    case "stopped":
      if (agent.wish === "run") return moveAgent(step, agent, "spawning", null);
      if (agent.wish === "archive" && !agent.isArchived) step.emit({ type: "agent.archived", v: 1, agent: agent.id });
      if (agent.wish !== "remove") return;
      // Files that it has left go before it does (AG13).
      if (agent.isCleared) step.emit({ type: "agent.removed", v: 1, agent: agent.id, recordings: "kept" });
      else moveAgent(step, agent, "stopping", wishText(agent));
      return;
  }
}

function wishText({ wish }: Agent): string {
  if (wish === "archive") return "it is being archived";
  return wish === "remove" ? "it is being removed" : "somebody stopped it";
}

function bringUp(step: Step, agent: Agent): void {
  if (!agent.isMade) return;
  if (awaitsSetup(agent)) {
    // One that failed is tried again when a person says so.
    if (agent.state === "spawning") beginHook(step, agent, "setup");
    return;
  }
  for (const service of agent.services.values()) {
    if (!service.wanted) {
      letGo(step, agent, service, whyLetGo(service));
      continue;
    }
    if (service.state === "down")
      moveService(step, agent, service, service.spec.schedule === undefined ? "waiting" : "scheduled", null);
    plan(step, agent, service);
    if (service.state === "waiting" && hasNeeds(agent, service)) moveService(step, agent, service, "starting", null);
    // What was emitted may have moved the agent itself: whoever comes after it looks again.
    if (agent.state === "stopping") return;
  }
  renew(step, agent);
  if (awaitsReady(agent)) beginHook(step, agent, "ready");
  else if (awaitsAssistant(agent)) callAssistant(step, agent, null);
  if (agent.state === "running" || ![...agent.services.values()].every(isWell)) return;
  moveAgent(step, agent, "running", null);
}

function whyLetGo({ isDropped, stopped, outdated }: Service): string {
  if (isDropped) return "its template does not have it any more";
  if (stopped) return "somebody stopped it";
  return outdated ? "another stands in for it" : "it stands by from now on";
}

function hasNeeds(agent: Agent, { spec }: Service): boolean {
  return spec.needs.every(({ service, until }) => areSoFar(membersOf(agent, service), until));
}

/** People go first, then dependants, and applications before what they stand on. */
function bringDown(step: Step, agent: Agent): void {
  if (agent.force || terminalsFirst(step.state, agent).length > 0) return;
  for (const service of agent.services.values())
    if (!isNeeded(agent, service)) letGo(step, agent, service, "its agent goes down");
}

/** Whether a service that still has a process stands on this one. */
function isNeeded(agent: Agent, needed: Service): boolean {
  return [...agent.services.values()].some(
    (other) => hasProcess(other.state) && other.spec.needs.some(({ service }) => service === nameOf(needed)),
  );
}

function letGo(step: Step, agent: Agent, service: Service, because: string): void {
  const { state } = service;
  if (state === "down" || state === "stopping") return;
  moveService(step, agent, service, hasProcess(state) ? "stopping" : "down", because);
}
