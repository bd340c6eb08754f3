import { z } from "zod";
import { argv, line, name, text } from "../fields.ts";
import { limits } from "../limits.ts";
import { envSchema } from "./env.ts";
import { secretName } from "./model.ts";

export const modelFormats = ["anthropic", "openai-responses", "openai-chat", "gemini"] as const;

const filesMax = 16;
const fileCharsMax = 65_536;
const insideHome = /^(?!\/)(?!.*(^|\/)\.\.(\/|$))/;

const fileSchema = z.strictObject({
  path: line(limits.pathCharsMax).regex(insideHome, "a file's path is inside the program's home"),
  text: text(fileCharsMax),
});

/** A runner as a person defines it. What is left out is as usual. */
export const ownRunnerSchema = z.strictObject({
  command: argv
    .refine(([program = ""]) => !program.includes("/"), "the program is found by its name, on the daemon's PATH")
    .describe("Its program and arguments. {home}, {relay}, {token} and {model} are put in."),
  format: z.enum(modelFormats).describe("How its program asks models, and so whose they are."),
  credential: secretName
    .nullable()
    .default(null)
    .describe("What pays for its models. Null: what the format's maker has."),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .nullable()
    .default(null)
    .describe("Where its models are, with /v1 for the formats of OpenAI. Null: where they usually are."),
  auth: line(limits.nameCharsMax)
    .nullable()
    .default(null)
    .describe("The way to be let in that it asks for, if it does."),
  env: envSchema.default({}).describe("Variables that its program sees. No secrets: those are refused."),
  files: z.array(fileSchema).max(filesMax).default([]).describe("Files to lay out in its home, such as its settings."),
});

export const setRunnerSchema = z.strictObject({
  name: name("runner").describe("It is called acp:NAME wherever a runner is named."),
  ...ownRunnerSchema.shape,
});
