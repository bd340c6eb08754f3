import { z } from "zod";

const bytes = z.number().describe("On the disk, in bytes.");

export const collectedSchema = z.object({
  project: z.string(),
  name: z.string(),
  objects: z.number().describe("How many objects of its repository nothing needed."),
  bytes,
});

export const diskSchema = z.object({
  folder: z.string().describe("Where agents and projects are kept."),
  freeBytes: z.number(),
  totalBytes: z.number(),
  files: z
    .object({ free: z.number(), total: z.number() })
    .optional()
    .describe("How many more files there may be, and how many at all; left out where the file system does not tell."),
  freeBytesMin: z.number().describe("With less free than this no workspace is made."),
  imagesBytes: z.number().describe("The files of images that are kept for agents."),
  projects: z.array(
    z.object({
      project: z.string(),
      name: z.string(),
      repositoryBytes: bytes,
      layersBytes: bytes,
      warmBytes: z.number().describe("Dependency folders that are kept for the next workspaces."),
      trashItems: z.number(),
      trashBytes: z.number().describe("What the trash takes of the repository."),
    }),
  ),
  workspaces: z.array(
    z.object({
      agent: z.string().describe("The run, the living agent, or what a candidate is tried in."),
      project: z.string().nullable(),
      bytes: z.number().describe("What was changed in it, its scratch, its home and its temporary files."),
      quotaBytes: z.number().nullable().describe("What a policy, or the template of an agent, allows it."),
    }),
  ),
});
export type DiskReport = z.output<typeof diskSchema>;
