import { z } from "zod";
import { line, name, text } from "../fields.ts";
import { limits } from "../limits.ts";
import { assistantDefaults, assistantStarts } from "./agent-spec.ts";

export const assistantLimits = { promptCharsMax: 16_384, toolsMax: 64 } as const;

const tools = z.array(line(limits.nameCharsMax).regex(/^[a-z_]+$/, "a tool is called like run_command"));

/** What an assistant is given to do, here and where somebody gives another. */
export const promptText = text(assistantLimits.promptCharsMax).refine(
  (said) => said.trim() !== "",
  "say what it is to do",
);

export const assistantSection = z
  .strictObject(
    {
      profile: name("profile").describe("With which runner, model, tools and limits it works: the name of a profile."),
      prompt: promptText.describe("What it is to do."),
      start: z
        .enum(assistantStarts, `it is one of ${assistantStarts.join(", ")}`)
        .optional()
        .meta({ default: assistantDefaults.start })
        .describe("once: when the agent has first come up. each: every time. never: when somebody asks."),
      permissions: z
        .strictObject({
          allow: tools
            .min(1, "an empty list would allow nothing; leave it out")
            .max(assistantLimits.toolsMax)
            .optional()
            .describe("Tools of the door that its model has, of those that its profile has."),
          deny: tools
            .min(1, "an empty list denies nothing; leave it out")
            .max(assistantLimits.toolsMax)
            .optional()
            .describe("Tools of the door that its model has not."),
        })
        .optional()
        .describe("Takes tools away from what its profile has. Nothing here gives any."),
    },
    {
      error: ({ code }) =>
        code === "invalid_type" ? "it is an object such as { profile: NAME, prompt: TEXT }" : undefined,
    },
  )
  .describe("Who works in the agent by itself, as a run in it, once everything is up.");
