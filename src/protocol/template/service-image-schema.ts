// What a template says of a service that has an image of its own.

import { z } from "zod";
import { line } from "../fields.ts";
import { imageSchema } from "../wire/image.ts";
import { form } from "./schema-parts.ts";

const [byName, byDockerfile] = imageSchema.options;

export const serviceImage = z
  .union(
    [byName.shape.name, byDockerfile],
    "it is the name of an image, such as docker.io/library/postgres:16, or an object such as { dockerfile: Dockerfile }",
  )
  .describe(
    "The system that it has for itself, instead of its agent's: an image by its name, or one that is built of a Dockerfile.",
  );

const foldersMax = 16;
const folderCharsMax = 150;

/** Where an image has nothing that could stay, and what is ours. */
export const fixedFolders = ["/proc", "/dev", "/sys", "/etc", "/.signalbox"] as const;

const folder = line(folderCharsMax)
  .regex(/^\/[A-Za-z0-9]/, "a folder that stays is given as the image has it, such as /var/lib/data")
  .refine(
    (path) => /^[A-Za-z0-9._/-]+$/.test(path) && path.slice(1).split("/").every(isPlainName),
    "a path has letters, digits, dots, dashes and underscores, with one slash between names, none at its end, and no . or .. among them",
  );

function isPlainName(name: string): boolean {
  return name !== "" && name !== "." && name !== "..";
}

export const serviceData = z
  .array(folder, form("it is a list of folders, such as [/var/lib/data]"))
  .min(1, "the list is empty; name folders of the image, such as /var/lib/data, or leave it out")
  .max(foldersMax)
  .describe(
    "Folders of its image that stay, whatever becomes of the service, until its agent is removed; those that the image calls volumes do anyway.",
  );
