import { z } from "zod";

export const inboxKinds = [
  "question",
  "permission",
  "review",
  "failure",
  "stuck",
  "delayed",
  "budget",
  "unpublished",
  "agent",
  "closed",
  "warning",
] as const;

export const inboxItemSchema = z.object({
  kind: z.enum(inboxKinds),
  id: z
    .string()
    .describe(
      "What inbox.see calls it: the run that it is about, or a name that tells it from others of its agent or of the machine.",
    ),
  canBeSeen: z.boolean().describe("Whether nobody has to act on it: inbox.see takes it off."),
  run: z
    .string()
    .nullable()
    .describe("The run that it is about; null where it is about a project, an agent or a unit."),
  project: z.string().describe("Empty where it is about the whole machine."),
  projectName: z.string(),
  title: z.string().describe("Of the run, or what the project, the agent or the unit is called."),
  what: z.string().describe("What is asked, or what is in the way."),
  question: z
    .string()
    .optional()
    .describe("Of a question or permission: which one it is, for whoever answers it (run.answer)."),
  sinceMs: z.number().describe("Engine time since which it waits."),
  ageMs: z.number(),
  escalated: z.boolean().describe("Whether it has waited for longer than policies want; such items come first."),
  command: z.string().describe("The command that answers it."),
  others: z.array(z.string()).describe("Other commands that may."),
});
export type InboxItem = z.output<typeof inboxItemSchema>;
