// How services are begun anew without a moment in which nobody answers, where that is possible: one instance after another,
// and beside the old one where the template says so.

import type { Step } from "../step.ts";
import { type Agent, isIll, isWell, type Service } from "./agent-state.ts";
import { hasProcess } from "./agent-states.ts";
import { moveService } from "./agent-moves.ts";
import { countOf, membersOf } from "./instances.ts";

/** Says that an instance is to be begun anew, or no more. */
export function markOutdated(
  step: Step,
  agent: Agent,
  { spec, outdated }: Service,
  to: boolean,
  because: string | null,
): void {
  const base = { agent: agent.id, service: spec.name } as const;
  if (outdated !== to) step.emit({ type: "service.outdated", v: 1, ...base, outdated: to, because });
}

/** The next step of what is being renewed. */
export function renew(step: Step, agent: Agent): void {
  const names = new Set([...agent.services.values()].flatMap(({ group }) => group ?? []));
  for (const name of names) renewOne(step, agent, membersOf(agent, name));
  for (const service of agent.services.values())
    if (service.group === null && service.outdated && service.state === "up" && service.wanted)
      moveService(step, agent, service, "stopping", service.renewal);
}

function renewOne(step: Step, agent: Agent, members: readonly Service[]): void {
  const wanted = members.filter((each) => each.wanted);
  // Nobody is brought to one that is not well: it waits for nobody.
  for (const each of wanted) if (each.outdated && isIll(each)) moveService(step, agent, each, "stopping", each.renewal);
  // One at a time, and none while another is on its way.
  if (wanted.length === 0 || !wanted.every(isWell)) return;
  const [first] = wanted.filter((each) => each.outdated && hasProcess(each.state));
  const { spec } = wanted[0] ?? {};
  if (spec === undefined) return;
  // As many as before stay: those that somebody stopped are missing, and nobody comes in their place.
  const isOneMore = wanted.length > countOf(spec) || wanted.some(({ standsIn }) => standsIn);
  if (isOneMore) return wish(step, agent, first ?? wanted[0], false);
  if (first === undefined) return;
  const spares = members.filter((each) => !each.wanted && !each.stopped);
  if (spec.overlap !== true || spares.length === 0) {
    moveService(step, agent, first, "stopping", first.renewal);
    return;
  }
  wish(
    step,
    agent,
    spares.find(({ state }) => state === "down"),
    true,
  );
}

/** Whether it was started to stand in for one that is still there. */
export function isNewcomer(agent: Agent, service: Service): boolean {
  if (service.group === null || service.outdated || !service.standsIn) return false;
  return membersOf(agent, service.group).some((each) => each.wanted && each.outdated && each.state === "up");
}

/** The new one did not come up: the old ones go on as they are. */
export function giveUpRenewal(step: Step, agent: Agent, service: Service, what: string): void {
  wish(step, agent, service, false);
  const because = `${service.spec.name} did not come up in its place: ${what}`;
  for (const each of membersOf(agent, service.group ?? "")) markOutdated(step, agent, each, false, because);
}

function wish(step: Step, agent: Agent, service: Service | undefined, up: boolean): void {
  if (service === undefined || service.wanted === up) return;
  const as = up ? "stand-in" : "spare";
  step.emit({ type: "service.wished", v: 1, agent: agent.id, service: service.spec.name, up, as });
}
