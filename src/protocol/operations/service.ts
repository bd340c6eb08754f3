// Single services of an agent: how they are, what they say and use, and what can be done to one alone.

import { z } from "zod";
import { argv, limit, line } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { agentRef, serviceName, serviceSchema } from "../wire/agent.ts";
import { agentTopSchema, serviceUseSchema } from "../wire/usage.ts";
import {
  agentAnswer,
  dryRun,
  execAnswer,
  execCwd,
  execTimeout,
  next,
  oneService,
  reloadPlan,
  templateFile,
  templateText,
} from "./agent-parts.ts";

const instancesMax = 32;
const searchedMax = 64;

const timesSchema = z
  .array(z.tuple([z.int(), z.number()]))
  .describe(
    "Offsets, each with when what stands from there on was said, by the clock of the agent's machine. Empty where nobody knows; left out where nobody asked.",
  );

const ofAgent = { agent: z.string(), name: z.string().describe("What the agent is called.") };

export const serviceOperations = {
  "service.get": operation({
    summary: "Shows a service, or each of its instances.",
    effect: "read",
    input: oneService,
    output: z.object({ ...ofAgent, services: z.array(serviceSchema) }),
    http: { method: "GET", path: "/api/v1/agents/{agent}/services/{service}" },
    mcp: {
      tool: "service_get",
      description:
        "Shows one service of an agent, or each of its instances: state, health, ports, how its last life ended.",
    },
  }),
  "service.start": operation({
    summary: "Starts a service that was stopped, has ended, or had failed.",
    effect: "write",
    input: oneService,
    output: agentAnswer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/services/{service}/start" },
    mcp: { tool: "service_start", description: `Starts a service that was stopped, has ended or had failed. ${next}` },
  }),
  "service.stop": operation({
    summary: "Stops a service; it stays down until somebody starts it.",
    effect: "write",
    input: oneService,
    output: agentAnswer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/services/{service}/stop" },
    mcp: { tool: "service_stop", description: `Stops a service; it stays down until somebody starts it. ${next}` },
  }),
  "service.restart": operation({
    summary: "Stops a service and starts it again.",
    effect: "write",
    input: oneService,
    output: agentAnswer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/services/{service}/restart" },
    mcp: { tool: "service_restart", description: `Stops a service and starts it again. ${next}` },
  }),
  "service.scale": operation({
    summary: "Sees that there are so many instances of a service.",
    effect: "write",
    input: oneService.extend({ instances: z.int().min(1).max(instancesMax) }),
    output: agentAnswer.extend(reloadPlan),
    http: { method: "POST", path: "/api/v1/agents/{agent}/services/{service}/scale" },
    mcp: {
      tool: "service_scale",
      description:
        "Sees that so many instances of a service stand behind its ports. From or to one, the agent's place is made anew around its files. agent_reload makes it what its template says again.",
    },
  }),
  "service.reload": operation({
    summary: "Makes one service of an agent what a template says of it now; nothing else of the agent changes.",
    effect: "write",
    input: oneService.extend({ template: templateText, file: templateFile, dryRun }),
    output: agentAnswer.extend(reloadPlan),
    http: { method: "POST", path: "/api/v1/agents/{agent}/services/{service}/reload" },
    mcp: {
      tool: "service_reload",
      description:
        "Makes one service what a template (YAML) says of it now, and leaves the rest of the agent. Raising limits is for people. `dryRun` says what that takes.",
    },
  }),
  "service.exec": operation({
    summary: "Runs a command beside a service, in its folder and with its variables, and answers how it ended.",
    effect: "write",
    input: oneService.extend({ argv, cwd: execCwd, timeoutMs: execTimeout }),
    output: execAnswer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/services/{service}/exec" },
    mcp: {
      tool: "service_exec",
      description:
        "Runs a command in an agent's cage with the folder, variables and ports of a service; it is not given the service's secrets.",
    },
  }),
  "service.stats": operation({
    summary:
      "Says what a service uses, or each of its instances: processors, memory, open files, processes, disk, ports.",
    effect: "read",
    input: oneService,
    output: z.object({ ...ofAgent, services: z.array(serviceUseSchema) }),
    http: { method: "GET", path: "/api/v1/agents/{agent}/services/{service}/stats" },
    mcp: {
      tool: "service_stats",
      description: "Shows what one service of an agent uses now, as agent_stats does, or each of its instances.",
    },
  }),
  "service.top": operation({
    summary: "Lists the processes of a service, those that use most first.",
    effect: "read",
    input: oneService.extend({ limit }),
    output: agentTopSchema,
    http: { method: "GET", path: "/api/v1/agents/{agent}/services/{service}/top" },
    mcp: {
      tool: "service_top",
      description: "Lists the processes of one service of an agent, as agent_top does.",
    },
  }),
  "service.output": operation({
    summary: "Reads what a service said, from an offset on, or the end of it.",
    effect: "read",
    input: z.strictObject({
      agent: agentRef,
      service: serviceName,
      life: z.int().min(1).optional().describe("Left out: the newest."),
      offset: z.int().min(0).optional().describe("Left out: so that the end is read."),
      limit: z.int().min(1).max(limits.outputBytesMax).default(limits.outputBytesMax),
      waitMs: z.int().min(0).max(limits.waitMsMax).default(0).describe("How long to wait for more than there is."),
      times: z.boolean().default(false),
    }),
    output: z.object({
      life: z.int(),
      text: z.string(),
      base64: z.string(),
      offset: z.int().describe("Where the bytes stand in the whole output of that life."),
      size: z.int(),
      ended: z.boolean().describe("Whether that life is over."),
      times: timesSchema.optional(),
    }),
    http: { method: "GET", path: "/api/v1/agents/{agent}/services/{service}/output" },
    mcp: {
      tool: "service_output",
      description:
        "Reads what a service said: the end of it, or from an offset on. Output of earlier lives by `life`. service_search finds lines in all of them.",
    },
  }),
  "service.search": operation({
    summary: "Finds lines in what services of an agent said, in every life that is kept.",
    effect: "read",
    input: z.strictObject({
      agent: agentRef,
      services: z.array(serviceName).max(searchedMax).optional().describe("Left out: all of them."),
      text: line(limits.patternCharsMax).describe("What a line has in it, as it stands there."),
      lives: z.enum(["all", "newest"]).default("all"),
      limit: limit.describe("At most so many lines of each service: its newest."),
    }),
    output: z.object({
      ...ofAgent,
      matches: z
        .array(
          z.object({
            service: z.string(),
            life: z.int(),
            offset: z
              .int()
              .describe("Where the line begins in the whole output of that life: service.output reads on."),
            line: z.string().describe("Cut at 2000 characters."),
          }),
        )
        .describe("Service by service, the oldest line first."),
      more: z.boolean().describe("Whether there are earlier ones."),
    }),
    http: { method: "GET", path: "/api/v1/agents/{agent}/search" },
    mcp: {
      tool: "service_search",
      description:
        "Finds lines in what services of an agent said, also before they were begun anew. Next: service_output with that life and offset.",
    },
  }),
};
