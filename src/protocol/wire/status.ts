import { z } from "zod";
import { atMs } from "../fields.ts";

export const statusSchema = z.object({
  pid: z.number(),
  url: z.string(),
  version: z.string(),
  home: z.string(),
  socket: z.string().nullable(),
  startedAtMs: z.number().describe("Time of day, in milliseconds since 1970."),
  nowMs: atMs,
  wallOffsetMs: z.number().describe("Time of day minus engine time, since the daemon was started."),
  openings: z
    .array(
      z.object({
        seq: z.number().describe("Number of its `engine.opened`: events from there on are of this start."),
        atMs: z.number(),
        wallMs: z.number(),
        fromMs: z.number().describe("The first instant that is this start's alone, for what carries no number."),
      }),
    )
    .describe("Starts of the daemon, oldest first: engine time, and the time of day it was then."),
  seq: z.number().describe("Number of the newest event."),
  damage: z
    .object({ seq: z.number(), reason: z.string() })
    .nullable()
    .describe("The first event that cannot be trusted, as was found when the whole log was read after the start."),
  projects: z.number(),
  runs: z.record(z.string(), z.number()).describe("How many runs there are, by state."),
  leases: z.number(),
  queued: z.number().describe("Claims that wait."),
  subscribers: z.number(),
  audit: z
    .object({ atMs: z.number().describe("Time of day, in milliseconds since 1970."), findings: z.number() })
    .nullable()
    .describe("When it was last looked for what has no owner any more, and how much was found; null is not yet."),
  maintenance: z
    .object({
      everyMs: z.number().nullable().describe("How often the daemon tidies up by itself; null is never."),
      last: z
        .object({
          atMs: z.number().describe("Time of day, in milliseconds since 1970."),
          bytes: z.number().describe("What it let go of."),
          failed: z.number().describe("How many of its jobs could not be done."),
        })
        .nullable(),
      room: z
        .object({
          atMs: z.number().describe("Time of day, in milliseconds since 1970."),
          freedBytes: z.number().describe("How much more was free after it."),
          freeBytes: z.number().describe("How much was free then."),
          spares: z
            .array(z.object({ what: z.string(), count: z.number() }))
            .describe(
              "What went: `workspaces` of runs that are done, `dependencies`, `images`, `homes`, `contents` or `scratch`, and how many.",
            ),
        })
        .nullable()
        .describe("When room was made last because the disk ran low; null is never."),
    })
    .describe("What `maintain` does, and when that was last."),
});
export type Status = z.output<typeof statusSchema>;

export const checkSchema = z.object({
  name: z.string(),
  ok: z.boolean(),
  needed: z.boolean().describe("False where the daemon does without, by what `fix` says: then it is a warning."),
  detail: z.string(),
  fix: z.string().nullable().describe("What to do about it."),
});
export const doctorSchema = z.object({
  ok: z.boolean().describe("Whether all is well that is needed."),
  checks: z.array(checkSchema),
});
export type DoctorReport = z.output<typeof doctorSchema>;
