import { z } from "zod";
import { atMs } from "../fields.ts";

export const usePointSchema = z.object({
  atMs,
  cpu: z.number().nullable().describe("Processors in use."),
  memoryBytes: z.number(),
  files: z.int().nullable(),
  processes: z.int(),
  diskBytes: z
    .number()
    .nullable()
    .describe("Of the agent as a whole, or of the folders that a service has for itself, where somebody looked."),
  writtenBytes: z
    .number()
    .nullable()
    .optional()
    .describe(
      "What the processes that ran then had sent to disks, each since it began; left out in what earlier releases noted.",
    ),
});
export type UsePoint = z.output<typeof usePointSchema>;

const share = z.number().nullable().describe("From 0 to 1; null where it was not wanted in that time.");

const checksSchema = z.object({
  count: z.int().describe("Of the newest checks, at most 240."),
  failed: z.int(),
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
  times: z.array(z.object({ atMs, ms: z.number(), ok: z.boolean() })),
});

export const warningKinds = ["disk", "memory", "restarts", "room"] as const;
export const warningSchema = z.object({
  kind: z.enum(warningKinds),
  agent: z.string().nullable().describe("Null where it is about the machine."),
  service: z.string().nullable(),
  template: z.string().optional().describe("Where it is about room for more agents: of this one."),
  what: z.string().describe("One sentence."),
  inMs: z
    .number()
    .nullable()
    .describe("When it would be so, if it goes on like this; null where that is not the point."),
});
export type Warning = z.output<typeof warningSchema>;

const partSchema = z.object({
  name: z.string(),
  points: z.array(usePointSchema).describe("The oldest first."),
  checks: checksSchema,
  availability: z.object({ hour: share, day: share }).describe("For which part of the time it was well."),
});

const startupSchema = z.object({
  atMs,
  ms: z.number().nullable().describe("Until everything was well; null where it is not yet, or was not then."),
  phases: z.array(z.object({ phase: z.string(), fromMs: z.number(), ms: z.number().nullable() })),
});

export const agentHistorySchema = z.object({
  agent: z.string(),
  name: z.string(),
  nowMs: z.number(),
  stepMs: z.number().describe("How far points lie apart."),
  points: z.array(usePointSchema).describe("The agent as a whole."),
  memoryBytesMax: z
    .number()
    .nullable()
    .describe("What it may use of memory as a whole, by its limits or as its share; null where nothing bounds it."),
  services: z.array(partSchema),
  startup: startupSchema
    .nullable()
    .describe("How it came up the last time: each phase with when it began, counted from the beginning."),
  starts: z.array(startupSchema).describe("How it came up the last times, the oldest first, at most eight."),
  warnings: z.array(warningSchema),
  capacity: z
    .object({ template: z.string(), more: z.int(), boundBy: z.enum(["memory", "disk", "agents"]) })
    .describe("How many more agents of its template there is room for, and what is the scarcest."),
});
export type AgentHistory = z.output<typeof agentHistorySchema>;
