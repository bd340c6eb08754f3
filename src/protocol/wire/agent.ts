import { z } from "zod";
import { faceNameCharsMax, faceNamePattern, faceNameRule } from "../face-host.ts";
import { limits } from "../limits.ts";
import { atMs } from "../fields.ts";
import { assistantStarts, hookNames, workspaceKinds } from "../template/agent-spec.ts";
import { egressKindSchema } from "./egress.ts";
import { imageSchema } from "./image.ts";

export const rungSchema = z.enum(["recreate", "reallocate", "respawn", "ask"]);
export const agentStateNames = ["spawning", "running", "stopping", "stopped", "error"] as const;
export const serviceStateNames = [
  "down",
  "waiting",
  "starting",
  "up",
  "stopping",
  "delayed",
  "completed",
  "failed",
  "scheduled",
] as const;

export const agentActivityNames = ["ready", "working", "awaiting-input", "validating"] as const;

export const agentRef = z
  .string()
  .min(1)
  .max(limits.nameCharsMax)
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]*$/, "an agent is given by its id or its name")
  .describe("Id or name of an agent.");

export const serviceName = z
  .string()
  .min(1)
  .max(limits.nameCharsMax)
  .regex(
    /^[a-z0-9][a-z0-9-]*(?:\.[0-9]+)?$/,
    "a service is called as in its template: small letters, digits and dashes; one of its instances has a dot and a number behind it",
  )
  .describe("Name of a service, or of one of its instances, such as web.2.");

export const faceName = z
  .string()
  .min(1)
  .max(faceNameCharsMax)
  .regex(faceNamePattern, faceNameRule)
  .describe("Name of a face, as its template says it.");

const portSchema = z.object({
  name: z.string(),
  port: z.int().describe("The number, the same on the machine and inside the agent."),
  address: z.string().describe("Where it is on the machine."),
  own: z.int().nullable().describe("Of an instance: the number of it alone, behind the shared one. Null for others."),
});

export const limitsSchema = z
  .object({
    memoryBytes: z.number().nullable(),
    memoryBytesMax: z.number().optional().describe("How much memory it may be given; left out, no more."),
    cpu: z.number().nullable().describe("Processors."),
    processes: z.int().nullable(),
    files: z.int().nullable().describe("Of each process."),
    diskBytes: z.number().optional().describe("What all of an agent may take of the disk."),
    outputBytesPerS: z
      .number()
      .optional()
      .describe("What each command and service of an agent may say in a second, where a policy says that."),
  })
  .nullable();
export type UseLimits = z.output<typeof limitsSchema>;

const agentLimitNames = ["memoryBytes", "cpu", "processes", "files", "outputBytesPerS", "diskBytes"] as const;

export const agentLimitsSchema = limitsSchema.describe(
  "What everything in it may use together, as its template says and at most as policies allow; null where nobody says anything.",
);
export const heldLimitsSchema = z
  .array(z.object({ limit: z.enum(agentLimitNames), policy: z.string() }))
  .describe("Those of its limits that a policy has said, each with its name.");
export type HeldLimits = z.output<typeof heldLimitsSchema>;
export const endSchema = z.object({
  exit: z.union([z.int(), z.literal("unknown")]),
  why: z.string(),
  said: z.string().describe("The last that it said."),
  signal: z.string().optional().describe("The signal that ended it; left out where none did."),
});

