// Taking in a run: everything that can be wrong with it is found here, before anything is recorded.

import { ok, refuse, type Result } from "../../base/result.ts";
import { findReused } from "../agent/reuse.ts";
import { checkAgent } from "../agent/tenancy.ts";
import { mustGet } from "../../base/assert.ts";
import type { Later } from "../later.ts";
import type { Refusal, SubmitRun } from "../inputs.ts";
import { isMore, mostAllowed } from "../egress/egress.ts";
import { parseUnit } from "../lease/unit.ts";
import {
  applicable,
  builtIn,
  checkPath,
  checkRunner,
  defaultRules,
  deny,
  type PolicySubject,
  ruleFor,
} from "../policy/policy.ts";
import { narrowed } from "../profile/profile.ts";
import { ruleOf, type Project } from "../project/project.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import { exceeds, outsideOf, scopeFor } from "../task/scope.ts";
import { readScope } from "../task/task-decide.ts";
import type { TaskWords } from "../task/task-state.ts";
import type { RunSubmitted } from "./run-events.ts";
import { differsFrom, runByKey } from "./run-repeat.ts";
import type { Run } from "./run-state.ts";
import { isDriven } from "./run-states.ts";

export function submitRun(step: Step, input: SubmitRun): Result<Later, Refusal> {
  const { state } = step;
  const project = state.projects.get(input.project);
  if (project === undefined || project.removed)
    return refuse({ code: "not-found", kind: "project", id: input.project });
  const known = runByKey(state, input.project, input.key);
  if (known !== undefined) return repeat(state, known, input);
  if (input.parent !== null && !state.runs.has(input.parent))
    return refuse({ code: "not-found", kind: "run", id: input.parent });
  const missing = input.sub ? findNoParent(state, input) : undefined;
  if (missing !== undefined) return refuse(missing);
  for (const id of input.dependsOn) if (!state.runs.has(id)) return refuse({ code: "not-found", kind: "run", id });
  const agent = input.agent ?? null;
  const unfitAgent = agent === null ? undefined : checkAgent(state, { ...input, agent });
  if (unfitAgent !== undefined) return refuse(unfitAgent);
  const node = nodeFor(state, input);
  const allowed = allowRunner(state, { ...input, node });
  if (!allowed.ok) return allowed;
  const tooMany = checkTree(state, { ...input, node });
  if (tooMany !== undefined) return refuse(tooMany);
  const words = wordsFor(state, input);
  if (!words.ok) return words;
  const tooMuch = checkEgress(state, { ...input, node });
  if (tooMuch !== undefined) return refuse(tooMuch);
  const within = scopeFor(state, state.runs.get(input.parent ?? ""));
  const { title, scope } = words.value;
  const { rule } = mustGet(state.table.projects, project.id, "project");
  const unfit = exceeds(scope, within, rule) ?? checkPlan(state, project, { ...input, node }, [scope, within]);
  if (unfit !== undefined) return refuse(unfit);
  const task = input.task ?? addTask(step, project.id, words.value);
  return ok(addRun(step, { ...input, title, node, task, within, retryOf: null, policy: allowed.value }));
}

/** What the run is to do: as its task says, or in the words that came along. */
function wordsFor(state: State, input: SubmitRun): Result<TaskWords, Refusal> {
  const { task: id = null, project, title, description, acceptance } = input;
  const task = id === null ? undefined : state.tasks.get(id);
  if (id !== null && task?.project !== project) return refuse({ code: "not-found", kind: "task", id });
  if (task !== undefined) return task.cancelled ? refuse({ code: "task-cancelled", task: task.id }) : ok(task);
  const scope = readScope(state, project, input.scope);
  return scope.ok ? ok({ title, description, acceptance, scope: scope.value }) : scope;
}

/** A task that comes along with its run, and goes with the last one. */
function addTask(step: Step, project: string, { title, description, acceptance, scope }: TaskWords): string {
  const task = step.nextId("t");
  const bound = scope === null ? {} : { scope };
  step.emit({ type: "task.added", v: 1, task, project, title, description, acceptance, ...bound });
  return task;
}

/** A sub-run shares its parent's workspace, so it works on the same node; so does a run in an agent that is there already. */
function nodeFor({ runs, agents }: State, { sub, parent, agent, node }: SubmitRun): string {
  const other = sub ? runs.get(parent ?? "") : agents.get(agent ?? "");
  return other?.node ?? node;
}

/** The policy that allows the runner, or the one that does not. */
export function allowRunner(state: State, subject: PolicySubject): Result<string, Refusal> {
  const policies = applicable(state.policies, subject, namedBy(state, subject.profile));
  const denied = checkRunner(policies, subject.runner);
  return denied === undefined ? ok(ruleFor(policies, "allowedRunners")?.policy ?? builtIn) : refuse(denied);
}

