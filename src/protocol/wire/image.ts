import { z } from "zod";
import { line } from "../fields.ts";
import { limits } from "../limits.ts";

// It becomes a word of a command line: never an option.
const imageName = line(limits.pathCharsMax)
  .regex(
    /^[a-zA-Z0-9][a-zA-Z0-9._:/@+-]*$/,
    "an image is named as for podman or docker, as in docker.io/library/node:24",
  )
  .describe("As podman or docker know it.");

const dockerfile = line(limits.pathCharsMax)
  .refine(
    (path) => !path.startsWith("/") && path.split("/").every((name) => name !== "" && name !== "." && name !== ".."),
    "a Dockerfile is a path in the project, as in docker/Dockerfile",
  )
  .describe("A file of the project, relative to it. What it copies is taken from the same commit.");

/** An image by its name, or by the Dockerfile that it is built from. */
export const imageSchema = z.union([z.strictObject({ name: imageName }), z.strictObject({ dockerfile })]);
export type Image = z.output<typeof imageSchema>;

export const keptImageSchema = z.object({
  id: z.string().describe("The digest that podman and docker know it by."),
  name: z.string().describe("What it was asked for by: a name, or the path of a Dockerfile."),
  bytes: z.number().describe("What its files take of the disk."),
  usedAtMs: z.number().describe("When an agent last began with it, by the wall clock."),
  inUse: z.boolean().describe("Whether an agent has it now."),
});
export type KeptImage = z.output<typeof keptImageSchema>;
