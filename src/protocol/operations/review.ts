import { z } from "zod";
import { at, nothing, projectRef, runId, trashId, waitMs } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { changeSchema, landingSchema, oversizedSchema, trashItemSchema } from "../wire/change.ts";
import { droppedSchema } from "../wire/project.ts";

const ids = z.array(trashId).min(1).max(limits.pageMax);

export const reviewOperations = {
  "run.diff": operation({
    summary: "Shows what a run has changed, against the bases it began from.",
    effect: "read",
    input: z.strictObject({
      run: runId,
      step: z.int().min(0).optional().describe("Only what this call did, by its number in run.log."),
    }),
    output: z.object({
      changes: z.array(changeSchema),
      base: z.string().nullable().describe("The commit of mainline that its workspace stands at."),
      of: z
        .enum(["workspace", "landed", "trash", "step"])
        .describe("Where they are: in its workspace, on mainline, in the trash, or in what one call did."),
      stale: z
        .array(z.string())
        .describe(
          "Files that it read before somebody else changed them, as mainline has it now. For whoever judges it.",
        ),
      oversized: z
        .array(oversizedSchema)
        .describe("Files in its workspace that are too large to land: scratch, which goes with the run."),
      seen: z.string().describe("Names exactly these changes. Given to run.approve, nothing else is approved by it."),
    }),
    http: { method: "GET", path: "/api/v1/runs/{run}/diff" },
    mcp: {
      tool: "run_diff",
      description:
        "Shows the changes of a run as unified diffs with numbered hunks, or with `step` only those of one call. For a run that has ended it shows what landed or was set aside. Approving is for people.",
    },
  }),
  "run.output": operation({
    summary:
      "Reads what a command of a run said, as far as it is kept; of one that is under way, what it has said so far.",
    effect: "read",
    input: z.strictObject({
      run: runId,
      step: z
        .int()
        .min(0)
        .optional()
        .describe("The call that ran it, by its number in run.log. Left out: its acceptance command, the last time."),
      offset: z
        .int()
        .min(-Number.MAX_SAFE_INTEGER)
        .max(Number.MAX_SAFE_INTEGER)
        .default(0)
        .describe("Where to begin, in bytes; negative counts from the end."),
      limit: z.int().min(1).max(limits.outputBytesMax).default(65_536).describe("How many bytes at most."),
      waitMs: waitMs
        .default(0)
        .describe("While the command is under way: wait this long for it to say something at the offset."),
    }),
    output: z.object({
      base64: z.string(),
      offset: z.number().describe("Where these bytes begin."),
      size: z.number().describe("Of all that is kept."),
      live: z.boolean().describe("Whether the command is under way, so that there may be more."),
    }),
    http: { method: "GET", path: "/api/v1/runs/{run}/output" },
    mcp: {
      tool: "run_output",
      description:
        "Reads the output of one command of a run, in base64, also while it is under way (`live`): `step` is the number of its call in run_log; without it, the acceptance command. Use a negative `offset` for the end. Next: run_diff with the same step for what the command changed.",
    },
  }),
  "landing.list": operation({
    summary: "Lists what is landing or waits to land, the next one first.",
    effect: "read",
    input: z.strictObject({ project: projectRef.optional(), at }),
    output: z.object({ landings: z.array(landingSchema) }),
    http: { method: "GET", path: "/api/v1/landings" },
    mcp: {
      tool: "landing_list",
      description: "Lists approved changes on their way to mainline, in the order in which they land.",
    },
  }),
  "trash.list": operation({
    summary:
      "Lists what was set aside: changes that left a workspace without landing, and landings that a person dropped.",
    effect: "read",
    input: z.strictObject({ project: projectRef.optional(), run: runId.optional(), at }),
    output: z.object({
      items: z.array(trashItemSchema),
      dropped: z
        .array(droppedSchema.extend({ project: z.string(), projectName: z.string() }))
        .optional()
        .describe(
          "What had landed before a person took it off their branch; left out where there is nothing, and where one run or a moment of the past is asked for.",
        ),
    }),
    http: { method: "GET", path: "/api/v1/trash" },
    mcp: {
      tool: "trash_list",
      description:
        "Lists changes that were set aside: of runs that ended badly, commands that touched what others hold, conflicts; and landings taken off their branch, with the command for each. Next: trash_get.",
    },
  }),
  "trash.get": operation({
    summary: "Gives back the content of something that was set aside.",
    effect: "read",
    input: z.strictObject({ id: trashId }),
    output: z.object({ item: trashItemSchema, base64: z.string().nullable().describe("Null for a deletion.") }),
    http: { method: "GET", path: "/api/v1/trash/{id}" },
    mcp: { tool: "trash_get", description: "Reads one item of the trash: its path and its bytes in base64." },
  }),
  "trash.purge": operation({
    summary: "Forgets things that were set aside. They cannot be had back.",
    effect: "write",
    input: z.strictObject({ ids }),
    output: nothing,
    http: { method: "POST", path: "/api/v1/trash/purge" },
    mcp: null,
  }),
};
