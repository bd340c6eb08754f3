import { z } from "zod";
import { projectRef } from "../fields.ts";
import { operation } from "../operation.ts";
import { collectedSchema, diskSchema } from "../wire/disk.ts";

export const diskOperations = {
  disk: operation({
    summary: "Shows what takes the disk: repositories, layers, trash, workspaces and images.",
    effect: "read",
    input: z.strictObject({}),
    output: diskSchema,
    http: { method: "GET", path: "/api/v1/disk" },
    mcp: {
      tool: "disk",
      description:
        "Shows free space and what takes it: per project its repository, layers and trash, per workspace its changes and scratch with its quota, and images. Use it when the disk is low or a quota was passed. Next: run_remove for runs that are over; purging and collecting are for people.",
    },
  }),
  gc: operation({
    summary: "Lets go of bytes that nothing refers to any more: of what was purged, and of runs that were removed.",
    effect: "write",
    input: z.strictObject({
      project: projectRef.optional(),
      dryRun: z.boolean().default(false).describe("Only says what would go."),
    }),
    output: z.object({
      collected: z.array(collectedSchema),
      blobs: z
        .object({ objects: z.number(), bytes: z.number() })
        .nullable()
        .describe("Scripts and attachments that no run and no task names; null where only one project was asked for."),
    }),
    http: { method: "POST", path: "/api/v1/gc" },
    mcp: null,
  }),
};
