import { z } from "zod";
import { atMs } from "../fields.ts";
import { endSchema, limitsSchema, serviceStateNames } from "./agent.ts";

export const failureClassNames = ["service", "resources", "network", "configuration", "lost"] as const;

const useThenSchema = z.object({
  memoryBytes: z.number(),
  memoryBytesPeak: z.number().describe("The most that anybody saw of it."),
  cpu: z.number().nullable(),
  files: z.int().nullable(),
  processes: z.int(),
  agoMs: z.number().describe("How long before its end somebody last looked."),
  diskFreeBytes: z.number().nullable(),
});

/** A failure of a service, with how everything was at that moment. */
export const failureSchema = z.object({
  seq: z.int().describe("The number of the event that tells it."),
  atMs,
  service: z.string(),
  life: z.int(),
  class: z.enum(failureClassNames),
  found: z.string().describe("What it is within its class: memory, disk, port-taken, unreachable, not-found …"),
  what: z.string(),
  end: endSchema.nullable(),
  limits: limitsSchema,
  use: useThenSchema.nullable().describe("What it used when somebody last looked; null where nobody had."),
  needs: z
    .array(z.object({ service: z.string(), state: z.enum(serviceStateNames), healthy: z.boolean().nullable() }))
    .describe("How those were that it needs."),
  changes: z
    .array(z.object({ kind: z.string(), what: z.string(), atMs }))
    .describe("What was done to the agent within the hour before."),
  before: z
    .object({ count: z.int(), lastAtMs: z.number().nullable() })
    .describe("How often it had failed in the same way before."),
  tried: z.string().nullable().describe("What was done about it; null where nothing was yet."),
  recent: z
    .array(z.object({ seq: z.int(), atMs, type: z.string(), service: z.string().nullable() }))
    .describe("Events of the agent just before, the newest first."),
});
export type FailureView = z.output<typeof failureSchema>;
