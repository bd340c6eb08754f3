import { z } from "zod";
import { findBranchFlaw } from "../branch-pattern.ts";
import { findGlobFlaw } from "../glob-flaw.ts";
import { argv, line, name, projectRef, text } from "../fields.ts";
import { findMessageFlaw, messageFields } from "../message-template.ts";
import { limits } from "../limits.ts";
import { egressSchema } from "./egress.ts";
import { imageSchema } from "./image.ts";

export const processSchema = z.strictObject({
  argv: argv.describe("The command, as a list of arguments; no shell reads it."),
  scope: z
    .enum(["project", "agent"])
    .default("project")
    .describe("project: one at a time in the whole project. agent: each run has its own."),
});

export const processesSchema = z
  .record(
    z
      .string()
      .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/, "a process name has letters, digits, dots, dashes or underscores"),
    processSchema,
  )
  .refine((value) => Object.keys(value).length <= limits.processesMax, `at most ${limits.processesMax} processes`)
  .describe("Named commands that only the door starts, each under its process: unit.");

const derivedSchema = z
  .array(
    z.strictObject({
      paths: z
        .array(line(limits.patternCharsMax))
        .min(1)
        .max(limits.patternsMax)
        .refine((globs) => globs.every((glob) => findGlobFlaw(glob) === undefined), "it is no glob of paths")
        .describe("Globs of the files that the command makes, such as package-lock.json."),
      command: argv.describe("Makes them again, as a list of arguments; no shell reads it."),
    }),
  )
  .max(limits.processesMax)
  .describe("Files that commands make of others: no run holds them, and they are made again on every candidate.");

const warmFolder = line(limits.pathCharsMax).refine(
  (value) => /^[^/]+(\/[^/]+)*$/.test(value) && !value.split("/").some((each) => [".", "..", ".git"].includes(each)),
  "a folder beside the lock file, such as vendor/bundle",
);

export const warmSchema = z
  .record(z.string().regex(/^[^/\0\n]{1,255}$/, "the name of a lock file, without its folder"), warmFolder)
  .refine((value) => Object.keys(value).length <= limits.processesMax, `at most ${limits.processesMax} of them`)
  .describe("Dependency folders that are kept warm beside those that are anyway: by the lock file next to each.");

const testTimeMs = z
  .int()
  .min(limits.testTimeMsMin, "a test needs some time, at least 1 s")
  .max(limits.testTimeMsMax, "a test has a day at most")
  .describe("How long each command on a candidate may take: its test, and what makes derived files.");

const landingMessage = text()
  .superRefine((value, context) => {
    const flaw = findMessageFlaw(value);
    if (flaw !== undefined) context.addIssue({ code: "custom", message: flaw });
  })
  .nullable()
  .describe(
    `What the commit of a landing says, with the fields ${messageFields.map((name) => `{${name}}`).join(", ")}; null: the usual.`,
  );

const landingBranch = line(limits.patternCharsMax)
  .superRefine((value, context) => {
    const flaw = findBranchFlaw(value);
    if (flaw !== undefined) context.addIssue({ code: "custom", message: flaw });
  })
  .nullable()
  .describe(
    "The branch that each run lands on instead of mainline, with {run} and, if wanted, {task}; null: mainline.",
  );

const derivedNetwork = z
  .boolean()
  .describe("Whether commands that make derived files reach what is on the allow-list of `egress`. For people.");

export const projectSchema = z.object({
  id: z.string(),
  name: z.string(),
  root: z.string(),
  foldCase: z.boolean(),
  processes: z.record(z.string(), z.object({ argv: z.array(z.string()), scope: z.enum(["project", "agent"]) })),
  kind: z
    .enum(["git", "folder"])
    .describe("Whether the person's folder is a git repository, or versioned by us alone."),
  branch: z.string().describe("The branch that landings are published to."),
  landingTest: z
    .array(z.string())
    .nullable()
    .describe("Tried on every candidate before it lands; null lands untested."),
  testTimeMs,
  landingMessage,
  landingBranch,
  egress: egressSchema.describe("Whom its runs may reach."),
  derived: derivedSchema,
  derivedNetwork,
  warm: warmSchema,
  image: imageSchema.nullable().describe("The system that commands find inside; null is the machine's own."),
  mainline: z.string().describe("The commit that mainline stands at."),
  published: z.string().describe("The commit of mainline that the person's branch has."),
  notPublished: z
    .object({ commit: z.string(), why: z.string(), how: z.string() })
    .nullable()
    .describe("Why the branch has nothing newer, and how to get it."),
});
export type Project = z.output<typeof projectSchema>;

export const addProjectSchema = z.strictObject({
  root: line(limits.pathCharsMax)
    .refine((value) => value.startsWith("/"), "the folder is an absolute path")
    .describe("The folder that agents work on, as an absolute path."),
  name: name("project's name").optional().describe("Left out: the name of the folder."),
  branch: line(limits.patternCharsMax)
    .optional()
    .describe("The branch that landings are published to. Left out: the one that is checked out."),
  foldCase: z.boolean().default(false).describe("Whether names that differ only in case are the same file."),
  processes: processesSchema.default({}),
  landingTest: argv.nullable().default(null).describe("A command that every candidate has to pass before it lands."),
  testTimeMs: testTimeMs.optional().describe("How long that command may take. Left out: half an hour."),
  egress: egressSchema.optional().describe("Whom its runs may reach. Left out: the list `developer`."),
});

export const changeProjectSchema = z.strictObject({
  project: projectRef,
  foldCase: z.boolean().optional().describe("Whether names that differ only in case are the same file."),
  processes: processesSchema.optional(),
  landingTest: argv.nullable().optional().describe("A command that every candidate has to pass; null lands untested."),
  testTimeMs: testTimeMs.optional(),
  landingMessage: landingMessage.optional(),
  landingBranch: landingBranch.optional(),
  egress: egressSchema.optional().describe("Whom its runs may reach, from now on. For people."),
  derived: derivedSchema.optional().describe("What is made of other files, all of it. For people."),
  derivedNetwork: derivedNetwork.optional(),
  warm: warmSchema.optional().describe("Further dependency folders that are kept warm, all of them. For people."),
  image: imageSchema
    .nullable()
    .optional()
    .describe("The system that commands of new runs find inside; null is the machine's own. For people."),
});

/** What a person's branch had of mainline before they amended, reset or rebased it away (LD42). */
export const droppedSchema = z.object({
  commit: z.string(),
  title: z.string().describe("The first line of its message."),
  how: z.string().describe("A command that gets it back onto the branch, in a checkout of the project."),
});
export type Dropped = z.infer<typeof droppedSchema>;
