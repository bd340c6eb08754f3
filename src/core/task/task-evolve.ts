// Turns task events into the next state of tasks.

import { mustGet, unreachable } from "../../base/assert.ts";
import type { State } from "../state.ts";
import type { TaskAdded, TaskEvent } from "./task-events.ts";
import type { Task } from "./task-state.ts";

export function evolveTasks(state: State, event: TaskEvent, atMs: number, actor: string): void {
  if (event.type === "task.added") return void state.tasks.set(event.task, toTask(event, atMs, actor));
  const task = mustGet(state.tasks, event.task, "task");
  const isPersons = task.isPersons || !isModel(actor);
  const set = (news: Partial<Task>): void => void state.tasks.set(task.id, { ...task, isPersons, ...news });
  switch (event.type) {
    case "task.changed": {
      const { title, description, acceptance, scope } = event;
      return set({ title, description, acceptance, scope, changed: true });
    }
    case "task.attached":
      return set({ attachments: [...without(task, event.attachment.name), event.attachment] });
    case "task.detached":
      return set({ attachments: without(task, event.name) });
    case "task.cancelled":
      return set({ cancelled: true });
    case "task.removed":
      state.tasks.delete(task.id);
      return;
    default:
      return unreachable(event);
  }
}

function toTask(event: TaskAdded, atMs: number, by: string): Task {
  const { task: id, project, title, description, acceptance, scope = null, attachments = [], key } = event;
  const words = { title, description, acceptance, scope };
  return {
    ...{ id, project, ...words, attachments, by, isPersons: !isModel(by), kept: event.kept === true },
    asked: key === undefined ? null : { ...words, key, attachments },
    ...{ changed: false, cancelled: false, runs: [], atMs },
  };
}

/** Whether an actor is an assistant, or somebody who acts for one. */
export function isModel(actor: string): boolean {
  return actor.startsWith("agent:");
}

function without({ attachments }: Task, name: string): Task["attachments"] {
  return attachments.filter((attachment) => attachment.name !== name);
}
