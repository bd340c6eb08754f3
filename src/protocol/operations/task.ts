import { z } from "zod";
import { limit, nothing, projectRef, taskId } from "../fields.ts";
import { operation } from "../operation.ts";
import { taskSchema } from "../wire/run.ts";

const one = z.strictObject({ task: taskId });

export const taskOperations = {
  "task.list": operation({
    summary: "Lists tasks, the newest first.",
    effect: "read",
    input: z.strictObject({ project: projectRef.optional(), limit, after: taskId.optional() }),
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
    mcp: { tool: "task_get", description: "Shows one task: what was wanted, how it is accepted, and its runs." },
  }),
  "task.cancel": operation({
    summary: "Cancels a task and ends its runs.",
    effect: "write",
    input: one,
    output: nothing,
    http: { method: "POST", path: "/api/v1/tasks/{task}/cancel" },
    mcp: {
      tool: "task_cancel",
      description: "Cancels a task: all its runs end as terminated. To end a single run use run_stop.",
    },
  }),
};
