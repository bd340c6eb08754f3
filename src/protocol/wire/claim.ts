import { z } from "zod";
import { atMs } from "../fields.ts";

export const obstacleSchema = z.object({
  unit: z.string(),
  family: z.string(),
  holder: z.string().describe("A run's id, or the name that somebody outside gave."),
  by: z.enum(["lease", "claim"]).describe("Whether it is held, or only claimed further ahead."),
  claim: z.string(),
});

/** `from` waits for `to` because of its claim on `unit`; without a claim it waits for the other run itself. */
export const waitEdgeSchema = z.object({
  from: z.string(),
  fromHolder: z.string(),
  to: z.string(),
  toHolder: z.string(),
  claim: z.string().nullable(),
  unit: z.string().nullable(),
});
export type WaitEdge = z.output<typeof waitEdgeSchema>;

export const claimStates = [
  "granted",
  "queued",
  "refused",
  "busy",
  "cancelled",
  "timed-out",
  "paused",
  "holder-gone",
] as const;

export const claimSchema = z.object({
  claim: z.string(),
  project: z.string(),
  family: z.string(),
  holder: z.string(),
  units: z.array(z.string()),
  priority: z.number(),
  state: z.enum(claimStates),
  held: z
    .boolean()
    .describe(
      "Whether anything of it is held now. A grant that expired or was given back stays `granted`: that was its outcome.",
    ),
  /** The highest of its fences. */
  fence: z.number().nullable(),
  fences: z.record(z.string(), z.number()).describe("Fence by unit, as granted."),
  expiresAtMs: z.number().nullable().describe("When the lease ends unless it is renewed, in engine time."),
  behind: z
    .array(obstacleSchema)
    .describe("What is in its way while it waits; of one that was refused as busy, what is in its way now."),
  code: z.string().nullable().describe("Why it was not granted, as a code of the error catalogue."),
  message: z.string().nullable(),
  ways: z.array(z.string()).describe("Ways out, each a sentence."),
  hint: z
    .string()
    .nullable()
    .describe(
      "What whoever claims has to know at once: that no waiting opens a unit, or that it is hardly what was meant.",
    ),
  cycle: z.array(waitEdgeSchema).nullable().describe("Who would wait for whom in a circle."),
});
export type Claim = z.output<typeof claimSchema>;

export const leaseSchema = z.object({
  unit: z.string(),
  project: z.string(),
  family: z.string(),
  holder: z.string(),
  kind: z.enum(["run", "outside"]),
  claim: z.string(),
  fence: z.number(),
  state: z
    .enum(["live", "refreshing", "hold", "paused", "landing", "quarantined"])
    .describe("quarantined: its holder is gone and its processes are not yet proven dead."),
  grantedAtMs: atMs,
  expiresAtMs: z.number().nullable().describe("Null for a lease that does not expire, such as a hold."),
  patienceMs: z
    .number()
    .nullable()
    .describe("How long a hold resists those who wait for it; null for ever, and for a lease that is no hold."),
  yieldsAtMs: z.number().nullable().describe("When a hold goes to those who wait for it; null where nobody does."),
  delayedUntilMs: z.number().nullable().describe("Until when its holder waits for its model; null where it does not."),
});
export type Lease = z.output<typeof leaseSchema>;

export const queueEntrySchema = z.object({
  claim: z.string(),
  project: z.string(),
  family: z.string(),
  holder: z.string(),
  kind: z.enum(["run", "outside"]),
  position: z.number().describe("Place in the project's queue, from 1."),
  units: z.array(z.string()),
  priority: z.number(),
  queuedAtMs: atMs,
  deadlineAtMs: z.number().nullable(),
  passes: z.number().describe("How often a more urgent claim was put ahead of it."),
  behind: z.array(obstacleSchema),
});
export type QueueEntry = z.output<typeof queueEntrySchema>;

export const locksSchema = z.object({
  seq: z.number(),
  nowMs: atMs,
  leases: z.array(leaseSchema),
  queue: z.array(queueEntrySchema),
  waits: z.array(waitEdgeSchema).describe("Who waits for whom."),
  truncated: z.boolean().describe("Whether something was left off to keep the answer short."),
});
export type Locks = z.output<typeof locksSchema>;
