// What a template says of the place that its services share: whom it reaches, and which system is inside.

import { z } from "zod";
import { line, projectRef } from "../fields.ts";
import { limits } from "../limits.ts";
import { allowedHost, egressKinds } from "../wire/egress.ts";
import { imageSchema } from "../wire/image.ts";
import { workspaceKinds } from "./agent-spec.ts";

export const projectSection = projectRef.describe(
  "The project that its agents are made for, by name or id, where nobody says another: agent create --project.",
);

export const workspaceSection = z
  .enum(workspaceKinds, `it is one of ${workspaceKinds.join(", ")}; left out, it is as the machine does it`)
  .describe(
    "How its files are laid out: overlay, layers of the project over one another, or clone, a copy of its own. Left out: as the machine does it.",
  );

const kinds = `it is one of ${egressKinds.join(", ")}, or an object such as { allow: [example.org] }`;

export const egressSection = z
  .union(
    [
      z.enum(egressKinds),
      z.strictObject({
        allow: z
          .array(allowedHost)
          .min(1, "the list is empty; for no network write none")
          .max(limits.patternsMax)
          .describe("Hosts that it reaches instead of those of its project; developer stands for package registries."),
      }),
    ],
    kinds,
  )
  .meta({ default: "none" })
  .describe(
    "Whom its services reach outside: none; list, the hosts on its project's allow-list; open, every public host; or a list of its own.",
  );

const [, byDockerfile] = imageSchema.options;
const imageName = imageSchema.options[0].shape.name;

export const imageSection = z
  .union([imageName, byDockerfile], "it is the name of an image, none, or an object such as { dockerfile: Dockerfile }")
  .describe(
    "The system inside: an image by its name, one that is built of a Dockerfile, or none for the machine's own.",
  );

const joinsMax = 32;

export const joinSection = z
  .array(
    line(limits.nameCharsMax).regex(
      /^[a-zA-Z0-9*][a-zA-Z0-9._*-]*$/,
      "an agent is given by its name, with * for any part of it",
    ),
    { error: ({ code }) => (code === "invalid_type" ? "it is a list of agents, such as [db-1]" : undefined) },
  )
  .min(1, "the list is empty; name agents, or leave it out")
  .max(joinsMax)
  .describe(
    "Agents of the same project whose services it sees, and which see its own, where their templates name it too.",
  );
