// Agents that see each other's services. Two are joined by a person's word, or because the templates of both name the other;
// a person's word that parts them is stronger. It is always both ways, and never more than the two.

import { matchesGlob } from "../../base/glob.ts";
import { refuse, type Result } from "../../base/result.ts";
import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import type { State } from "../state.ts";
import { compareIds, type Step } from "../step.ts";
import type { AgentSpec } from "./agent-spec.ts";
import { type Agent, portKey } from "./agent-state.ts";

/** Whether they see each other's services (AW21). */
export function areJoined(one: Agent, other: Agent): boolean {
  if (one.id === other.id) return false;
  const word = one.joins.get(other.id);
  if (word !== undefined) return word;
  return one.project === other.project && wants(one.spec, other.name) && wants(other.spec, one.name);
}

function wants({ join = [] }: AgentSpec, name: string): boolean {
  return join.some((pattern) => matchesGlob(pattern, name));
}

/** Everybody whose services it sees. What is put away has no ports, and sees nobody. */
export function joinedWith(state: State, agent: Agent): Agent[] {
  if (agent.isArchived) return [];
  return [...state.agents.values()]
    .filter((other) => !other.isArchived && areJoined(agent, other))
    .toSorted((a, b) => compareIds(a.id, b.id));
}

export type OpenPort = { readonly service: string; readonly port: string; readonly number: number };

/** The ports of a joined agent that lead to it now: to one that is stopped nothing does, so that whoever tries is told at once. */
export function reachedPortsOf(peer: Agent): OpenPort[] {
  return peer.state === "stopped" ? [] : openPortsOf(peer);
}

/** The ports at which others reach its services: of several instances the shared ones. */
export function openPortsOf({ spec, ports }: Agent): OpenPort[] {
  return spec.services.flatMap(({ name: service, ports: names }) =>
    names.flatMap((port) => {
      const number = ports.get(portKey(service, port));
      return number === undefined ? [] : [{ service, port, number }];
    }),
  );
}

/** By which name a service of an agent is reached from another one. */
export function joinedHost(service: string, agent: string): string {
  return `${service}.${agent}.agents`;
}

export function join(step: Step, agent: Agent, other: string, isAcross: boolean): Result<Later, Refusal> {
  const found = step.state.agents.get(other);
  if (found === undefined || found.id === agent.id)
    return refuse({ code: "not-found", kind: "other agent", id: other });
  if (found.project !== agent.project && !isAcross)
    return refuse({ code: "not-found", kind: "agent of this project", id: `${found.name}, which is of another,` });
  if (!areJoined(agent, found)) step.emit({ type: "agent.joined", v: 1, agent: agent.id, with: found.id });
  return done();
}

export function part(step: Step, agent: Agent, other: string): Result<Later, Refusal> {
  const found = step.state.agents.get(other);
  if (found === undefined || !areJoined(agent, found))
    return refuse({ code: "not-found", kind: "join", id: `of ${agent.name} with ${found?.name ?? other}` });
  step.emit({ type: "agent.parted", v: 1, agent: agent.id, with: found.id });
  return done();
}
