import { z } from "zod";
import { attachmentNameForm } from "../attachment-name.ts";
import { argv, atMs, line, text, title } from "../fields.ts";
import { limits } from "../limits.ts";

export const attachmentName = z
  .string()
  .max(limits.attachmentNameCharsMax)
  .regex(attachmentNameForm, "an attachment is called like design.md: letters, digits, dots, dashes");

const url = line(limits.urlCharsMax).regex(/^https?:\/\/\S+$/, "a link begins with http:// or https://");
const base64 = z
  .base64("the bytes of a file are base64")
  .max(Math.ceil(limits.attachmentBytesMax / 3) * 4, `a file has at most ${limits.attachmentBytesMax} bytes`);

export const attachSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("note"),
    name: attachmentName,
    text: text(limits.noteCharsMax).min(1).describe("What its runs are told beside the description."),
  }),
  z.strictObject({ kind: z.literal("link"), name: attachmentName, url }),
  z.strictObject({ kind: z.literal("file"), name: attachmentName, base64: base64.describe("The bytes of the file.") }),
]);
export type Attach = z.output<typeof attachSchema>;

export const scopeSchema = z
  .array(line(limits.pathCharsMax))
  .max(limits.scopePathsMax)
  .describe(
    "Files and folders, relative to the project, that its runs and all whom these start may change. Empty: everything.",
  );

const words = {
  title: title.describe("What is wanted, in a line."),
  description: text().describe("What is wanted, at length."),
  acceptance: argv.nullable().describe("A command that has to succeed before a result counts, as a list of words."),
  scope: scopeSchema,
};

export const newTaskSchema = {
  title: words.title,
  description: words.description.default(""),
  acceptance: words.acceptance.default(null),
  scope: words.scope.default([]),
  attachments: z.array(attachSchema).max(limits.attachmentsMax).default([]),
};

export const changedTaskSchema = {
  title: words.title.optional(),
  description: words.description.optional(),
  acceptance: words.acceptance.optional(),
  scope: words.scope.optional(),
};

export const taskSchema = z.object({
  id: z.string(),
  project: z.string(),
  projectName: z.string(),
  title: z.string(),
  description: z.string(),
  acceptance: z.array(z.string()).nullable(),
  scope: z.array(z.string()).describe("Files and folders that its runs may change. Empty: everything."),
  attachments: z.array(
    z.object({
      kind: z.enum(["note", "link", "file"]),
      name: z.string(),
      text: z.string().nullable().describe("Of a note what it says, of a link where it leads."),
      bytes: z.number().nullable().describe("Of a file how large it is; `task.attachment` reads it."),
    }),
  ),
  by: z.string().describe("Who wants it: person:NAME, agent:RUN or system."),
  kept: z.boolean().describe("Whether it stays without a run. One that a run brought along goes with its last run."),
  cancelled: z.boolean(),
  runs: z.array(z.string()),
  atMs,
});
export type Task = z.output<typeof taskSchema>;
