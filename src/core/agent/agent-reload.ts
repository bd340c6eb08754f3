// An agent whose template has changed: what can become so while it runs does, what cannot restarts alone, and whoever stands on
// that follows.

import { refuse, type Result } from "../../base/result.ts";
import { agentSubject, isMore, mostAllowed } from "../egress/egress.ts";
import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { deny } from "../policy/policy.ts";
import type { Step } from "../step.ts";
import { unreserved } from "./agent-archive.ts";
import { moveAgent, moveService } from "./agent-moves.ts";
import type { AgentSpec } from "./agent-spec.ts";
import type { Agent, Service } from "./agent-state.ts";
import { membersOf, nameOf, portKeysOf } from "./instances.ts";
import { planReload, type ReloadPlan } from "./reload-plan.ts";
import { markOutdated } from "./renew.ts";
import { roomName } from "./room.ts";
import { plan as planNext } from "./schedule.ts";

const because = "its template has changed";

export function reload(step: Step, agent: Agent, spec: AgentSpec, offered: readonly number[]): Result<Later, Refusal> {
  const plan = planReload(agent.spec, spec);
  const { changes, restarts, rescheduled, effect } = plan;
  if (changes.length === 0) return done();
  const paths = changes.flatMap((change) => (change.effect === "never" ? [change.path] : []));
  if (paths.length > 0) return refuse({ code: "reload-refused", agent: agent.name, paths });
  const wanted = spec.egress?.kind ?? "none";
  const most = mostAllowed(step.state, agentSubject(agent), undefined);
  if (most !== undefined && isMore(wanted, most.kind)) return refuse(deny(most.policy, "allowedEgress", wanted));
  const keys = portKeysOf(spec);
  const free = unreserved(step.state, offered);
  const fresh = keys.filter((key) => !agent.ports.has(key)).length;
  if (free.length < fresh) return refuse({ code: "no-ports", wanted: fresh, free: free.length });
  const ports = Object.fromEntries(keys.map((key) => [key, agent.ports.get(key) ?? free.shift() ?? 0]));
  const adapts = adaptsOf(agent, plan);
  const told = adapts.length === 0 ? {} : { adapts };
  step.emit({ type: "agent.reloaded", v: 1, agent: agent.id, spec, ports, ...told });
  for (const name of rescheduled) planAnew(step, agent, agent.services.get(name));
  if (effect === "place") beginAnew(step, agent);
  else if (agent.state !== "stopping") for (const name of restarts) restartAll(step, agent, membersOf(agent, name));
  return done();
}

/** What was given to a service beyond its template goes with the reload: whoever has it is told, too. */
function adaptsOf({ services, room }: Agent, { adapts, restarts, effect }: ReloadPlan): string[] {
  if (effect === "place") return [];
  const told = [...services.values()].filter((service) => {
    const name = nameOf(service);
    return adapts.includes(name) || (room.memory[roomName(service)] !== undefined && !restarts.includes(name));
  });
  return told.map(({ spec }) => spec.name);
}

/** Its place is made anew, around its files, whatever rung was tried before. */
function beginAnew(step: Step, agent: Agent): void {
  if (agent.state === "stopped" || agent.state === "stopping") return;
  if (agent.rung !== null)
    step.emit({ type: "agent.wished", v: 1, agent: agent.id, wish: agent.wish, force: agent.force });
  moveAgent(step, agent, "stopping", because);
}

/** Whoever has a time is not started before that. */
function planAnew(step: Step, agent: Agent, service: Service | undefined): void {
  if (service !== undefined && service.nextAtMs !== null) planNext(step, agent, { ...service, nextAtMs: null });
}

function restartAll(step: Step, agent: Agent, members: readonly Service[]): void {
  for (const service of members) if (service.wanted) restartService(step, agent, service);
}

function restartService(step: Step, agent: Agent, service: Service): void {
  const { state, group } = service;
  const isThere = state === "up" || state === "starting";
  if (isThere && group !== null) markOutdated(step, agent, service, true, because);
  else if (isThere) moveService(step, agent, service, "stopping", because);
  else if (state === "completed" || state === "failed" || state === "delayed")
    moveService(step, agent, service, "waiting", because);
}
