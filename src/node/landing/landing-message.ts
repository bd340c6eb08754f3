import type { Run } from "../../core/run/run-state.ts";
import type { State } from "../../core/state.ts";

/** What a landing's commit says: the task, and where it came from, in trailers that programs read. */
export function landingMessage(run: Run, state: State): string {
  const task = state.tasks.get(run.task);
  const body = task === undefined || task.description === "" ? "" : `${task.description.trimEnd()}\n\n`;
  const trailers = [
    `Signalbox-Run: ${run.id}`,
    `Signalbox-Task: ${run.task}`,
    `Signalbox-Runner: ${run.runner}`,
    ...(run.approvedBy === null ? [] : [`Approved-by: ${run.approvedBy.replace(/^person:/, "")}`]),
  ];
  return `${run.title.replaceAll(/\s+/g, " ").trim()}\n\n${body}${trailers.join("\n")}\n`;
}
