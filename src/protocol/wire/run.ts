import { z } from "zod";
import {
  argv,
  atMs,
  ownKey,
  name,
  priority,
  projectRef,
  runId,
  runnerName,
  tag,
  taskId,
  text,
  title,
  unit,
} from "../fields.ts";
import { limits } from "../limits.ts";
import { stuckActs } from "../stuck-acts.ts";
import { agentRef, agentStateNames } from "./agent.ts";
import { egressKindSchema } from "./egress.ts";
import { imageSchema } from "./image.ts";
import { spendSchema } from "./model.ts";
import { profileSettingsSchema, turnsMax } from "./profile.ts";
import { scopeSchema } from "./task.ts";

/** The states of a run. A test compares them with the core's. */
export const runStates = [
  "queued",
  "starting",
  "running",
  "blocked",
  "parked",
  "awaiting-input",
  "paused",
  "validating",
  "review",
  "landing",
  "done",
  "failed",
  "rejected",
  "terminated",
] as const;
export const runStateSchema = z.enum(runStates);
export type RunState = z.output<typeof runStateSchema>;

/** States in which nothing more happens by itself. */
export const overStates: readonly RunState[] = ["done", "failed", "rejected", "terminated"];

export const callSchema = z.object({
  number: z.number(),
  tool: z.string(),
  units: z.array(z.string()),
  started: z.boolean().describe("False while it waits at the door."),
  claim: z.string().nullable(),
  other: z.string().nullable().describe("The run that it waits for."),
});

export const runSchema = z.object({
  id: z.string(),
  task: z.string(),
  project: z.string(),
  projectName: z.string(),
  title: z.string(),
  by: z.string().describe("Who wanted it: person:NAME, agent:RUN or system."),
  user: z.string().describe("For whom: who wanted the first of the runs that started one another."),
  scope: z.array(z.string()).nullable().describe("Files and folders that it may change; null is everything."),
  runner: z.string(),
  profile: z.string().nullable(),
  settings: profileSettingsSchema
    .nullable()
    .describe("What its profile said when it was taken in, and what was raised for it since."),
  node: z.string(),
  priority: z.number(),
  tags: z.array(z.string()),
  plan: z.array(z.string()),
  dependsOn: z.array(z.string()),
  command: z.array(z.string()).nullable().describe("What the runner `command` runs."),
  parent: z.string().nullable(),
  sub: z.boolean().describe("Whether it acts under its parent's leases."),
  caged: z.boolean().describe("False where a person let it work without a cage."),
  egress: egressKindSchema.describe("How much of the network it has; without a cage all of it."),
  image: imageSchema.nullable().describe("The system that its commands find inside; null is the machine's own."),
  egressPolicy: z.string().nullable().describe("The policy that allows it no more."),
  agent: z.string().nullable().describe("Name of the living agent that it works in; null is a place of its own."),
  reuse: z.string().nullable().describe("The policy that put it there, where its submission named none."),
  retryOf: z.string().nullable(),
  forkOf: z
    .object({ run: z.string(), step: z.number() })
    .nullable()
    .describe("The step of another run that its workspace began as."),
  state: runStateSchema,
  because: z.string().nullable().describe("Why it is in this state."),
  submittedAtMs: atMs,
  sinceMs: atMs,
  startedAtMs: z.number().nullable(),
  endedAtMs: z.number().nullable(),
  outputsGone: z
    .object({
      atMs,
      because: z.enum(["age", "size"]).describe("age: kept long enough. size: a project kept too much."),
    })
    .nullable()
    .describe("When what it had said until then went, its requests to models too; null where all of it is there."),
  family: z.string().describe("The holder of its leases."),
  holds: z.array(z.string()).describe("Units that it holds now."),
  claim: z.string().nullable().describe("The claim that lets it start or go on."),
  behind: z.array(z.string()).describe("Holders that it waits for."),
  waitsFor: z
    .object({ policy: z.string(), limit: z.number().describe("Its maxConcurrent.") })
    .nullable()
    .describe("The policy whose limit has no room for it now, while it waits for a slot."),
  waitsForAgent: z
    .object({
      agent: z.string().describe("Its name."),
      state: z.enum(agentStateNames),
      run: z.string().nullable().describe("The run that is in it."),
    })
    .nullable()
    .describe("The living agent that it waits for: another run is in it, or it is not up."),
  call: callSchema.nullable(),
  callsDone: z.number(),
  question: z
    .object({
      id: z.string(),
      text: z.string(),
      leave: z
        .object({ tool: z.string(), what: z.string().describe("What it would do with it, in a line.") })
        .nullable()
        .describe("What its assistant asks leave for: the answer is allow or deny, by a person."),
    })
    .nullable()
    .describe("What it asks a person."),
  changes: z.array(z.string()).describe("Paths that differ from mainline's in its workspace, held or not."),
  commit: z.string().nullable().describe("The commit of mainline that its workspace stands at."),
  landed: z.string().nullable().describe("The commit that its changes landed as."),
  landedOn: z.string().nullable().describe("The branch that this commit is on, where it is not mainline."),
  filesChanged: z.number(),
  bytesWritten: z.number(),
  tested: z
    .object({ ok: z.boolean(), exit: z.union([z.number(), z.literal("unknown")]), event: z.number() })
    .nullable()
    .describe("How its acceptance command ended the last time; the event of that number has the end of its output."),
  spend: spendSchema.describe("What its model requests have cost."),
  ownCostMicros: z
    .number()
    .nullable()
    .describe("What it has cost by its assistant's own reckoning, where that says so."),
  treeSpend: spendSchema.describe("The same, of all runs that stem from the same one."),
  modelRefused: z
    .object({ code: z.string(), what: z.string(), policy: z.string() })
    .nullable()
    .describe("The budget that keeps it from its model."),
  stuck: z
    .object({
      why: z.enum(["silent", "loop", "errors", "tools"]),
      what: z.string(),
      policy: z.string(),
      act: z.enum(stuckActs).describe("What was done about it, beside that people are told."),
      atMs: z.number(),
    })
    .nullable()
    .describe("Why it seems to get nowhere."),
  delay: z
    .object({
      failure: z.string(),
      what: z.string(),
      attempt: z.number(),
      attemptsMax: z.number(),
      policy: z.string(),
      untilMs: z.number().describe("Engine time at which it goes on."),
    })
    .nullable()
    .describe("Why its assistant cannot work now, and when it is tried again. It costs nothing meanwhile."),
  handed: z
    .object({ from: z.string(), failure: z.string() })
    .nullable()
    .describe("The runner that its assistant took over from, and why."),
  failure: z.string().nullable().describe("The kind of failure, where its assistant failed it."),
  limitAtMs: z.number().nullable().describe("When its time is over."),
  limitPolicy: z.string().nullable().describe("The policy that limits its time."),
  approvalPolicy: z
    .string()
    .nullable()
    .describe("The policy that decided, at its end, whether a person has to approve the result."),
  approvedBy: z.string().nullable().describe("Who approved the result."),
});
export type Run = z.output<typeof runSchema>;

