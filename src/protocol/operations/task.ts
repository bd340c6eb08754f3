import { z } from "zod";
import { limit, nothing, ownKey, projectRef, taskId } from "../fields.ts";
import { operation } from "../operation.ts";
import { attachmentName, attachSchema, changedTaskSchema, newTaskSchema, taskSchema } from "../wire/task.ts";

const one = z.strictObject({ task: taskId });
const named = z.strictObject({ task: taskId, name: attachmentName });

export const taskOperations = {
  "task.add": operation({
    summary: "Makes a task, to be run once or often.",
    effect: "write",
    input: z.strictObject({ project: projectRef, ...newTaskSchema, key: ownKey.nullable().default(null) }),
    output: z.object({ task: z.string() }),
    http: { method: "POST", path: "/api/v1/tasks" },
    mcp: {
      tool: "task_add",
      description:
        "Makes a task without running it: what is wanted, a command that accepts the result, the paths that its runs may change (scope), and notes, links or files that come along. Give a `key` so that a repeated call makes one. Next: run_submit with the answered `task`.",
    },
  }),
  "task.change": operation({
    summary: "Changes what a task says. What is left out stays.",
    effect: "write",
    input: one.extend(changedTaskSchema),
    output: nothing,
    http: { method: "PATCH", path: "/api/v1/tasks/{task}" },
    mcp: {
      tool: "task_change",
      description:
        "Changes title, description, acceptance or scope of a task that a model made and that has no run yet; what a person wants, and what runs are held to, only people change.",
    },
  }),
  "task.attach": operation({
    summary: "Lets a note, a link or a file come along with a task, in the place of what has its name.",
    effect: "write",
    input: z.strictObject({ task: taskId, attachment: attachSchema }),
    output: nothing,
    http: { method: "POST", path: "/api/v1/tasks/{task}/attachments" },
    mcp: {
      tool: "task_attach",
      description:
        "Adds a note, a link or a file (as base64) to a task that a model made and that has no run yet. Its runs are told notes and links, and read files as artifacts.",
    },
  }),
  "task.detach": operation({
    summary: "Takes something away from what comes along with a task.",
    effect: "write",
    input: named,
    output: nothing,
    http: { method: "DELETE", path: "/api/v1/tasks/{task}/attachments/{name}" },
    mcp: {
      tool: "task_detach",
      description: "Takes an attachment away from a task that a model made and that has no run yet.",
    },
  }),
  "task.attachment": operation({
    summary: "Reads what comes along with a task.",
    effect: "read",
    input: named,
    output: z.object({ base64: z.string(), bytes: z.number() }),
    http: { method: "GET", path: "/api/v1/tasks/{task}/attachments/{name}" },
    mcp: { tool: "task_attachment", description: "Reads one attachment of a task, as base64. task_get names them." },
  }),
  "task.list": operation({
    summary: "Lists tasks, the newest first.",
    effect: "read",
    input: z.strictObject({
      project: projectRef.optional(),
      kept: z.boolean().optional().describe("True: only those that were made as things of their own."),
      limit,
      after: taskId.optional(),
    }),
    output: z.object({ tasks: z.array(taskSchema), next: z.string().nullable(), total: z.number() }),
    http: { method: "GET", path: "/api/v1/tasks" },
    mcp: {
      tool: "task_list",
      description: "Lists what was wanted, newest first, with the runs of each task. Next: task_get or run_get.",
    },
  }),
  "task.get": operation({
    summary: "Shows a task.",
    effect: "read",
    input: one,
    output: z.object({ task: taskSchema }),
    http: { method: "GET", path: "/api/v1/tasks/{task}" },
    mcp: {
      tool: "task_get",
      description:
        "Shows one task: what was wanted, within which paths, what comes along, how it is accepted, its runs.",
    },
  }),
  "task.cancel": operation({
    summary: "Cancels a task and ends its runs.",
    effect: "write",
    input: one,
    output: nothing,
    http: { method: "POST", path: "/api/v1/tasks/{task}/cancel" },
    mcp: {
      tool: "task_cancel",
      description:
        "Cancels a task that a model made: all its runs end as terminated. To end a single run, of whatever task, use run_stop.",
    },
  }),
  "task.remove": operation({
    summary: "Removes a task that has no run.",
    effect: "write",
    input: one,
    output: nothing,
    http: { method: "DELETE", path: "/api/v1/tasks/{task}" },
    mcp: {
      tool: "task_remove",
      description: "Removes a task that a model made and that has no run. Use task_cancel for one that has.",
    },
  }),
};
