import { z } from "zod";
import { argv, line, name, projectRef } from "../fields.ts";
import { limits } from "../limits.ts";

export const processSchema = z.strictObject({
  argv: argv.describe("The command, as a list of arguments; no shell reads it."),
  scope: z
    .enum(["project", "agent"])
    .default("project")
    .describe("project: one at a time in the whole project. agent: each run has its own."),
});

export const processesSchema = z
  .record(
    z
      .string()
      .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/, "a process name has letters, digits, dots, dashes or underscores"),
    processSchema,
  )
  .refine((value) => Object.keys(value).length <= limits.processesMax, `at most ${limits.processesMax} processes`)
  .describe("Named commands that only the door starts, each under its process: unit.");

export const projectSchema = z.object({
  id: z.string(),
  name: z.string(),
  root: z.string(),
  foldCase: z.boolean(),
  processes: z.record(z.string(), z.object({ argv: z.array(z.string()), scope: z.enum(["project", "agent"]) })),
});
export type Project = z.output<typeof projectSchema>;

export const addProjectSchema = z.strictObject({
  root: line(limits.pathCharsMax)
    .refine((value) => value.startsWith("/"), "the folder is an absolute path")
    .describe("The folder that agents work on, as an absolute path."),
  name: name("project's name").optional().describe("Left out: the name of the folder."),
  foldCase: z.boolean().default(false).describe("Whether names that differ only in case are the same file."),
  processes: processesSchema.default({}),
});

export const changeProjectSchema = z.strictObject({
  project: projectRef,
  foldCase: z.boolean().optional(),
  processes: processesSchema.optional(),
});
