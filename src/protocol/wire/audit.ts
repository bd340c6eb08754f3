import { z } from "zod";

/** What can be left of somebody who is gone, in the order in which it is taken away. */
export const findingKinds = [
  "ending",
  "keeper",
  "process",
  "namespace",
  "container",
  "mount",
  "cgroup",
  "port",
  "workspace",
  "files",
  "temp",
] as const;

export const findingSchema = z.object({
  kind: z.enum(findingKinds),
  what: z.string(),
  sinceMs: z.number().nullable().describe("Since when it is there, as time of day in milliseconds; null is unknown."),
  why: z.string().describe("Why it is thought to be this daemon's, and to have no owner."),
  would: z.string().nullable().describe("What reaping does; null where a person has to decide."),
  advice: z.string().nullable().describe("What a person can do about it."),
});
export type Finding = z.output<typeof findingSchema>;

export const auditSchema = z.object({
  home: z.string(),
  atMs: z.number().describe("When it was looked, as time of day in milliseconds."),
  findings: z.array(findingSchema),
});

export const reapedSchema = z.object({
  home: z.string(),
  atMs: z.number().describe("When it was looked, as time of day in milliseconds."),
  findings: z.array(
    findingSchema.extend({
      done: z.string().nullable().describe("What was done; null where nothing was."),
      failed: z.string().nullable().describe("Why it could not be done."),
    }),
  ),
});
export type ReapReport = z.output<typeof reapedSchema>;
