import { z } from "zod";
import { ownRunnerSchema } from "./own-runner.ts";

export const presetNames = ["fast", "cheap", "smart"] as const;

export const presetsSchema = z
  .partialRecord(z.enum(presetNames), z.string())
  .describe("The models that presets of profiles mean to it.");

const credentialSchema = z.object({
  name: z.string(),
  from: z
    .enum(["store", "file", "environment", "subscription"])
    .describe("Where the daemon has it from. Nothing shows its value."),
});

export const runnerSchema = z.object({
  name: z.string(),
  kind: z.enum(["built-in", "assistant"]),
  path: z.string().nullable().describe("The program's file."),
  version: z.string().nullable(),
  tried: z.object({ from: z.string(), to: z.string() }).nullable().describe("Versions that were tried."),
  warning: z.string().nullable().describe("Why it may not work as it was tried."),
  missing: z.string().nullable().describe("Why it cannot work here, and what to do."),
  can: z.object({
    streaming: z.boolean().describe("What it says can be read while it says it."),
    messages: z.boolean().describe("Is given what people say to its run, in a turn or after it."),
    resume: z.boolean(),
    interrupt: z.boolean(),
    steer: z.boolean(),
    cost: z.boolean(),
    subagents: z
      .boolean()
      .describe("Lets others of its kind work within its program, by the door. Every assistant can start sub-runs."),
    models: z.boolean(),
    native: z.boolean().describe("Can work with tools of its own, which ask the door before they write."),
  }),
  way: z.string().nullable().describe("How its program is spoken to, where there are several ways."),
  own: ownRunnerSchema.nullable().describe("What a person has defined, where it is a person's own."),
  provider: z.enum(["anthropic", "openai", "gemini"]).nullable().describe("Whose models it asks."),
  credential: credentialSchema.nullable().describe("What pays for its models, if anything does."),
  presets: presetsSchema,
});
export type Runner = z.output<typeof runnerSchema>;

export const probeSchema = z.object({
  ok: z.boolean(),
  model: z.string().nullable().describe("The model that was asked; null where none could be."),
  status: z.number().nullable().describe("HTTP status of the model's answer."),
  why: z.string().nullable().describe("What is in the way."),
});