export const serviceSchema = z.object({
  name: z.string(),
  group: z.string().nullable().describe("The service that it is an instance of; null for one that has none."),
  spare: z.boolean().describe("An instance that waits until another one is to be replaced."),
  outdated: z.boolean().describe("An instance that will be begun anew as soon as that hurts nobody."),
  kind: z.enum(["external", "application"]),
  state: z.enum(serviceStateNames),
  wanted: z.boolean().describe("False where somebody has stopped it."),
  healthy: z.boolean().nullable().describe("Null where nothing is known yet, or it has no check."),
  because: z.string().nullable(),
  sinceMs: atMs,
  dueAtMs: z.number().nullable().describe("When it is started again, in engine time."),
  nextAtMs: z.number().nullable().describe("When its schedule starts it, as a time of the day; null without one."),
  life: z.int().describe("How often it was started."),
  restarts: z.int().describe("How often it was started again for its failures within its window."),
  end: endSchema.nullable().describe("How its last life ended."),
  ports: z.array(portSchema),
  needs: z.array(z.object({ service: z.string(), until: z.enum(["started", "healthy", "completed"]) })),
  command: z.array(z.string()).describe("Empty where its image says what to start."),
  image: imageSchema.nullable().describe("The system that it has for itself; null where it has its agent's."),
  limits: limitsSchema.describe("What it may use; null where nothing is said."),
  failures: z
    .array(z.object({ found: z.string(), count: z.int(), lastAtMs: z.number() }))
    .describe("How often it failed, by what it was, the newest first. agent.failures has each with its context."),
});
export type ServiceView = z.output<typeof serviceSchema>;

export const hookStateNames = ["waiting", "running", "done", "failed"] as const;

const hookSchema = z.object({
  name: z.enum(hookNames),
  state: z.enum(hookStateNames),
  end: endSchema.nullable().describe("How it went last."),
});
export type HookView = z.output<typeof hookSchema>;

const faceSchema = z.object({
  name: z.string(),
  kind: z.enum(["web", "mcp"]),
  title: z.string().nullable(),
  service: z.string(),
  port: z.string().describe("The name of its port."),
  url: z.string().describe("Where it is. A browser gets in by face.open first, a program with a bearer token."),
});
export type FaceView = z.output<typeof faceSchema>;

export const faceListed = faceSchema.extend({
  agent: z.string(),
  agentId: z.string(),
  state: z.enum(serviceStateNames).describe("How its service is."),
});
export type FaceListed = z.output<typeof faceListed>;

export const assistantStateNames = ["waiting", "called", "begun", "failed"] as const;

const assistantSchema = z.object({
  profile: z.string(),
  start: z.enum(assistantStarts),
  state: z.enum(assistantStateNames).describe("How its last beginning went; waiting before the first."),
  run: z.string().nullable().describe("The run that it is, or was last."),
  because: z.string().nullable().describe("Why it could not be begun."),
});
export type AssistantView = z.output<typeof assistantSchema>;

const joinedSchema = z.object({
  agent: z.string().describe("The name of the other one."),
  agentId: z.string(),
  by: z.enum(["person", "templates"]).describe("Whose word it is."),
  services: z.array(
    z.object({
      service: z.string(),
      name: z.string().describe("The name of the port."),
      host: z.string().describe("How it is called inside this agent."),
      port: z.int(),
    }),
  ),
});
export type JoinedView = z.output<typeof joinedSchema>;

export const agentSchema = z.object({
  id: z.string(),
  name: z.string(),
  project: z.string(),
  projectName: z.string(),
  template: z.string(),
  node: z.string(),
  by: z.string().describe("Who made it."),
  madeAtMs: atMs,
  state: z.enum(agentStateNames),
  because: z.string().nullable(),
  sinceMs: atMs,
  life: z.int().describe("How often its place was made."),
  removing: z.boolean(),
  rung: rungSchema
    .nullable()
    .describe("The highest rung of the ladder that was tried since it was last well for ten minutes."),
  activity: z.enum(agentActivityNames).describe("What it is doing: that follows from the run in it."),
  run: z.string().nullable().describe("The run that is in it."),
  egress: egressKindSchema.describe("How much of the network everything in it has."),
  image: imageSchema.nullable().describe("The system inside; null is the machine's own."),
  workspace: z
    .enum(workspaceKinds)
    .nullable()
    .describe("How its files are laid out, as its template says; null is as the machine does it."),
  archived: z.boolean().describe("Put away: its files are there, its ports are not. agent.restore brings it back."),
  limits: agentLimitsSchema,
  heldBy: heldLimitsSchema,
  hooks: z.array(hookSchema),
  assistant: assistantSchema.nullable().describe("Who works in it by itself; null where its template says nobody."),
  joined: z.array(joinedSchema).describe("Agents whose services it sees, and which see its own."),
  services: z.array(serviceSchema),
  faces: z.array(faceSchema),
});
export type AgentView = z.output<typeof agentSchema>;
