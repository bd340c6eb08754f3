// Taking in a run: everything that can be wrong with it is found here, before anything is recorded.

import { ok, refuse, type Result } from "../../base/result.ts";
import type { Later } from "../later.ts";
import type { Refusal, SubmitRun } from "../inputs.ts";
import { parseUnit } from "../lease/unit.ts";
import { applicable, builtIn, checkPath, checkRunner, ruleFor } from "../policy/policy.ts";
import { ruleOf } from "../project/project.ts";
import type { Step } from "../step.ts";
import { isOver } from "./run-states.ts";

export function submitRun(step: Step, input: SubmitRun): Result<Later, Refusal> {
  const { state } = step;
  const project = state.projects.get(input.project);
  if (project === undefined || project.removed) return refuse({ code: "not-found", kind: "project", id: input.project });
  const known = input.key === null ? undefined : state.runKeys.get(`${input.project} ${input.key}`);
  if (known !== undefined) return repeat(step, known, input);
  const parent = input.parent === null ? undefined : state.runs.get(input.parent);
  if (input.parent !== null && parent === undefined) return refuse({ code: "not-found", kind: "run", id: input.parent });
  if (input.sub && parent !== undefined && isOver(parent.state)) {
    return refuse({ code: "wrong-state", run: parent.id, state: parent.state, wanted: "at work" });
  }
  for (const id of input.dependsOn) if (!state.runs.has(id)) return refuse({ code: "not-found", kind: "run", id });
  const policies = applicable(state.policies, input);
  const denied = checkRunner(policies, input.runner);
  if (denied !== undefined) return refuse(denied);
  for (const text of input.plan) {
    const unit = parseUnit(text, ruleOf(project), "");
    if (!unit.ok) return unit;
    const outside = unit.value.kind === "process" ? undefined : checkPath(policies, unit.value.text.replace(/^\w+:/, ""));
    if (outside !== undefined) return refuse(outside);
  }
  const task = step.nextId("t");
  const { title, description, acceptance } = input;
  step.emit({ type: "task.added", v: 1, task, project: input.project, title, description, acceptance });
  return ok(addRun(step, { ...input, task, retryOf: null, policy: ruleFor(policies, "allowedRunners")?.policy ?? builtIn }));
}

type NewRun = Omit<SubmitRun, "type" | "description" | "acceptance"> & {
  readonly task: string;
  readonly retryOf: string | null;
  readonly policy: string;
};

/** Records a run of a task. */
export function addRun(step: Step, input: NewRun): Later {
  const run = step.nextId("r");
  const { task, project, title, runner, profile, node, priority, tags, plan, dependsOn, script } = input;
  const { parent, sub, retryOf, key, policy } = input;
  step.emit({
    type: "run.submitted",
    v: 1,
    run,
    task,
    project,
    title,
    runner,
    profile,
    node,
    priority,
    tags,
    plan,
    dependsOn,
    script,
    parent,
    sub,
    retryOf,
    key,
    policy,
  });
  return () => ({ of: "id", id: run });
}

function repeat(step: Step, known: string, input: SubmitRun): Result<Later, Refusal> {
  const run = step.state.runs.get(known);
  const same = run !== undefined && run.title === input.title && run.runner === input.runner && run.script === input.script;
  return same ? ok(() => ({ of: "id", id: known })) : refuse({ code: "key-reused", key: input.key ?? "" });
}
