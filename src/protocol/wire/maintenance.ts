import { z } from "zod";

export const maintenanceJobs = [
  "recordings",
  "run-outputs",
  "garbage",
  "images",
  "leftovers",
  "output",
  "log",
] as const;

export const maintenanceSchema = z.object({
  atMs: z.number().describe("Time of day, in milliseconds since 1970."),
  tookMs: z.number(),
  dryRun: z.boolean().describe("Whether it was only looked at."),
  bytes: z.number().describe("What was let go of in all."),
  jobs: z.array(
    z.object({
      job: z
        .enum(maintenanceJobs)
        .describe(
          "recordings: kept no longer. run-outputs: what runs have said, kept no longer. garbage: nothing refers to it. images: long unused. leftovers: old temporary files. output: the daemon's own words. log: its journal.",
        ),
      count: z.number(),
      bytes: z.number(),
      failed: z.string().nullable().describe("Why it could not be done."),
    }),
  ),
});
export type MaintenanceRound = z.output<typeof maintenanceSchema>;
