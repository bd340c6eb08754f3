import { z } from "zod";
import { at, nothing, projectRef, runId } from "../fields.ts";
import { operation } from "../operation.ts";
import { inboxItemSchema, inboxKinds } from "../wire/inbox.ts";

export const inboxOperations = {
  inbox: operation({
    summary:
      "Lists what needs a person, over all runs and projects: what has waited for too long first, then the oldest.",
    effect: "read",
    input: z.strictObject({
      project: projectRef.optional(),
      kind: z.enum(inboxKinds).optional().describe("Only items of this kind."),
      at,
    }),
    output: z.object({ items: z.array(inboxItemSchema), nowMs: z.number() }),
    http: { method: "GET", path: "/api/v1/inbox" },
    mcp: {
      tool: "inbox",
      description:
        "Lists what needs a person, escalated ones first, then the oldest: questions, reviews, failures nobody has seen, stuck runs, runs that wait for their model, spent budgets, branches without what landed, agents that need somebody, closed units; each with its age and the command that answers it. A question you can answer with run_answer; a review is for people.",
    },
  }),
  "run.see": operation({
    summary: "Takes a run that failed or is stuck off the inbox.",
    effect: "write",
    input: z.strictObject({ run: runId }),
    output: nothing,
    http: { method: "POST", path: "/api/v1/runs/{run}/see" },
    mcp: null,
  }),
};
