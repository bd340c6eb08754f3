// When an agent has come to rest: nothing of it is on its way to another state by itself, as far as that can be seen coming.

import type { Need } from "./agent-spec.ts";
import { type Agent, isSoFar, isWell, type Service } from "./agent-state.ts";
import { membersOf, nameOf } from "./instances.ts";

/** Whether whoever asked for something may look at what has become of it. */
export function isAtRest(agent: Agent): boolean {
  if (agent.state !== "running") return agent.state === "error" || agent.state === "stopped";
  return ![...agent.services.values()].some((service) => isInMotion(agent, service));
}

/** The same for one service, or for all instances of it, also where its agent waits for a person. */
export function isServiceAtRest(agent: Agent, name: string): boolean {
  if (agent.state === "stopped") return true;
  if (agent.state !== "running" && agent.state !== "error" && agent.state !== "spawning") return false;
  return ![...agent.services.values()].some(
    (service) => (service.spec.name === name || service.group === name) && isInMotion(agent, service),
  );
}

function isInMotion(agent: Agent, service: Service): boolean {
  switch (service.state) {
    case "starting":
    case "stopping":
      return true;
    case "up":
      return isUnjudged(service) || isBeingRenewed(agent, service);
    // Nothing comes up before its place is there.
    case "down":
      return agent.state === "spawning" && service.wanted;
    case "waiting":
      return service.spec.needs.every((need) => isComing(agent, need));
    default:
      return false;
  }
}

/** Its check has not said anything yet. */
function isUnjudged({ spec, healthy }: Service): boolean {
  return spec.health !== null && healthy === null;
}

/** One after another, and none while one of them is not well: whoever waits for that one waits for somebody to mend it. */
function isBeingRenewed(agent: Agent, service: Service): boolean {
  if (!service.outdated || !service.wanted) return false;
  return membersOf(agent, nameOf(service)).every((each) => isWell(each) || isInMotionAlone(each));
}

function isInMotionAlone(service: Service): boolean {
  const { state } = service;
  return state === "starting" || state === "stopping" || state === "waiting" || (state === "up" && isUnjudged(service));
}

/** Whether what is needed is there or on its way. Needs go round in no circle (AG6). */
function isComing(agent: Agent, { service: name, until }: Need): boolean {
  const members = membersOf(agent, name);
  const wanted = members.filter((each) => each.wanted || members.length === 1);
  return (
    wanted.length > 0 &&
    wanted.every(
      (each) =>
        isSoFar(each, until) ||
        isInMotion(agent, each) ||
        (until === "completed" && each.state === "up" && each.wanted),
    )
  );
}
