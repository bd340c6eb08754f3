import { z } from "zod";
import { line, name, runnerName, text } from "../fields.ts";
import { limits } from "../limits.ts";
import { egressKindSchema } from "./egress.ts";
import { envSchema } from "./env.ts";
import { imageSchema } from "./image.ts";
import { mcpServersSchema } from "./mcp-server.ts";
import { modelName } from "./model.ts";
import { presetNames } from "./runner.ts";

const toolNames = z.array(line(limits.nameCharsMax).regex(/^[a-z_]+$/, "a tool is called like run_command")).max(64);
const count = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const partCharsMax = 16_384;
const partsMax = 16;
const facesMax = 32;
export const turnsMax = 100_000;

export const profileSettingsSchema = z.strictObject({
  runner: runnerName.optional().describe("Who does it."),
  fallbacks: z
    .array(runnerName)
    .max(8)
    .optional()
    .describe("Runners to use instead, in this order, where the first is not on this machine."),
  model: modelName
    .optional()
    .describe("The model that its runner asks for. Left out: as the preset says, or the runner."),
  preset: z.enum(presetNames).optional().describe("What is wanted of a model; runner.list says which that is."),
  maxTurns: count
    .max(turnsMax)
    .optional()
    .describe("How often its assistant may ask its model after it was given something to do."),
  maxTimeMs: count.optional().describe("How long a run may be at work, beside what policies say."),
  allowedTools: toolNames.min(1, "an empty list would allow nothing; leave it out").optional(),
  deniedTools: toolNames.optional().describe("Tools of the door that its model has not. `finish` is always there."),
  tools: z
    .enum(["door", "native"])
    .optional()
    .describe("native: its assistant also works with tools of its own, which ask the door before they write."),
  policy: name("policy").optional().describe("A policy that speaks of its runs, whatever its scope is."),
  prompt: z.array(text(partCharsMax)).max(partsMax).optional().describe("What its assistant is told beside the task."),
  env: envSchema.optional().describe("Variables that its program and commands see. No secrets: those are refused."),
  egress: egressKindSchema.optional().describe("How much of the network its runs have where nobody says otherwise."),
  faces: z
    .array(
      line(limits.keyCharsMax).regex(
        /^[a-zA-Z0-9*._-]+\/[a-z0-9*]+$/,
        "a face is given as AGENT/FACE, with * for any part of either",
      ),
    )
    .min(1, "an empty list names nobody; leave it out")
    .max(facesMax)
    .optional()
    .describe("Faces of agents of the project that its runs may call: shop-*/tools. For people."),
  mcpServers: mcpServersSchema
    .optional()
    .describe(
      "Servers of tools that its assistants have beside the door, by name: a url, a face or a command. For people.",
    ),
  image: z
    .union([imageSchema, z.literal("none")])
    .optional()
    .describe(
      "The system that commands of its runs find where nobody says otherwise; none is the machine's own. For people.",
    ),
  maxCostMicros: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("What model requests of one run may cost, in micro-dollars, beside what policies say."),
});

/** Settings as somebody states them: none of them undoes another. */
const statedSettingsSchema = profileSettingsSchema.superRefine((settings, context) => {
  const complain = (path: string, message: string): void =>
    context.addIssue({ code: "custom", path: [path], message, input: undefined });
  const both = settings.allowedTools?.find((tool) => settings.deniedTools?.includes(tool) === true);
  if (both !== undefined) complain("deniedTools", `"${both}" is allowed and denied at once; name it in one list`);
  if (settings.fallbacks !== undefined && settings.runner === undefined)
    complain("fallbacks", "they stand in for a runner; name that too");
  if (settings.model !== undefined && settings.runner === undefined)
    complain("model", "a model belongs to a runner; name that too, or use a preset");
});

export const setProfileSchema = z.strictObject({ name: name("profile"), settings: statedSettingsSchema });

export const profileSchema = z.object({ name: z.string(), settings: profileSettingsSchema });
export type Profile = z.output<typeof profileSchema>;
