// What people and models do with tasks: make, change, attach, cancel, remove. What binds a run is not for a model to lift.

import { mustGet, unreachable } from "../../base/assert.ts";
import { canonical } from "../../base/canonical.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import { isModel } from "./task-evolve.ts";
import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { isBecomingMainline, moveRun } from "../run/run-flow.ts";
import { isOver } from "../run/run-states.ts";
import { runOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import { type BadScope, type OutsideScope, parseScope } from "./scope.ts";
import type { Attachment, Task, TaskWords } from "./task-state.ts";

export type ChangedWords = { readonly [Word in keyof TaskWords]?: TaskWords[Word] | undefined };

type AddTask = TaskWords & {
  readonly type: "task.add";
  readonly project: string;
  readonly attachments: readonly Attachment[];
  readonly key: string | null;
};

export type TaskInput =
  | AddTask
  /** What is left out stays as it is. */
  | { readonly type: "task.change"; readonly task: string; readonly words: ChangedWords }
  | { readonly type: "task.attach"; readonly task: string; readonly attachment: Attachment }
  | { readonly type: "task.detach"; readonly task: string; readonly name: string }
  | { readonly type: "task.cancel"; readonly task: string }
  | { readonly type: "task.remove"; readonly task: string };

export type TaskRefusal =
  | OutsideScope
  | BadScope
  | { readonly code: "task-cancelled"; readonly task: string }
  | { readonly code: "attachments-full"; readonly task: string; readonly most: number }
  | { readonly code: "forbidden"; readonly what: string };

/** How much comes along with one task. */
export const attachmentsMax = 32;

export function taskInput(step: Step, input: TaskInput): Result<Later, Refusal> {
  if (input.type === "task.add") return addTask(step, input);
  const task = step.state.tasks.get(input.task);
  if (task === undefined) return refuse({ code: "not-found", kind: "task", id: input.task });
  if (input.type === "task.cancel" && mayCancel(step.actor, task)) return cancelTask(step, task);
  if (input.type === "task.cancel" || !mayChange(step.actor, task))
    return refuse({ code: "forbidden", what: "a change of what a person wants, or of what binds a run" });
  switch (input.type) {
    case "task.change":
      return changeTask(step, task, input.words);
    case "task.attach":
      return attach(step, task, input.attachment);
    case "task.detach":
      if (!task.attachments.some(({ name }) => name === input.name))
        return refuse({ code: "not-found", kind: "attachment", id: input.name });
      step.emit({ type: "task.detached", v: 1, task: task.id, name: input.name });
      return done();
    case "task.remove": {
      const [run] = task.runs;
      if (run !== undefined) return refuse({ code: "in-use", kind: "task", id: task.id, by: run });
      step.emit({ type: "task.removed", v: 1, task: task.id });
      return done();
    }
    default:
      return unreachable(input);
  }
}

/** A model has no say in what a person wants, nor in what a run is held to already (TK10). */
function mayChange(actor: string, task: Task): boolean {
  return !isModel(actor) || (!task.isPersons && task.runs.length === 0);
}

/** Runs of a person's task a model may stop; that nobody runs it any more is not for a model to say. */
function mayCancel(actor: string, task: Task): boolean {
  return !isModel(actor) || !task.isPersons;
}

function addTask(step: Step, input: AddTask): Result<Later, Refusal> {
  const { project, title, description, acceptance, key } = input;
  const found = step.state.projects.get(project);
  if (found === undefined || found.removed) return refuse({ code: "not-found", kind: "project", id: project });
  const scope = readScope(step.state, project, input.scope);
  if (!scope.ok) return scope;
  const attachments = [...new Map(input.attachments.map((each) => [each.name, each])).values()];
  const words = { title, description, acceptance, scope: scope.value };
  const known = key === null ? undefined : taskByKey(step.state, project, key);
  if (known !== undefined) {
    const isSame = canonical(known.asked) === canonical({ ...words, key, attachments });
    return isSame ? ok(() => ({ of: "id", id: known.id })) : refuse({ code: "key-reused", key: key ?? "" });
  }
  const task = step.nextId("t");
  if (attachments.length > attachmentsMax) return refuse({ code: "attachments-full", task, most: attachmentsMax });
  step.emit({
    ...{ type: "task.added", v: 1, task, project, title, description, acceptance, kept: true },
    ...(scope.value === null ? {} : { scope: scope.value }),
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(key === null ? {} : { key }),
  });
  return ok(() => ({ of: "id", id: task }));
}

function changeTask(step: Step, task: Task, words: ChangedWords): Result<Later, Refusal> {
  const { title = task.title, description = task.description, acceptance = task.acceptance } = words;
  const scope = words.scope === undefined ? ok(task.scope) : readScope(step.state, task.project, words.scope);
  if (!scope.ok) return scope;
  const now = { title, description, acceptance, scope: scope.value };
  const before = { title: task.title, description: task.description, acceptance: task.acceptance, scope: task.scope };
  if (canonical(now) !== canonical(before)) step.emit({ type: "task.changed", v: 1, task: task.id, ...now });
  return done();
}

function attach(step: Step, task: Task, attachment: Attachment): Result<Later, Refusal> {
  const known = task.attachments.find(({ name }) => name === attachment.name);
  if (known === undefined && task.attachments.length >= attachmentsMax)
    return refuse({ code: "attachments-full", task: task.id, most: attachmentsMax });
  if (canonical(known ?? null) !== canonical(attachment))
    step.emit({ type: "task.attached", v: 1, task: task.id, attachment });
  return done();
}

function cancelTask(step: Step, task: Task): Result<Later, Refusal> {
  if (!task.cancelled) step.emit({ type: "task.cancelled", v: 1, task: task.id });
  for (const run of task.runs.map((each) => runOf(step.state, each))) {
    if (!isOver(run.state) && !isBecomingMainline(run)) moveRun(step, run, "terminated", "its task was cancelled");
  }
  return done();
}

/** A scope as it is kept: without a path it is none. */
export function readScope(
  { table }: State,
  project: string,
  paths: readonly string[] | null | undefined,
): Result<readonly string[] | null, BadScope> {
  if (paths === null || paths === undefined || paths.length === 0) return ok(null);
  return parseScope(paths, mustGet(table.projects, project, "project").rule);
}

function taskByKey({ tasks }: State, project: string, key: string): Task | undefined {
  for (const task of tasks.values()) if (task.project === project && task.asked?.key === key) return task;
  return undefined;
}
