import { z } from "zod";
import { argv, at, name, nothing, projectRef, text } from "../fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { hookNames } from "../template/agent-spec.ts";
import { promptText } from "../template/assistant-schema.ts";
import { envSchema } from "../wire/env.ts";
import { agentRef, agentSchema, serviceName } from "../wire/agent.ts";
import { egressSchema, reachedSchema } from "../wire/egress.ts";
import { agentHistorySchema } from "../wire/health-history.ts";
import { failureSchema } from "../wire/failure.ts";
import { agentStatsSchema, agentTopSchema } from "../wire/usage.ts";

const templateCharsMax = 65_536;
/** As many as there may be where nobody says otherwise. */
const countMax = 100;
const execMsMax = 600_000;
const failuresMax = 50;
const execSecondsDefault = 60;

const one = z.strictObject({ agent: agentRef });
const service = z.strictObject({ agent: agentRef, service: serviceName });
const answer = z.object({ agent: agentSchema });
const force = z
  .boolean()
  .default(false)
  .describe("Ends the run that is in it too, whose work is set aside, and leaves its processes no time to tidy up.");
const effect = z
  .enum(["none", "service", "place", "never"])
  .describe("none: it becomes so. service: services restart. place: made anew around its files. never: another agent.");
const plan = {
  changes: z.array(
    z.object({
      path: z.string().describe("Where, as in `services.web.env`."),
      effect,
      agent: z.string().nullable().describe("What the agent has, as JSON."),
      template: z.string().nullable().describe("What the template says, as JSON."),
    }),
  ),
  restarts: z.array(z.string()).describe("Services that would be started again, those that need others among them."),
  effect,
};
const next = "Next: agent_get shows how far it is.";

