// The ways out of one run's cage. Whom it may reach is looked up each time: a person may change that while it works.

import { Fault } from "../../base/fault.ts";
import { callsFaces, faceTenantOf, mayCallFace } from "../../core/agent/face-calls.ts";
import type { Agent } from "../../core/agent/agent-state.ts";
import { agentEgressOf, derivedEgressOf, type Egress, egressOf, noEgress } from "../../core/egress/egress.ts";
import type { EgressInput } from "../../core/egress/egress-events.ts";
import type { Run } from "../../core/run/run-state.ts";
import { isOver } from "../../core/run/run-states.ts";
import type { State } from "../../core/state.ts";
import type { EgressWays, Ways } from "./egress-ways.ts";

const noWays: Ways = { bridges: [], env: {} };

/**
 * The way out of a living agent's cage, for everything in it. It is there also where the agent has no network: a run in it may call
 * faces, and is told of the way itself then (FC16).
 */
export async function openAgentWays(
  ways: EgressWays,
  state: () => State,
  agent: Agent,
  report: (input: EgressInput) => Promise<boolean>,
): Promise<Ways> {
  const { id, name, project } = agent;
  const current = (): Agent => state().agents.get(id) ?? agent;
  const way = await ways.open({
    ...{ owner: { agent: id }, name, report },
    project: () => state().projects.get(project)?.name ?? project,
    egress: () => agentEgressOf(state(), current()),
    mayCall: (called, face) => {
      const tenant = faceTenantOf(state(), current(), called, face);
      return tenant !== undefined && { tenant: tenant.id };
    },
  });
  return agentEgressOf(state(), agent).kind === "none" ? { ...way, env: {} } : way;
}

export async function openWays(
  ways: EgressWays,
  state: () => State,
  id: string,
  report: (input: EgressInput) => Promise<boolean>,
): Promise<Ways> {
  const run = (): Run => {
    const found = state().runs.get(id);
    if (found !== undefined) return found;
    throw new Fault("not-found", { retry: "never", message: `${id} is not there any more` });
  };
  // Whoever is over goes nowhere, and nobody would shut the way behind them.
  const isDumb = egressOf(state(), run()).kind === "none" && !callsFaces(state(), run());
  if (isOver(run().state) || !run().caged || isDumb) return noWays;
  return ways.open({
    owner: { run: id },
    name: id,
    project: () => state().projects.get(run().project)?.name ?? run().project,
    egress: () => egressOf(state(), run()),
    ...(callsFaces(state(), run()) ? { mayCall: (agent, face) => mayCallFace(state(), run(), agent, face) } : {}),
    report,
  });
}

/** Opens the way out of the cage where derived files of a run's candidate are made, if it has one (LD54). */
export async function openDerivedWays(
  ways: EgressWays,
  state: () => State,
  { run: id, name }: { readonly run: string; readonly name: string },
  report: (input: EgressInput) => Promise<boolean>,
): Promise<Ways> {
  const egress = (): Egress => {
    const run = state().runs.get(id);
    return run === undefined ? noEgress : derivedEgressOf(state(), run);
  };
  const project = state().projects.get(state().runs.get(id)?.project ?? "");
  if (egress().kind === "none" || project === undefined || project.derived.length === 0) return noWays;
  return ways.open({
    ...{ owner: { run: id }, name: id, way: name },
    project: () => project.name,
    egress: () => ({ ...egress(), policy: null }),
    report,
  });
}
