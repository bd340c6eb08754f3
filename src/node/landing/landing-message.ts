import type { Run } from "../../core/run/run-state.ts";
import type { State } from "../../core/state.ts";
import { defaultMessage, fillMessage } from "../../protocol/message-template.ts";

/** What a landing's commit says: by its project's template, or else the task and where it came from (LD49). */
export function landingMessage(run: Run, state: State): string {
  const project = state.projects.get(run.project);
  return fillMessage(project?.landingMessage ?? defaultMessage, {
    title: run.title,
    description: state.tasks.get(run.task)?.description ?? "",
    run: run.id,
    task: run.task,
    runner: run.runner,
    approver: run.approvedBy?.replace(/^person:/, "") ?? "",
    project: project?.name ?? "",
  });
}
