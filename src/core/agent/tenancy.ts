// Runs in living agents: which run is in one, who waits for it, and what becomes of a run whose agent goes down. One run is
// in an agent at a time, with its sub-runs, from its start until nothing of it runs any more.

import { compareText } from "../../base/canonical.ts";
import type { Refusal } from "../inputs.ts";
import { goOn, isBecomingMainline, moveRun } from "../run/run-flow.ts";
import { kinOf } from "../run/run-tree.ts";
import type { Run } from "../run/run-state.ts";
import { isOver, takesSlot } from "../run/run-states.ts";
import { awaitAgent } from "../run/run-wait.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import type { Agent } from "./agent-state.ts";

/** Why a run may not be taken in for an agent: it has to be of its project, and to run or come up (AG40). */
export function checkAgent(state: State, run: Pick<Run, "project"> & { readonly agent: string }): Refusal | undefined {
  const agent = state.agents.get(run.agent);
  if (agent === undefined) return { code: "not-found", kind: "agent", id: run.agent };
  if (agent.project !== run.project)
    return { code: "not-found", kind: "agent of this project", id: `${agent.name}, which is of another,` };
  const comesUp = agent.wish === "run" && agent.state !== "error";
  return comesUp ? undefined : { code: "agent-down", agent: agent.name, state: agent.state };
}

/** The run that has an agent, while it is not over. */
export function tenantOf(state: State, agent: Agent): Run | undefined {
  const run = state.runs.get(agent.run ?? "");
  return run === undefined || isOver(run.state) ? undefined : run;
}

/** What an agent that goes down does to the run in it: it waits until the agent is back, or ends with it (AG45, AG46). */
export function settleTenant(step: Step, agent: Agent): void {
  const run = tenantOf(step.state, agent);
  if (run === undefined || agent.state !== "stopping") return;
  if (agent.wish === "run") {
    for (const member of kinOf(step.state, run))
      if (takesSlot(member.state)) goOn(step, member, `its agent ${agent.name} is begun anew`);
    return;
  }
  // What may be mainline already lands first.
  if (!isBecomingMainline(run))
    moveRun(step, run, "terminated", `its agent ${agent.name} goes down`, null, agent.force ? { force: true } : {});
}

/** Another run is in the agent now: everybody who waits for it waits for that one (AG41). */
export function renewTenantWaits(step: Step, id: string | null): void {
  if (id === null) return;
  const waiting = [...step.state.runs.values()].filter((run) => run.agent === id && !isOver(run.state));
  for (const run of waiting.toSorted((a, b) => compareText(a.id, b.id))) awaitAgent(step, run);
}

/** Whoever was to work in an agent that is gone has nowhere to work (AG46). */
export function failHomeless(step: Step, id: string): void {
  const homeless = [...step.state.runs.values()].filter((run) => run.agent === id && !isOver(run.state));
  for (const run of homeless.toSorted((a, b) => compareText(a.id, b.id)))
    moveRun(step, run, "failed", "its agent was removed");
}

export const agentActivities = ["ready", "working", "awaiting-input", "validating"] as const;
export type AgentActivity = (typeof agentActivities)[number];

/** What an agent is doing, which follows from the run in it (AG43). */
export function activityOf(state: State, agent: Agent): AgentActivity {
  const run = tenantOf(state, agent);
  if (run === undefined) return "ready";
  if (run.state === "validating" || run.state === "landing") return "validating";
  return run.state === "awaiting-input" || run.state === "review" || run.state === "paused"
    ? "awaiting-input"
    : "working";
}
