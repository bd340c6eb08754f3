import { z } from "zod";
import { agentLimitsSchema, agentStateNames, heldLimitsSchema, limitsSchema, serviceStateNames } from "./agent.ts";

const useSchema = z.object({
  cpu: z
    .number()
    .nullable()
    .describe("Processors in use since the look before, or for a moment: 1 is one of them, all the time."),
  cpuMs: z.number().describe("Time of processors that its processes have used since their start."),
  memoryBytes: z.number().describe("RSS: memory in use now. What processes share counts for each of them."),
  files: z.int().nullable().describe("Open files; null where that is not ours to see."),
  writtenBytes: z
    .number()
    .nullable()
    .describe(
      "What its processes have sent to disks, each since it began, with those of its children that are over: some of it may be written over, or gone. Null where that is not ours to see.",
    ),
  processes: z.int(),
  threads: z.int(),
});
export type Use = z.output<typeof useSchema>;

export const serviceUseSchema = useSchema.extend({
  name: z.string(),
  state: z.enum(serviceStateNames),
  ports: z.array(z.object({ name: z.string(), address: z.string() })),
  limits: limitsSchema.describe("What it may use; null where nothing is said."),
  dataBytes: z
    .number()
    .nullable()
    .describe(
      "What the folders take that it has for itself: the data of its own image. Null where it has none, or nobody looked. What of the agent's workspace, home and temporary files is its own, nobody can tell.",
    ),
});

const agentUseSchema = useSchema.extend({
  agent: z.string(),
  name: z.string(),
  state: z.enum(agentStateNames),
  limits: agentLimitsSchema,
  heldBy: heldLimitsSchema,
  diskBytes: z.number().nullable().describe("Its workspace, home and temporary files; null where nobody looked."),
  diskBytesMax: z
    .number()
    .nullable()
    .describe("What its template, or a policy, allows of that; null where nothing is said."),
  shares: z
    .object({ memoryBytes: z.number().nullable(), diskBytes: z.number().nullable() })
    .describe(
      "What it is held to where `limits` do not say it: its share of the machine. Of the disk it is told where somebody looked, as it is while others take no more of it. Null where nothing bounds it, or `limits` do.",
    ),
  services: z.array(serviceUseSchema),
  others: useSchema.describe("Commands and terminals beside its services."),
  keeper: useSchema.describe("What keeps it."),
});
export type ServiceUse = z.output<typeof serviceUseSchema>;
export type AgentUse = z.output<typeof agentUseSchema>;

export const agentStatsSchema = z.object({ agents: z.array(agentUseSchema) });

const processUseSchema = useSchema.omit({ processes: true }).extend({
  pid: z.int().describe("As the machine numbers it."),
  command: z.string().describe("How it was called, cut at 200 characters."),
  service: z.string().nullable().describe("Null for what was started beside its services."),
  call: z.string().describe("What it was started for."),
});
export type ProcessUse = z.output<typeof processUseSchema>;

export const agentTopSchema = z.object({
  agent: z.string(),
  name: z.string(),
  total: z.int(),
  processes: z.array(processUseSchema),
});
