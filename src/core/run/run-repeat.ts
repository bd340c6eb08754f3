// A submission with a key that is known: the same one again, or another one that must not be taken for it (RN2).

import { mustGet } from "../../base/assert.ts";
import { canonical, compareText } from "../../base/canonical.ts";
import type { SubmitRun } from "../inputs.ts";
import type { State } from "../state.ts";
import { parseScope } from "../task/scope.ts";
import type { Task } from "../task/task-state.ts";
import type { Run } from "./run-state.ts";

/** The run that a key stands for. */
export function runByKey(state: State, project: string, key: string | null): Run | undefined {
  return key === null ? undefined : state.runs.get(state.runKeys.get(`${project} ${key}`) ?? "");
}

/** What a submission says otherwise than the one whose key it has, by the names that its fields have for callers. */
export function differsFrom(state: State, run: Run, input: SubmitRun): string[] {
  const task = state.tasks.get(run.task);
  const wanted = input.task ?? null;
  const pairs: Readonly<Record<string, readonly [unknown, unknown]>> = {
    task: [task?.kept === true || wanted !== null ? run.task : null, wanted],
    title: [run.title, input.title],
    ...(wanted === null && task?.changed === false ? wordsOf(state, task, input) : {}),
    runner: [isOfTeam(run, input.runner) ? input.runner : run.runner, input.runner],
    profile: [run.profile, input.profile],
    // Where a sub-run or a run in an agent works was not for its submission to say, and the agent may be gone by now.
    node: [run.sub || run.agent !== null ? input.node : run.node, input.node],
    priority: [run.priority, input.priority],
    tags: [sorted(run.tags), sorted(input.tags)],
    plan: [sorted(run.plan), sorted(input.plan)],
    dependsOn: [sorted(run.dependsOn), sorted(input.dependsOn)],
    script: [run.script, input.script],
    command: [run.command, input.command ?? null],
    parent: [run.parent, input.parent],
    sub: [run.sub, input.sub],
    noCage: [!run.caged, input.noCage === true],
    egress: [run.egress, input.egress ?? null],
    image: [run.image, input.image ?? null],
    // Where policies put it was not for its submission to say either.
    agent: [run.reuse === null ? run.agent : null, input.agent ?? null],
  };
  return Object.keys(pairs).filter((field) => canonical(pairs[field]?.[0]) !== canonical(pairs[field]?.[1]));
}

/** What a task says that came along with its run, for as long as nobody has changed it. */
function wordsOf(
  state: State,
  { description, acceptance, scope, project }: Task,
  input: SubmitRun,
): Readonly<Record<string, readonly [unknown, unknown]>> {
  const asked = parseScope(input.scope ?? [], mustGet(state.table.projects, project, "project").rule);
  const paths = asked.ok && asked.value.length > 0 ? asked.value : null;
  return {
    description: [description, input.description],
    acceptance: [acceptance, input.acceptance],
    scope: [scope, paths],
  };
}

/** Where another assistant has taken over, whoever was asked for is one of the run's profile. */
function isOfTeam({ handed, settings }: Run, runner: string): boolean {
  return handed !== null && (settings?.runner === runner || settings?.fallbacks?.includes(runner) === true);
}

/** These are sets: their order says nothing. */
function sorted(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted(compareText);
}
