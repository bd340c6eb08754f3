// The facts of tasks.

import type { Attachment, TaskWords } from "./task-state.ts";

export type TaskAdded = Omit<TaskWords, "scope"> & {
  readonly type: "task.added";
  readonly v: 1;
  readonly task: string;
  readonly project: string;
  /** Left out: the whole project. */
  readonly scope?: readonly string[];
  readonly attachments?: readonly Attachment[];
  /** Set where it was made as a thing of its own. Left out: a run brought it along. */
  readonly kept?: true;
  readonly key?: string;
};

export type TaskChanged = TaskWords & { readonly type: "task.changed"; readonly v: 1; readonly task: string };

/** Something comes along with a task, in the place of what had its name. */
export type TaskAttached = {
  readonly type: "task.attached";
  readonly v: 1;
  readonly task: string;
  readonly attachment: Attachment;
};

export type TaskDetached = {
  readonly type: "task.detached";
  readonly v: 1;
  readonly task: string;
  readonly name: string;
};

export type TaskCancelled = { readonly type: "task.cancelled"; readonly v: 1; readonly task: string };
export type TaskRemoved = { readonly type: "task.removed"; readonly v: 1; readonly task: string };

export type TaskEvent = TaskAdded | TaskChanged | TaskAttached | TaskDetached | TaskCancelled | TaskRemoved;
