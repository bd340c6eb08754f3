import { z } from "zod";
import { at, nothing, projectRef, runId } from "../fields.ts";
import { operation } from "../operation.ts";
import { inboxItemSchema, inboxKinds } from "../wire/inbox.ts";

/** An agent, a service and what is the matter with it. */
const itemCharsMax = 300;

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
        "Lists what needs a person, escalated ones first: questions, permissions, reviews, failures nobody has seen, stuck runs, runs that wait for their model, spent budgets, branches without what landed, agents that need somebody, closed units; each with its age and the command for it. Questions you may answer (run_answer); permissions, reviews and taking off news are for people.",
    },
  }),
  "inbox.see": operation({
    summary: "Takes something off the inbox that nobody has to act on, or puts it back.",
    effect: "write",
    input: z.strictObject({
      item: z.string().min(1).max(itemCharsMax).describe("The id of an item of the inbox that says canBeSeen."),
      undo: z.boolean().optional().describe("Puts it back."),
    }),
    output: nothing,
    http: { method: "POST", path: "/api/v1/inbox/see" },
    // Whom a failure is hidden from is not for a model to say (RN43).
    mcp: null,
  }),
  "run.see": operation({
    summary: "Takes a run off the inbox that failed, is stuck, waits for its model, or has something set aside.",
    effect: "write",
    input: z.strictObject({ run: runId }),
    output: nothing,
    http: { method: "POST", path: "/api/v1/runs/{run}/see" },
    mcp: null,
  }),
};
