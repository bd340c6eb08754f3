// What a scripted model says: conversations of turns, written down as YAML. docs/operating/cost.md has an example.

import { parse } from "yaml";
import { z } from "zod";

const callSchema = z.strictObject({
  tool: z.string(),
  with: z.record(z.string(), z.unknown()).default({}),
});

const usageSchema = z.strictObject({
  input: z.int().min(0).default(10),
  output: z.int().min(0).default(5),
  cacheRead: z.int().min(0).default(0),
  cacheWrite: z.int().min(0).default(0),
});

const turnSchema = z.strictObject({
  /** Looked for in what the client sent, each of them. */
  expect: z
    .strictObject({ said: z.string().optional(), toolResult: z.string().optional(), offers: z.string().optional() })
    .optional(),
  /** What it thinks before it says or calls anything. */
  think: z.string().default(""),
  say: z.string().default(""),
  call: z
    .union([callSchema, z.array(callSchema)])
    .transform((calls) => (Array.isArray(calls) ? calls : [calls]))
    .default([]),
  usage: usageSchema.prefault({}),
  /** The model that the answer names. */
  model: z.string().optional(),
  error: z
    .strictObject({
      status: z.int().min(400).max(599),
      type: z.string().default("api_error"),
      message: z.string().default("scripted"),
      retryAfter: z.int().min(0).optional(),
      /** Comes to every request until the test says so, by this name. */
      until: z.string().optional(),
    })
    .optional(),
  /** Ends as the answer of a model does that will not do this. */
  refuses: z.boolean().default(false),
  /** Milliseconds between two pieces. */
  slow: z.int().min(0).optional(),
  /** Waits before its last piece until the test says so, by this name. */
  hold: z.string().optional(),
  /** Waits in its middle instead: a part of it has been said then. */
  midway: z.boolean().default(false),
  /** Comes again when the client hung up before its end, as one does that loses its connection. Holds before its first piece. */
  again: z.boolean().default(false),
  /** Breaks the connection after so many pieces. */
  cut: z.int().min(0).optional(),
  /** Streams that do not say what they used. */
  silent: z.boolean().default(false),
});

const scenarioSchema = z.strictObject({
  conversations: z.array(
    z.strictObject({
      name: z.string(),
      /** A text in the task of the first message, or how the model's name begins; both where both are given. */
      match: z.strictObject({ marker: z.string().optional(), model: z.string().optional() }),
      turns: z.array(turnSchema).min(1),
      /** For any number of clients at once, each from its beginning, and anew after the last turn; otherwise each turn comes once. */
      repeat: z.boolean().default(false),
    }),
  ),
});

export type Scenario = z.output<typeof scenarioSchema>;
export type Conversation = Scenario["conversations"][number];
export type Turn = Conversation["turns"][number];

export function readScenario(text: string): Scenario {
  return scenarioSchema.parse(parse(text));
}

/** What is said where nobody wrote down anything: titles, summaries and the like. */
export const plainTurn: Turn = turnSchema.parse({ say: "OK" });
