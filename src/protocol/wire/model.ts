import { z } from "zod";
import { line } from "../fields.ts";

/** Amounts are whole micro-dollars: a million of them is a dollar. */
const micros = z.int().min(0).max(1_000_000_000_000);

export const spendSchema = z.object({
  requests: z.number().describe("Model requests that were answered, or lost."),
  partial: z.number().describe("Those whose figures are estimates from above: broken off, or without figures."),
  unpriced: z.number().describe("Those to models without a price: their cost is not in costMicros."),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  costMicros: z.number().describe("In micro-dollars."),
});
export type Spend = z.output<typeof spendSchema>;

export const budgetSchema = z.object({
  rule: z.string(),
  policy: z.string(),
  limitMicros: z.number(),
  spentMicros: z.number(),
  reservedMicros: z.number().describe("For requests that are under way."),
});

/** What cost can be told apart by. */
export const costBys = ["project", "profile", "runner", "model", "day", "agent", "user", "run", "task"] as const;

export const costSchema = z.object({
  by: z.enum(costBys),
  rows: z.array(
    z.object({
      name: z.string(),
      title: z.string().nullable().describe("Of a run or a task: what is wanted."),
      spend: spendSchema,
    }),
  ),
  total: spendSchema,
  run: z
    .object({
      run: z.string(),
      spend: spendSchema,
      ownCostMicros: z
        .number()
        .nullable()
        .describe("What it has cost by its assistant's own reckoning, where that says so; ours is what budgets count."),
      tree: z.string(),
      treeSpend: spendSchema,
      budgets: z.array(budgetSchema),
    })
    .nullable()
    .describe("Of the run that was asked for: its own spend, that of everything that stems from one run, and budgets."),
});
export type Cost = z.output<typeof costSchema>;

export const modelName = line(128)
  .regex(/^[\w.:@/-]+$/, "a model's name has letters, digits and . : @ / - _")
  .describe("How names of models begin: gpt-5 speaks of gpt-5-2025-08-07, and not of gpt-5.1.");

export const setPriceSchema = z.strictObject({
  model: modelName,
  inputMicros: micros.describe("Micro-dollars for a million tokens of the prompt."),
  outputMicros: micros.describe("The same of the answer."),
  cacheReadMicros: micros.optional().describe("The same of the prompt, from the cache. Left out: as inputMicros."),
  cacheWriteMicros: micros.optional().describe("The same, written to the cache. Left out: as inputMicros."),
});

export const priceSchema = z.object({
  model: z.string(),
  inputMicros: z.number(),
  outputMicros: z.number(),
  cacheReadMicros: z.number(),
  cacheWriteMicros: z.number(),
  from: z.enum(["person", "built-in"]),
});
export type Price = z.output<typeof priceSchema>;

export const secretName = z
  .string()
  .max(64)
  .regex(/^[A-Z][A-Z0-9_]*$/, "a secret's name is in capitals, such as ANTHROPIC_API_KEY");

/** Shorter ones could not be told from other text, where they must not stand. */
const secretCharsMin = 8;
const secretCharsMax = 16_384;
const aText = "a secret is a text; it is not repeated here";

export const setSecretSchema = z.strictObject({
  name: secretName,
  value: z
    .string({ error: aText })
    .min(secretCharsMin, `a secret has at least ${secretCharsMin} characters`)
    .max(secretCharsMax, `a secret has at most ${secretCharsMax} characters`),
});

export const secretSchema = z.object({
  name: z.string(),
  from: z.enum(["store", "file", "environment"]).describe("Where the daemon has it from."),
  setAt: z.string().nullable().describe("When somebody set it."),
  usedAtMs: z.number().nullable().describe("Engine time at which a model request last used it."),
});
export type Secret = z.output<typeof secretSchema>;
