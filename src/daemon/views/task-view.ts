// Tasks as they are shown.

import type { State } from "../../core/state.ts";
import type { Attachment, Task as CoreTask } from "../../core/task/task-state.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { Task } from "../../protocol/wire/task.ts";

/** The task of an id. Throws `not-found`. */
export function findTask(state: State, id: string): CoreTask {
  const task = state.tasks.get(id);
  if (task === undefined) throw protocolError("not-found", { kind: "task", id });
  return task;
}

export function toTask(state: State, task: CoreTask): Task {
  const { id, project, title, description, acceptance, scope, attachments, by, kept, cancelled, runs, atMs } = task;
  return {
    ...{ id, project, projectName: state.projects.get(project)?.name ?? project, title, description },
    acceptance: acceptance === null ? null : [...acceptance],
    scope: [...(scope ?? [])],
    attachments: attachments.map(toAttachment),
    ...{ by, kept, cancelled, runs: [...runs], atMs },
  };
}

function toAttachment(attachment: Attachment): Task["attachments"][number] {
  const { kind, name } = attachment;
  if (kind === "file") return { kind, name, text: null, bytes: attachment.bytes };
  return { kind, name, text: kind === "note" ? attachment.text : attachment.url, bytes: null };
}
