import { z } from "zod";
import { line } from "../fields.ts";
import { limits } from "../limits.ts";

export const terminalId = z
  .string()
  .max(24)
  .regex(/^te_[0-9a-z]{1,16}$/, "the id of a terminal looks like te_1a")
  .describe("Id of a terminal, such as te_1a.");

export const cols = z.int().min(1).max(1000).describe("How many columns.");
export const rows = z.int().min(1).max(500).describe("How many rows.");

/** A window in which somebody looks: a word that they made up for it. */
export const viewerId = z
  .string()
  .min(8)
  .max(limits.nameCharsMax)
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9_-]*$/, "letters, digits, dashes and underscores")
  .describe("A window in which somebody looks. Whoever comes again under the same name goes on.");
export const viewerName = line(limits.nameCharsMax).describe("Whom the others see.");

export const viewerSchema = z.object({ viewer: z.string(), name: z.string() });

export const keyboardActs = ["ask", "take", "give", "free"] as const;

export const terminalSchema = z.object({
  id: z.string(),
  run: z.string(),
  by: z.string().describe("Who opened it."),
  argv: z.array(z.string()).describe("The program in it; empty is the shell."),
  openedAtMs: z.number(),
  keyboard: viewerSchema.nullable().describe("Who types."),
  asks: z.array(viewerSchema).describe("Who waits for the keyboard."),
  viewers: z.array(z.object({ name: z.string(), readOnly: z.boolean() })).describe("Who looks at it now."),
  ended: z
    .object({
      atMs: z.number(),
      exit: z.union([z.number(), z.literal("unknown")]),
      why: z.enum(["ended", "stopped", "out-of-memory", "lost", "not-started"]),
      bytes: z.number(),
      message: z.string().nullable(),
    })
    .nullable(),
});
export type Terminal = z.output<typeof terminalSchema>;

export const recordedSchema = z.union([
  z.object({ atMs: z.number().describe("Since the beginning."), base64: z.string().describe("What was said.") }),
  z.object({ atMs: z.number(), cols: z.number(), rows: z.number() }),
]);
export type Recorded = z.output<typeof recordedSchema>;
