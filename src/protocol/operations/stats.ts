import { z } from "zod";
import { projectRef } from "../fields.ts";
import { operation } from "../operation.ts";
import { statsBys, statsSchema } from "../wire/stats.ts";

export const statsOperations = {
  stats: operation({
    summary: "Says how runs went: how many in which state, how many ended well, how long they took, what they cost.",
    effect: "read",
    input: z.strictObject({
      project: projectRef.optional(),
      by: z.enum(statsBys).default("runner").describe("What to tell apart."),
      lastMs: z
        .int()
        .min(1000)
        .max(Number.MAX_SAFE_INTEGER)
        .optional()
        .describe("Only of the last so many milliseconds."),
    }),
    output: statsSchema,
    http: { method: "GET", path: "/api/v1/stats" },
    mcp: {
      tool: "stats",
      description:
        "Shows how runs went, told apart by runner, profile, model, tool, error or day: states, success rate, durations in milliseconds, cost in micro-dollars. Use it to choose a runner or a profile, or to see what fails most. Next: run_list with the state failed, or cost.",
    },
  }),
};