export const agentOperations = {
  "agent.create": operation({
    summary: "Makes an agent from a template: a workspace of a project, with services that run in it.",
    effect: "write",
    input: z.strictObject({
      project: projectRef,
      name: name("agent").optional().describe("Left out: the template's name and a number."),
      template: text(templateCharsMax).describe("The template itself, as YAML."),
      file: text(limits.pathCharsMax).optional().describe("What the template's file is called, for messages about it."),
      count: z.int().min(1).max(countMax).default(1).describe("How many, all or none; each gets a number."),
      values: envSchema
        .default({})
        .describe("Other values for variables that stand in env at the top of the template."),
      prompt: promptText.optional().describe("Something else for the assistant of the template to do."),
    }),
    output: answer.extend({ agents: z.array(agentSchema).describe("All that were made; `agent` is the first.") }),
    http: { method: "POST", path: "/api/v1/agents" },
    mcp: {
      tool: "agent_create",
      description: `Makes a living agent from a template (YAML): its own workspace, network and ports, and services that are started in order, checked and started again. Answers at once, while it comes up. ${next}`,
    },
  }),
  "agent.scale": operation({
    summary:
      "Sees that there are so many agents of a template: makes more like the newest, or removes those made last.",
    effect: "write",
    input: z.strictObject({
      project: projectRef,
      template: text(limits.nameCharsMax).describe("The name of the template, as agents have it."),
      count: z.int().min(0).max(countMax),
      discard: z
        .boolean()
        .default(false)
        .describe("Removes also those in whose workspaces project files were changed."),
    }),
    output: z.object({ agents: z.array(agentSchema), made: z.array(z.string()), removed: z.array(z.string()) }),
    http: { method: "POST", path: "/api/v1/agents/scale" },
    mcp: {
      tool: "agent_scale",
      description:
        "Sees that there are so many agents of a template in a project: makes more like the newest one, or removes those that were made last. Changes nothing where one that would go has a run in it (`in-use`) or unsaved files (`unsaved`). Next: agent_list.",
    },
  }),
  "agent.list": operation({
    summary: "Lists the agents.",
    effect: "read",
    input: z.strictObject({
      project: projectRef.optional(),
      archived: z.boolean().default(false).describe("Those that are archived instead of those that are not."),
      at,
    }),
    output: z.object({ agents: z.array(agentSchema) }),
    http: { method: "GET", path: "/api/v1/agents" },
    mcp: {
      tool: "agent_list",
      description: "Lists the living agents with their services, ports, health and what failed. Start here.",
    },
  }),
  "agent.get": operation({
    summary: "Shows an agent.",
    effect: "read",
    input: one.extend({ at }),
    output: answer,
    http: { method: "GET", path: "/api/v1/agents/{agent}" },
    mcp: {
      tool: "agent_get",
      description:
        "Shows one agent: state, services, ports, how the last life of each service ended. Next: service_output for what a service said.",
    },
  }),
  "agent.start": operation({
    summary: "Starts an agent that is stopped, or tries again what had failed.",
    effect: "write",
    input: one,
    output: answer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/start" },
    mcp: {
      tool: "agent_start",
      description: `Starts an agent that is stopped, or tries what had failed anew. ${next}`,
    },
  }),
  "agent.join": operation({
    summary: "Joins two agents: each sees the other's services, by name and port, and nothing else of it.",
    effect: "write",
    input: one.extend({
      with: agentRef,
      across: z.boolean().default(false).describe("Also where they are of different projects."),
    }),
    output: answer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/join" },
    // What one agent lets another see is for people to say.
    mcp: null,
  }),
  "agent.part": operation({
    summary: "Parts two agents that are joined: neither sees the other's services any more.",
    effect: "write",
    input: one.extend({ with: agentRef }),
    output: answer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/part" },
    mcp: {
      tool: "agent_part",
      description:
        "Parts two agents that are joined: connections between them are cut off. A person can join them again.",
    },
  }),
  "agent.assist": operation({
    summary: "Begins the assistant of an agent's template as a run in it, now.",
    effect: "write",
    input: one.extend({ prompt: promptText.optional().describe("Left out: what the template says.") }),
    output: answer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/assist" },
    mcp: {
      tool: "agent_assist",
      description:
        "Begins the assistant that an agent's template names, as a run in the agent. Refused as `in-use` while it is at work, and where the template has none. Next: agent_get has its run.",
    },
  }),
  "agent.stop": operation({
    summary: "Stops an agent: its services go down in the reverse order of their needs. Its workspace stays.",
    effect: "write",
    input: z.strictObject({ agent: agentRef, force }),
    output: answer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/stop" },
    mcp: {
      tool: "agent_stop",
      description: `Stops an agent; its workspace and its ports stay its own. Refused as \`in-use\` while a run is in it. ${next}`,
    },
  }),
  "agent.restart": operation({
    summary: "Stops an agent and starts it again, or its applications alone.",
    effect: "write",
    input: one.extend({
      applications: z
        .boolean()
        .default(false)
        .describe("Only application services: external ones, such as databases, go on, and so does its cage."),
    }),
    output: answer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/restart" },
    mcp: {
      tool: "agent_restart",
      description: `Stops an agent and starts it again in a fresh cage. With \`applications\` only its application services begin anew, and external ones such as databases go on. ${next}`,
    },
  }),
  "agent.remove": operation({
    summary: "Stops an agent and takes it away with its workspace, ports and everything that it made.",
    effect: "write",
    input: z.strictObject({
      agent: agentRef,
      force,
      discard: z.boolean().default(false).describe("Also where files of the project were changed in its workspace."),
    }),
    output: nothing,
    http: { method: "POST", path: "/api/v1/agents/{agent}/remove" },
    mcp: {
      tool: "agent_remove",
      description:
        "Takes an agent away for good. Refused as `unsaved` while its workspace has changes of project files, unless `discard` is true.",
    },
  }),
  "agent.reload": operation({
    summary: "Makes an agent what a template says now: what can change while it runs does, what cannot restarts alone.",
    effect: "write",
    input: z.strictObject({
      agent: agentRef,
      template: text(templateCharsMax).describe("The template itself, as YAML."),
      file: text(limits.pathCharsMax).optional().describe("What the template's file is called, for messages about it."),
      dryRun: z.boolean().default(false).describe("Only says what differs, and what it would take."),
    }),
    output: answer.extend(plan),
    http: { method: "POST", path: "/api/v1/agents/{agent}/reload" },
    mcp: {
      tool: "agent_reload",
      description: `Makes a living agent what a template (YAML) says now. What can change at once does; services whose command, variables or check changed restart with those that need them; ports and instances make its place anew around the same files. With \`dryRun\` it only says what differs and what that would take. ${next}`,
    },
  }),
  "agent.refresh": operation({
    summary: "Brings an agent's files to mainline's newest commit: those that were changed in it stay, and are named.",
    effect: "write",
    input: one,
    output: answer.extend({
      from: z.string().describe("The commit that its files were of."),
      commit: z.string().describe("The commit that they are of now."),
      moved: z
        .array(z.string())
        .max(limits.pageMax)
        .describe("Files that are another now, or gone: the first of them."),
      movedCount: z.int(),
      kept: z.array(z.string()).max(limits.pageMax).describe("Changed in the agent, and left: the first of them."),
      keptCount: z.int(),
    }),
    http: { method: "POST", path: "/api/v1/agents/{agent}/refresh" },
    mcp: {
      tool: "agent_refresh",
      description:
        "Brings the files of a living agent to mainline's newest commit. Files that nobody changed in the agent move; those that were changed there stay and are listed in `kept`. Services that watch files begin anew by themselves. Refused as `in-use` while a run is in the agent, which is in step by itself. Next: agent_get, or service_restart.",
    },
  }),
  "agent.archive": operation({
    summary:
      "Puts an agent away: its services go down in order, its files, history and recordings stay, its ports are free.",
    effect: "write",
    input: z.strictObject({ agent: agentRef, force }),
    output: answer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/archive" },
    mcp: {
      tool: "agent_archive",
      description: `Puts an agent away after its archive hook: its files and history stay, its ports are given back. Not archived where the hook fails. Refused as \`in-use\` while a run is in it. ${next} agent_restore brings it back.`,
    },
  }),
  "agent.restore": operation({
    summary: "Brings an archived agent back, around the same files, with its ports where nobody else has them now.",
    effect: "write",
    input: one,
    output: answer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/restore" },
    mcp: { tool: "agent_restore", description: `Brings back an agent that was archived, and starts it. ${next}` },
  }),
  "hook.output": operation({
    summary: "Reads the end of what a hook of an agent said when it was last run.",
    effect: "read",
    input: z.strictObject({ agent: agentRef, hook: z.enum(hookNames) }),
    output: z.object({ text: z.string(), size: z.int().describe("Bytes that it said in all.") }),
    http: { method: "GET", path: "/api/v1/agents/{agent}/hooks/{hook}/output" },
    mcp: { tool: "hook_output", description: "Reads what the setup, ready or archive hook of an agent said last." },
  }),
  "agent.wait": operation({
    summary: "Waits until an agent has come to rest: running, stopped, in error, or gone.",
    effect: "read",
    input: z.strictObject({
      agent: agentRef,
      waitMs: z.int().min(0).max(limits.waitMsMax).default(limits.waitMsMax),
      seen: z.int().min(0).optional().describe("`seen` of the last answer: then also whatever has changed since."),
    }),
    output: z.object({
      agent: agentSchema.nullable().describe("Null where it is gone."),
      rests: z.boolean().describe("False where the time was up first, or something has changed."),
      seen: z.int(),
    }),
    http: { method: "GET", path: "/api/v1/agents/{agent}/wait" },
    mcp: {
      tool: "agent_wait",
      description:
        "Waits until an agent is running, stopped or in error, at most a minute. Ask again where it does not rest yet.",
    },
  }),
  "agent.egress": operation({
    summary: "Says whom an agent may reach, and whom everything in it has tried to.",
    effect: "read",
    input: one,
    output: z.object({
      egress: egressSchema.extend({ policy: z.string().nullable() }).describe("What it may, as of now."),
      hosts: z.array(reachedSchema),
      nowMs: z.number(),
    }),
    http: { method: "GET", path: "/api/v1/agents/{agent}/egress" },
    mcp: {
      tool: "agent_egress",
      description:
        "Shows whom an agent may reach on the network, and which hosts its services and the runs in it have reached or were refused, with the reason. Use it when a service cannot fetch something.",
    },
  }),
  "agent.failures": operation({
    summary: "Lists what failed in an agent, the newest first, each with how everything was at that moment.",
    effect: "read",
    input: z.strictObject({
      agent: agentRef,
      service: serviceName.optional(),
      limit: z.int().min(1).max(failuresMax).default(10),
    }),
    output: z.object({ agent: z.string(), name: z.string(), failures: z.array(failureSchema), nowMs: z.number() }),
    http: { method: "GET", path: "/api/v1/agents/{agent}/failures" },
    mcp: {
      tool: "agent_failures",
      description:
        "Lists what failed in an agent, the newest first: its class, how the process ended and what it said last, limits and use, how the services were that it needs, what was changed before, how often it failed like this, and what was done about it. Use it to find out why. Next: service_output, agent_reload.",
    },
  }),
  "agent.history": operation({
    summary:
      "Says how an agent did over time: what it used, how its checks went, how it came up, and what will be if it goes on.",
    effect: "read",
    input: z.strictObject({
      agent: agentRef,
      span: z
        .enum(["hour", "day"])
        .default("hour")
        .describe("The last hour by 15 seconds, or the last day by five minutes."),
    }),
    output: agentHistorySchema,
    http: { method: "GET", path: "/api/v1/agents/{agent}/history" },
    mcp: {
      tool: "agent_history",
      description:
        "Shows how an agent did over time: processors, memory, files and disk of it and each service, how long health checks took (p50, p95), for which part of the time each service was well, how long each phase of coming up took, warnings (memory or disk that will be full, more failures) and how many more such agents fit. Use it before you scale or raise limits.",
    },
  }),
  "agent.stats": operation({
    summary: "Says what agents use: processors, memory, open files, processes, disk and ports, by service.",
    effect: "read",
    input: z.strictObject({
      agents: z.array(agentRef).max(limits.pageMax).optional().describe("Left out: all of them."),
      disk: z.boolean().default(true).describe("Whether to look at the disk too, which takes longest."),
    }),
    output: agentStatsSchema,
    http: { method: "GET", path: "/api/v1/agent-stats" },
    mcp: {
      tool: "agent_stats",
      description:
        "Shows what agents use now, together and by service: processors (1 is one processor all the time), memory (RSS), open files, processes, threads, disk, ports. Use it to find who takes the machine. Next: agent_top for the processes of one agent.",
    },
  }),
  "agent.top": operation({
    summary: "Lists the processes of an agent, those that use most first.",
    effect: "read",
    input: z.strictObject({ agent: agentRef, limit: z.int().min(1).max(limits.pageMax).default(limits.pageDefault) }),
    output: agentTopSchema,
    http: { method: "GET", path: "/api/v1/agents/{agent}/top" },
    mcp: {
      tool: "agent_top",
      description:
        "Lists the processes of one agent with their service, command, processors, memory (RSS), open files and threads, those that use most first. Next: service_restart, or agent_exec to look inside.",
    },
  }),
  "agent.exec": operation({
    summary: "Runs a command inside an agent, and answers how it ended.",
    effect: "write",
    input: z.strictObject({
      agent: agentRef,
      argv,
      cwd: text(limits.pathCharsMax).optional().describe("A folder of the workspace."),
      timeoutMs: z
        .int()
        .min(1)
        .max(execMsMax)
        .default(execSecondsDefault * 1000),
    }),
    output: z.object({
      exit: z.union([z.int(), z.literal("unknown")]),
      why: z.string(),
      output: z.string().describe("The end of what it said."),
      outputBytes: z.int(),
    }),
    http: { method: "POST", path: "/api/v1/agents/{agent}/exec" },
    mcp: {
      tool: "agent_exec",
      description:
        "Runs a command inside an agent's cage, beside its services: to look at a database, to call a server, to run a migration.",
    },
  }),
  "service.start": operation({
    summary: "Starts a service that was stopped, has ended, or had failed.",
    effect: "write",
    input: service,
    output: answer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/services/{service}/start" },
    mcp: { tool: "service_start", description: `Starts a service that was stopped, has ended or had failed. ${next}` },
  }),
  "service.stop": operation({
    summary: "Stops a service; it stays down until somebody starts it.",
    effect: "write",
    input: service,
    output: answer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/services/{service}/stop" },
    mcp: { tool: "service_stop", description: `Stops a service; it stays down until somebody starts it. ${next}` },
  }),
  "service.restart": operation({
    summary: "Stops a service and starts it again.",
    effect: "write",
    input: service,
    output: answer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/services/{service}/restart" },
    mcp: { tool: "service_restart", description: `Stops a service and starts it again. ${next}` },
  }),
  "service.output": operation({
    summary: "Reads what a service said, from an offset on, or the end of it.",
    effect: "read",
    input: z.strictObject({
      agent: agentRef,
      service: serviceName,
      life: z.int().min(1).optional().describe("Which of its lives; left out: the newest."),
      offset: z.int().min(0).optional().describe("Left out: so that the end is read."),
      limit: z.int().min(1).max(limits.outputBytesMax).default(limits.outputBytesMax),
      waitMs: z.int().min(0).max(limits.waitMsMax).default(0).describe("How long to wait for more than there is."),
    }),
    output: z.object({
      life: z.int(),
      text: z.string(),
      base64: z.string(),
      offset: z.int().describe("Where the bytes stand in the whole output of that life."),
      size: z.int(),
      ended: z.boolean().describe("Whether that life is over."),
    }),
    http: { method: "GET", path: "/api/v1/agents/{agent}/services/{service}/output" },
    mcp: {
      tool: "service_output",
      description: "Reads what a service said: the end of it, or from an offset on. Output of earlier lives by `life`.",
    },
  }),
};
