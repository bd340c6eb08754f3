import { z } from "zod";
import { line, name } from "../fields.ts";
import { limits } from "../limits.ts";

export const terminalId = z
  .string()
  .max(24)
  .regex(/^te_[0-9a-z]{1,16}$/, "the id of a terminal looks like te_1a")
  .describe("Id of a terminal, such as te_1a.");

export const cols = z.int().min(1).max(1000).describe("How many columns.");
export const rows = z.int().min(1).max(500).describe("How many rows.");

export const windowName = name("name of a window")
  .max(40)
  .refine((value) => !/^te_[0-9a-z]+$/.test(value), "the name of a window must not look like the id of a terminal")
  .describe("The name that people know a terminal by, once among those of its run or agent that are open.");

/** A window in which somebody looks: a word that they made up for it. */
export const viewerId = z
  .string()
  .min(8)
  .max(limits.nameCharsMax)
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9_-]*$/, "letters, digits, dashes and underscores")
  .describe("A window in which somebody looks. Whoever comes again under the same name goes on.");
export const viewerName = line(limits.nameCharsMax).describe("Whom the others see.");

export const saidText = line(500).describe("One line, to everybody who looks. It is not typed, and not recorded.");

export const viewerSchema = z.object({ viewer: z.string(), name: z.string() });

export const keyboardActs = ["ask", "take", "give", "free"] as const;

export const terminalSchema = z.object({
  id: z.string(),
  window: z.string().describe("The name that people know it by."),
  run: z.string().nullable().describe("The run that it belongs to and ends with; null for one of an agent's own."),
  agent: z.string().nullable().describe("The living agent in whose cage it is, also when that is removed."),
  agentName: z.string().nullable().describe("What that agent is called."),
  removedAtMs: z
    .number()
    .nullable()
    .describe("When its run or agent was removed: only its recording is left. Null while that is there."),
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
      why: z.enum(["ended", "stopped", "out-of-memory", "out-of-disk", "lost", "not-started", "renewed"]),
      bytes: z.number(),
      message: z.string().nullable(),
    })
    .nullable(),
  heir: z.string().nullable().describe("The one that stands in for it, where its agent was begun anew."),
});
export type Terminal = z.output<typeof terminalSchema>;

/** A window that is no terminal: it is drawn by whoever looks, from what everybody can ask for. */
export const viewSchema = z.object({
  window: z.string(),
  kind: z.enum(["service", "run", "monitor"]).describe("What a service says, what the run in it says, its processes."),
  agent: z.string(),
  of: z.string().describe("The service, the run, or the agent."),
  state: z.string().describe("Of the service, the run or the agent."),
});
export type View = z.output<typeof viewSchema>;

export const recordedSchema = z.union([
  z.object({ atMs: z.number().describe("Since the beginning."), base64: z.string().describe("What was said.") }),
  z.object({ atMs: z.number(), cols: z.number(), rows: z.number() }),
]);
export type Recorded = z.output<typeof recordedSchema>;
