// Which living agent a run works in that names none, where policies want agents used again and again: its files are there
// already, with everything that earlier runs have built, and are brought in step with mainline.

import { compareText } from "../../base/canonical.ts";
import { matchesGlob } from "../../base/glob.ts";
import type { SubmitRun } from "../inputs.ts";
import { applicable, ruleFor } from "../policy/policy.ts";
import type { RunSubmitted } from "../run/run-events.ts";
import { isOver } from "../run/run-states.ts";
import type { State } from "../state.ts";
import type { Agent } from "./agent-state.ts";
import { checkAgent } from "./tenancy.ts";

type Wanted = Pick<
  SubmitRun,
  "project" | "profile" | "runner" | "node" | "sub" | "agent" | "noCage" | "egress" | "image"
> & {
  readonly fork?: RunSubmitted["fork"] | undefined;
};

export type Reused = { readonly agent: string; readonly reuse: string };

/** An agent that is up and free, and the policy that names it; undefined where the run has a short-lived one of its own (AG52). */
export function findReused(state: State, run: Wanted): Reused | undefined {
  if (!mayReuse(run)) return undefined;
  const named = state.profiles.get(run.profile ?? "")?.settings.policy;
  const rule = ruleFor(applicable(state.policies, run, named), "reuse");
  if (rule === undefined || rule.value === null || rule.value.length === 0) return undefined;
  const patterns = rule.value;
  const isNamed = ({ name }: Agent): boolean => patterns.some((pattern) => matchesGlob(pattern, name));
  const found = [...state.agents.values()].filter(
    (agent) => isNamed(agent) && agent.node === run.node && isFree(state, run.project, agent),
  );
  const [first] = found.toSorted((a, b) => a.id.length - b.id.length || compareText(a.id, b.id));
  return first === undefined ? undefined : { agent: first.id, reuse: rule.policy };
}

/** Whoever says what its place is to be like gets a place of its own. */
function mayReuse({ sub, agent = null, noCage, egress = null, image = null, fork }: Wanted): boolean {
  return !sub && agent === null && noCage !== true && egress === null && image === null && fork === undefined;
}

/** Up, nothing of any run in it, and nobody on the way. */
function isFree(state: State, project: string, agent: Agent): boolean {
  if (checkAgent(state, { project, agent: agent.id }) !== undefined || agent.run !== null) return false;
  for (const run of state.runs.values()) if (run.agent === agent.id && !isOver(run.state)) return false;
  return agent.state === "running";
}
