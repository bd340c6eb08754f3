import { z } from "zod";
import { atMs } from "../fields.ts";
import { agentActivityNames, agentStateNames, rungSchema, serviceStateNames } from "./agent.ts";
import { inboxKinds } from "./inbox.ts";
import { budgetSchema } from "./model.ts";
import { runStateSchema } from "./run.ts";

/** How much the document has at most: whoever reads it reads all of it. */
export const stateLimits = {
  itemsMax: 200,
  servicesMax: 50,
  portsMax: 16,
  facesMax: 16,
  terminalsMax: 8,
  unitsMax: 8,
  inboxMax: 20,
  textCharsMax: 200,
} as const;

/** The first so many of a list, and how many there are. */
function some<Item extends z.ZodType>(item: Item, max: number) {
  return z.object({
    total: z.int().describe(`How many there are; \`items\` has at most ${max} of them.`),
    items: z.array(item),
  });
}

const text = z.string().describe(`Cut at ${stateLimits.textCharsMax} characters.`);

const nodeSchema = z.object({
  name: z.string(),
  processors: z.int(),
  load: z.array(z.number()).describe("How many processes wanted to run, on average of 1, 5 and 15 minutes."),
  memory: z.object({ totalBytes: z.number(), availableBytes: z.number() }),
  disk: z
    .object({
      freeBytes: z.number(),
      totalBytes: z.number(),
      files: z.object({ free: z.number(), total: z.number() }).optional().describe("How many more files there may be."),
      freeBytesMin: z.number().describe("With less free than this no workspace is made."),
    })
    .describe("Where agents live."),
  unowned: z.int().nullable().describe("What the last audit found without an owner; null is not looked yet."),
});
export type NodeState = z.output<typeof nodeSchema>;

const projectSchema = z.object({
  id: z.string(),
  name: z.string(),
  root: z.string(),
  branch: z.string(),
  runs: z.int().describe("Runs that are not over."),
  agents: z.int(),
  published: z.boolean().describe("Whether the branch has everything that landed."),
});

const runSchema = z.object({
  id: z.string(),
  project: z.string(),
  title: text,
  runner: z.string(),
  state: runStateSchema,
  because: text.nullable(),
  sinceMs: atMs,
  parent: z.string().nullable(),
  holds: z.int().describe("How many units it holds."),
  waitsFor: z.array(z.string()).describe("Holders that it waits for."),
  question: text.nullable().describe("What it asks a person."),
  leave: z.boolean().describe("Whether that is leave, which a person gives or refuses."),
  costMicros: z.number(),
});

const serviceSchema = z.object({
  name: z.string(),
  state: z.enum(serviceStateNames),
  wanted: z.boolean(),
  healthy: z.boolean().nullable().describe("Null where nothing is known yet, or it has no check."),
  because: text.nullable(),
  sinceMs: atMs,
  restarts: z.int().describe("How often it was started again for its failures within its window."),
  ports: z.array(z.object({ name: z.string(), address: z.string() })),
});

const most = z.number().nullable().describe("Null where nothing bounds it.");

const useSchema = z.object({
  atMs,
  cpu: z.number().nullable().describe("Processors in use: 1 is one of them, all the time."),
  memoryBytes: z.number().describe("RSS: what processes share counts for each of them."),
  processes: z.int(),
  files: z.int().nullable().describe("Open files; null where that is not ours to see."),
  diskBytes: z
    .number()
    .nullable()
    .describe("Its workspace, home and temporary files, looked at every five minutes; null where nobody has."),
  limits: z
    .object({ cpu: most, memoryBytes: most, processes: most, diskBytes: most })
    .describe(
      "What it may use as a whole: by its template and policies, or as its share of the machine's memory and disk.",
    ),
});

const terminalSchema = z.object({
  id: z.string(),
  window: z.string(),
  by: z.string(),
  keyboard: z.string().nullable().describe("Who types."),
  viewers: z.int().nullable().describe("How many look at it now; null where the past is asked for."),
});

