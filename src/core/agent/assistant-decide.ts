// How the assistant of an agent becomes a run in it, and how somebody asks for that.

import { assert } from "../../base/assert.ts";
import { refuse, type Result } from "../../base/result.ts";
import type { Refusal, SubmitRun } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { submitRun } from "../run/run-submit.ts";
import type { Step } from "../step.ts";
import { callAssistant, isAssistantThere } from "./agent-assistant.ts";
import type { AssistantSpec } from "./agent-spec.ts";
import type { Agent, Assistance } from "./agent-state.ts";
import { checkAgent } from "./tenancy.ts";

/** Somebody wants it to begin now, whatever its template says of when (AW19). */
export function askAssistant(step: Step, agent: Agent, prompt: string | null): Result<Later, Refusal> {
  if (agent.spec.assistant === undefined) return refuse({ code: "not-found", kind: "assistant", id: agent.name });
  const down = checkAgent(step.state, { agent: agent.id, project: agent.project });
  if (down !== undefined) return refuse(down);
  if (isAssistantThere(step.state, agent))
    return refuse({
      ...{ code: "in-use", kind: "assistant", id: agent.name },
      by: agent.assistant?.run ?? `its beginning number ${agent.assistant?.number ?? 1}`,
    });
  callAssistant(step, agent, prompt);
  return done();
}

type Chosen = { readonly number: number; readonly runner: string | null; readonly what: string };

/** Its machine has said who can be it: it is submitted like any run in an agent, or there is a reason why not. */
export function settleAssistant(step: Step, agent: Agent, { number, runner, what }: Chosen): void {
  const { spec, assistant } = agent;
  if (assistant?.state !== "called" || assistant.number !== number) return;
  const base = { v: 1, agent: agent.id, number } as const;
  const fail = (because: string): void => step.emit({ type: "assistant.failed", ...base, because });
  if (runner === null || spec.assistant === undefined) return fail(what);
  if (!step.state.profiles.has(spec.assistant.profile)) return fail(`there is no profile ${spec.assistant.profile}`);
  const submitted = submitRun(step, toRun(agent, assistant, spec.assistant, runner));
  if (!submitted.ok) return fail(toWords(submitted.refusal));
  const told = submitted.value();
  assert(told.of === "id", "a run that is submitted has an id");
  step.emit({ type: "assistant.begun", ...base, run: told.id });
}

const titleCharsMax = 200;

function toRun(agent: Agent, { number, prompt }: Assistance, said: AssistantSpec, runner: string): SubmitRun {
  const [line = ""] = prompt.trim().split("\n");
  // It becomes the subject of a commit, which people read in terminals.
  const first = line.replaceAll(/\p{Cc}/gu, " ");
  const title = first.length > titleCharsMax ? `${first.slice(0, titleCharsMax - 1)}…` : first;
  return {
    ...{ type: "run.submit", project: agent.project, title, description: title === prompt.trim() ? "" : prompt },
    ...{ acceptance: null, runner, profile: said.profile, node: agent.node, priority: 0, tags: [], plan: [] },
    ...{ dependsOn: [], script: null, parent: null, sub: false, agent: agent.id },
    // The daemon may have died between the two: the same beginning is one run.
    key: `assistant:${agent.id}@${number}`,
    permissions: said.permissions ?? null,
  };
}

function toWords(refusal: Refusal): string {
  if (refusal.code === "policy-denied") return `the policy ${refusal.policy} does not allow ${refusal.what}`;
  if (refusal.code === "agent-down") return `its agent is ${refusal.state}`;
  return refusal.code === "not-found" ? `there is no ${refusal.kind} ${refusal.id}` : refusal.code;
}