/** Why a run may not stem from another: what begins runs that begin runs has to come to an end (SC21). */
function checkTree(state: State, run: PolicySubject & Pick<SubmitRun, "parent">): Refusal | undefined {
  const parent = state.runs.get(run.parent ?? "");
  if (parent === undefined) return undefined;
  const policies = applicable(state.policies, run, namedBy(state, run.profile));
  const most = (rule: "maxDepth" | "maxTreeRuns"): { readonly value: number; readonly policy: string } => {
    const stated = ruleFor(policies, rule);
    return { value: stated?.value ?? defaultRules[rule], policy: stated?.policy ?? builtIn };
  };
  let depth = 0;
  for (let above: Run | undefined = parent; above !== undefined; above = state.runs.get(above.parent ?? "")) depth++;
  const deepest = most("maxDepth");
  if (depth > deepest.value) return deny(deepest.policy, "maxDepth", `${depth} generations beneath the first run`);
  let kin = 0;
  for (const each of state.runs.values()) if (each.tree === parent.tree) kin++;
  const largest = most("maxTreeRuns");
  return kin < largest.value ? undefined : deny(largest.policy, "maxTreeRuns", `${kin + 1} runs that stem from one`);
}

/** Why a run may not have what it plans to hold. */
export function checkPlan(
  state: State,
  project: Project,
  run: PolicySubject & Pick<SubmitRun, "plan">,
  scopes: readonly (readonly string[] | null)[],
): Refusal | undefined {
  const policies = applicable(state.policies, run, namedBy(state, run.profile));
  const rule = ruleOf(project);
  for (const text of run.plan) {
    const unit = parseUnit(text, rule, "");
    if (!unit.ok) return unit.refusal;
    if (unit.value.kind === "process") continue;
    const path = unit.value.text.replace(/^\w+:/, "");
    const outside = checkPath(policies, path, project.foldCase) ?? outsideOf(scopes, path, rule);
    if (outside !== undefined) return outside;
  }
  return undefined;
}

/** What a run asks for itself has to be allowed; what its project grants is cut down without a word. */
export function checkEgress(state: State, run: PolicySubject & Pick<SubmitRun, "egress">): Refusal | undefined {
  const most = mostAllowed(state, run, namedBy(state, run.profile));
  const wanted = run.egress ?? "none";
  return most !== undefined && isMore(wanted, most.kind) ? deny(most.policy, "allowedEgress", wanted) : undefined;
}

/** The policy that a profile names for its runs. */
function namedBy(state: State, profile: string | null): string | undefined {
  return state.profiles.get(profile ?? "")?.settings.policy;
}

/** Why there is no run that could have this sub-run: it acts in a family, so that has to be at work in this project. */
export function findNoParent(state: State, sub: Pick<Run, "parent" | "project">): Refusal | undefined {
  const parent = state.runs.get(sub.parent ?? "");
  if (parent === undefined || parent.project !== sub.project)
    return { code: "not-found", kind: "run", id: sub.parent ?? "" };
  if (isDriven(parent.state) && parent.state !== "paused" && !parent.lost) return undefined;
  return { code: "wrong-state", run: parent.id, state: parent.state, wanted: "at work" };
}

type NewRun = Omit<SubmitRun, "type" | "description" | "acceptance" | "scope"> & {
  readonly task: string;
  readonly within: readonly string[] | null;
  readonly retryOf: string | null;
  readonly policy: string;
  readonly fork?: RunSubmitted["fork"] | undefined;
};

/** Records a run of a task. */
export function addRun(step: Step, input: NewRun): Later {
  const run = step.nextId("r");
  const reused = findReused(step.state, input);
  const { task, project, title, runner, profile, node, priority, tags, plan, dependsOn, script } = input;
  const { parent, sub, retryOf, key, policy } = input;
  // Whoever a run starts has no more than it has itself.
  const permissions = input.permissions ?? step.state.runs.get(parent ?? "")?.permissions ?? null;
  const settings = narrowed(step.state.profiles.get(profile ?? "")?.settings, permissions);
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
    ...(input.command === null || input.command === undefined ? {} : { command: input.command }),
    ...(settings === undefined ? {} : { settings }),
    ...(input.noCage === true ? { noCage: true } : {}),
    ...(input.egress === null || input.egress === undefined ? {} : { egress: input.egress }),
    ...(input.fork === undefined ? {} : { fork: input.fork }),
    ...(input.image === null || input.image === undefined ? {} : { image: input.image }),
    ...(input.agent === null || input.agent === undefined ? reused : { agent: input.agent }),
    ...(permissions === null ? {} : { permissions }),
    ...(input.within === null ? {} : { within: input.within }),
  });
  return () => ({ of: "id", id: run });
}

function repeat(state: State, known: Run, input: SubmitRun): Result<Later, Refusal> {
  const differs = differsFrom(state, known, input);
  if (differs.length === 0) return ok(() => ({ of: "id", id: known.id }));
  return refuse({ code: "key-reused", key: input.key ?? "", run: known.id, differs });
}
