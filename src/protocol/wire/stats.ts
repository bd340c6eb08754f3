import { z } from "zod";

/** What runs can be told apart by; `tool` counts calls instead, and `error` only runs that failed. */
export const statsBys = ["runner", "profile", "model", "tool", "error", "day"] as const;

const durationsSchema = z
  .object({ mean: z.number(), median: z.number(), p95: z.number(), max: z.number() })
  .describe("In milliseconds from start to end, waiting for people included, of those that have ended.");

export const statsRowSchema = z.object({
  name: z.string(),
  count: z.number(),
  statuses: z
    .record(z.string(), z.number())
    .describe(
      "How many are in each state, those that are done while some of what they changed is set aside as `done in part`; of calls how many are ok, failed, refused, open, or cut off with their run.",
    ),
  successRate: z.number().nullable().describe("Part of those that have ended which ended well, from 0 to 1."),
  durationMs: durationsSchema.nullable(),
  costMicros: z
    .number()
    .nullable()
    .describe("What their model requests have cost; null where that cannot be told apart."),
});
export type StatsRow = z.output<typeof statsRowSchema>;

export const statsSchema = z.object({
  by: z.enum(statsBys),
  rows: z.array(statsRowSchema).describe("The most first; days the newest first."),
  total: statsRowSchema,
  complete: z
    .boolean()
    .describe("False where the log is longer than what was looked at: older events are not counted."),
});
export type Stats = z.output<typeof statsSchema>;