export const raiseSchema = z
  .strictObject({
    run: runId,
    limit: z.enum(["maxCostMicros", "maxTurns"]).describe("Which limit of its profile's."),
    to: z.int().min(1).max(Number.MAX_SAFE_INTEGER).describe("Micro-dollars or turns, and more than it is now."),
  })
  .superRefine(({ limit, to }, context) => {
    if (limit !== "maxTurns" || to <= turnsMax) return;
    context.addIssue({ code: "custom", path: ["to"], message: `no more than ${turnsMax} turns`, input: undefined });
  });

export const doorSchema = z.object({
  url: z.string().describe("Where an MCP client connects to."),
  token: z.string().describe("Its bearer token, shown only here. It is dead with the run."),
});

export const submitRunSchema = z.strictObject({
  project: projectRef,
  task: taskId
    .optional()
    .describe("A task that is there: it says title, description, acceptance and scope. Left out: a new one is made."),
  title: title.optional().describe("What is wanted, in a line. Left out: the task of the script."),
  description: text().default("").describe("What is wanted, at length."),
  acceptance: argv.nullable().default(null).describe("A command that has to succeed before the result counts."),
  scope: scopeSchema.default([]),
  runner: runnerName
    .optional()
    .describe("Who does it. Left out: as the profile says, else script, which is read from `script`."),
  profile: name("profile").nullable().default(null),
  node: name("node").default("local"),
  priority: priority.default(0).describe("Higher goes first where runs wait for the same."),
  tags: z.array(tag).max(limits.tagsMax).default([]),
  plan: z
    .array(unit)
    .max(limits.unitsMax)
    .optional()
    .describe("Units to claim before it starts, all together. Left out: the plan of the script."),
  dependsOn: z.array(runId).max(limits.dependsOnMax).default([]).describe("Runs that have to be done first."),
  script: z
    .string()
    .max(limits.scriptCharsMax)
    .optional()
    .describe("The script itself, as YAML text: task, optional plan, and steps."),
  command: argv
    .optional()
    .describe("What the runner `command` runs in the cage, as a list of words. No shell reads it."),
  parent: runId.nullable().default(null).describe("The run that starts this one."),
  sub: z.boolean().default(false).describe("Whether it acts under its parent's leases."),
  key: ownKey.nullable().default(null),
  noCage: z.boolean().default(false).describe("Lets its commands run without a cage. For people; it is recorded."),
  egress: egressKindSchema
    .optional()
    .describe("How much of the network it has. Left out: what its project grants; more is for people."),
  image: z
    .union([imageSchema, z.literal("none")])
    .optional()
    .describe("The system inside; none is the machine's own. Left out: its project's. For people."),
  agent: agentRef.optional().describe("A living agent of the project, to work in beside its services."),
});
