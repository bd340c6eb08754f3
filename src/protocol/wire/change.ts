import { z } from "zod";
import { atMs, line, runId } from "../fields.ts";
import { limits } from "../limits.ts";

const path = line(limits.pathCharsMax).describe("A path, relative to the project.");
const entry = z.string().nullable().describe("Mode and blob as in a git tree, null where there is nothing.");

/** Names a set of changes by what is in it. */
const changesName = z.string().regex(/^[0-9a-f]{16}$/, "it is what run.diff gave as `seen`");

export const hunkSchema = z.object({
  id: z.string().describe("Names the hunk in `approve`."),
  from: z.number().describe("The first line of the base that it replaces."),
  removed: z.array(z.string()),
  added: z.array(z.string()),
});

export const changeSchema = z.object({
  path: z.string(),
  status: z.enum(["added", "changed", "deleted"]),
  base: entry,
  work: entry,
  bytes: z
    .object({ base: z.number().nullable(), work: z.number().nullable() })
    .describe("How large it was and is; null where there is nothing."),
  held: z.boolean().describe("Only what its run holds can land."),
  guarded: z.boolean().describe("Others execute or obey it, so it is never approved by itself."),
  keepsOwn: z
    .boolean()
    .describe("Its run has met somebody else's change here, and keeps its own side whole: theirs would be gone."),
  binary: z.boolean(),
  tooLarge: z.boolean().describe("Too much to be shown here. It can only be approved whole."),
  hunks: z.array(hunkSchema),
  patch: z.string().describe("As a unified diff."),
  theirs: z
    .object({ entry, patch: z.string().describe("From the same base to what mainline has.") })
    .nullable()
    .describe("The other side, where somebody else has changed the same place and it is not resolved."),
});
export type Change = z.output<typeof changeSchema>;

export const oversizedSchema = z.object({ path: z.string(), bytes: z.number() });

export const approveSchema = z.strictObject({
  run: runId,
  files: z
    .array(path)
    .min(1)
    .max(limits.unitsMax)
    .optional()
    .describe("Only these files. Left out, with no hunks either: everything."),
  hunks: z
    .record(path, z.array(z.string().max(24)).min(1).max(limits.pageMax))
    .optional()
    .describe("Only these hunks of a file, by the ids that run.diff gives."),
  seen: changesName.optional().describe("As run.diff gave it. Refused as `changed` if the changes are others by now."),
});

export const trashItemSchema = z.object({
  id: z.string(),
  run: z.string().describe("The run that it is of; or the id of an agent, where no run had changed it."),
  agent: z.string().nullable().describe("The name of that agent, which was removed; null for what is of a run."),
  project: z.string(),
  projectName: z.string(),
  path: z.string(),
  base: entry,
  work: entry,
  why: z.string(),
  held: z.boolean().describe("Whether somebody else held it: a run that plans it waits until it is free."),
  atMs,
});
export type TrashItem = z.output<typeof trashItemSchema>;

export const landingSchema = z.object({
  run: z.string(),
  title: z.string(),
  project: z.string(),
  sinceMs: atMs,
  approvedBy: z.string().nullable(),
  paths: z.array(z.string()),
});

export const fileChangeSchema = z.object({
  commit: z.string(),
  wallMs: z.number().describe("When it was committed, by the clock of whoever did; a landing is when it lands."),
  author: z.string(),
  title: z.string().describe("The first line of the commit's message."),
  run: z.string().nullable().describe("The run that landed it, null for a commit by hand."),
  status: changeSchema.shape.status,
  binary: z.boolean(),
  tooLarge: z.boolean().describe("Too much to be shown here."),
  hunks: changeSchema.shape.hunks,
  patch: changeSchema.shape.patch,
});
export type FileChange = z.output<typeof fileChangeSchema>;

export const blamedLineSchema = z.object({
  line: z.number(),
  text: z.string(),
  commit: z.string(),
  author: z.string(),
  title: z.string().describe("The first line of the commit's message."),
  run: z.string().nullable().describe("The run that landed it, null for a commit by hand."),
});