const agentSchema = z.object({
  id: z.string(),
  name: z.string(),
  project: z.string(),
  template: z.string(),
  node: z.string(),
  state: z.enum(agentStateNames),
  activity: z.enum(agentActivityNames),
  run: z.string().nullable().describe("The run that is in it."),
  because: text.nullable(),
  sinceMs: atMs,
  well: z.boolean().describe("Whether it runs and every service that is wanted is as it should be."),
  removing: z.boolean(),
  rung: rungSchema
    .nullable()
    .describe("The highest rung of the ladder that was tried since it was last well for long."),
  failures: z.int().describe("How often its services have failed; agent_failures tells them."),
  services: some(serviceSchema, stateLimits.servicesMax)
    .extend({ states: z.record(z.string(), z.int()).describe("All of them, instances too, by state.") })
    .describe("In the order of the template; where there are more, those that are not as they should be come first."),
  faces: z.array(z.object({ name: z.string(), kind: z.enum(["web", "mcp"]), url: z.string() })),
  use: useSchema
    .nullable()
    .describe(
      "What everything in it used when it was last looked at, every 15 seconds; null where nobody has, and where the past is asked for.",
    ),
  terminals: some(terminalSchema, stateLimits.terminalsMax).describe("Those that are open in it, the newest first."),
});

const archivedSchema = z.object({
  id: z.string(),
  name: z.string(),
  project: z.string(),
  template: z.string(),
  sinceMs: atMs.describe("Since when nothing of it runs."),
});

const leaseSchema = z.object({
  unit: z.string(),
  project: z.string(),
  holder: z.string(),
  state: z.string(),
  expiresAtMs: z.number().nullable(),
});

const waitingSchema = z.object({
  claim: z.string(),
  project: z.string(),
  holder: z.string(),
  position: z.int(),
  units: some(z.string(), stateLimits.unitsMax),
  behind: z.array(z.string()).describe("Holders of what is in its way."),
});

const needSchema = z.object({
  kind: z.enum(inboxKinds),
  run: z.string().nullable(),
  title: text,
  what: text,
  sinceMs: atMs,
  command: z.string().describe("The command that answers it."),
});

export const stateSchema = z.object({
  v: z.literal(1).describe("The version of this shape. Fields may be added; what is there keeps its meaning."),
  seq: z.number().describe("Number of the newest event that is in it."),
  nowMs: atMs,
  wallOffsetMs: z.number().describe("Time of day minus engine time."),
  version: z.string().describe("Of the daemon."),
  nodes: z.array(nodeSchema).describe("None where the past is asked for: the log does not say how machines were."),
  projects: some(projectSchema, stateLimits.itemsMax),
  runs: some(runSchema, stateLimits.itemsMax)
    .extend({ states: z.record(z.string(), z.int()).describe("All runs that are remembered, by state.") })
    .describe("Runs that are not over, the newest first."),
  agents: some(agentSchema, stateLimits.itemsMax).describe("Those that are not archived, the newest first."),
  archived: some(archivedSchema, stateLimits.itemsMax).describe("Agents that are put away, the newest first."),
  leases: some(leaseSchema, stateLimits.itemsMax),
  waiting: some(waitingSchema, stateLimits.itemsMax).describe("Claims that wait, in the order of their queues."),
  inbox: some(needSchema, stateLimits.inboxMax)
    .extend({ kinds: z.record(z.string(), z.int()) })
    .describe("What needs a person, the oldest first."),
  budgets: z.object({
    todayMicros: z.number().describe("What model requests have cost today (UTC)."),
    totalMicros: z.number(),
    pools: some(budgetSchema, stateLimits.itemsMax).describe("Of policies, for a day or for ever."),
  }),
});
export type StateDocument = z.output<typeof stateSchema>;
