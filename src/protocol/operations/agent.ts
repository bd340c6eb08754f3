import { z } from "zod";
import { argv, at, line, name, nothing, projectRef, text } from "../fields.ts";
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
import {
  agentAnswer,
  dryRun,
  execAnswer,
  execCwd,
  execTimeout,
  next,
  oneAgent,
  reloadPlan,
  templateFile,
  templateText,
} from "./agent-parts.ts";

/** As many as there may be where nobody says otherwise. */
const countMax = 100;
const failuresMax = 50;
const servicesMax = 64;
const linesMax = 5000;
/** As clocks of machines tell it: later than this none does. */
const moment = z.number().min(0).max(Number.MAX_SAFE_INTEGER);

const force = z
  .boolean()
  .default(false)
  .describe("Ends the run that is in it too, whose work is set aside, and leaves its processes no time to tidy up.");

const setAside = z.boolean().default(false).describe("Keeps changed files of the project in the trash.");

export const agentOperations = {
  "agent.create": operation({
    summary: "Makes an agent from a template: a workspace of a project, with services that run in it.",
    effect: "write",
    input: z.strictObject({
      project: projectRef.optional().describe("Id or name; left out, the template's."),
      name: name("agent").optional().describe("Left out: the template's name and a number."),
      template: templateText,
      file: templateFile,
      count: z.int().min(1).max(countMax).default(1).describe("How many, all or none; each gets a number."),
      values: envSchema
        .default({})
        .describe("Other values for variables that stand in env at the top of the template."),
      prompt: promptText.optional().describe("Something else for the assistant of the template to do."),
    }),
    output: agentAnswer.extend({
      agents: z.array(agentSchema).describe("All that were made; `agent` is the first."),
      warnings: z
        .array(
          z.object({
            code: z.enum(["limit-beyond-machine", "limit-beyond-policy"]),
            message: z.string(),
          }),
        )
        .describe("Limits that are more than its machine has or policies allow. It was made all the same."),
    }),
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
      setAside,
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
    input: oneAgent.extend({ at }),
    output: agentAnswer,
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
    input: oneAgent,
    output: agentAnswer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/start" },
    mcp: {
      tool: "agent_start",
      description: `Starts an agent that is stopped, or tries what had failed anew. ${next}`,
    },
  }),
  "agent.join": operation({
    summary: "Joins two agents: each sees the other's services, by name and port, and nothing else of it.",
    effect: "write",
    input: oneAgent.extend({
      with: agentRef,
      across: z.boolean().default(false).describe("Also where they are of different projects."),
    }),
    output: agentAnswer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/join" },
    // What one agent lets another see is for people to say.
    mcp: null,
  }),
  "agent.part": operation({
    summary: "Parts two agents that are joined: neither sees the other's services any more.",
    effect: "write",
    input: oneAgent.extend({ with: agentRef }),
    output: agentAnswer,
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
    input: oneAgent.extend({ prompt: promptText.optional().describe("Left out: what the template says.") }),
    output: agentAnswer,
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
    output: agentAnswer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/stop" },
    mcp: {
      tool: "agent_stop",
      description: `Stops an agent; its workspace and its ports stay its own. Refused as \`in-use\` while a run is in it. ${next}`,
    },
  }),
  "agent.restart": operation({
    summary: "Stops an agent and starts it again, or its applications alone.",
    effect: "write",
    input: oneAgent.extend({
      applications: z
        .boolean()
        .default(false)
        .describe("Only application services: external ones, such as databases, go on, and so does its cage."),
    }),
    output: agentAnswer,
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
      setAside,
    }),
    output: nothing,
    http: { method: "POST", path: "/api/v1/agents/{agent}/remove" },
    mcp: {
      tool: "agent_remove",
      description:
        "Takes an agent away for good. Refused as `unsaved` while its workspace has changes of project files, unless `setAside` keeps them in the trash, or `discard` loses them.",
    },
  }),
  "agent.reload": operation({
    summary: "Makes an agent what a template says now: what can change while it runs does, what cannot restarts alone.",
    effect: "write",
    input: z.strictObject({
      agent: agentRef,
      template: templateText,
      file: templateFile,
      dryRun,
    }),
    output: agentAnswer.extend(reloadPlan),
    http: { method: "POST", path: "/api/v1/agents/{agent}/reload" },
    mcp: {
      tool: "agent_reload",
      description: `Makes a living agent what a template (YAML) says now. What can change at once does; services whose command, variables or check changed restart with those that need them; ports and instances make its place anew around the same files. Raising limits is for people. With \`dryRun\` it only says what differs and what that would take. ${next}`,
    },
  }),
  "agent.refresh": operation({
    summary: "Brings an agent's files to mainline's newest commit: those that were changed in it stay, and are named.",
    effect: "write",
    input: oneAgent,
    output: agentAnswer.extend({
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
        "Brings the files of a living agent to mainline's newest commit. Files that nobody changed there move; changed ones stay and are listed in `kept`. Services that watch files begin anew. Refused as `in-use` while a run is in it, which is in step by itself. Next: agent_get, or service_restart.",
    },
  }),
  "agent.archive": operation({
    summary:
      "Puts an agent away: its services go down in order, its files, history and recordings stay, its ports are free.",
    effect: "write",
    input: z.strictObject({ agent: agentRef, force }),
    output: agentAnswer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/archive" },
    mcp: {
      tool: "agent_archive",
      description: `Puts an agent away after its archive hook: its files and history stay, its ports are given back. Not archived where the hook fails or the agent is not up. Refused as \`in-use\` while a run is in it. ${next} agent_restore brings it back.`,
    },
  }),
  "agent.restore": operation({
    summary: "Brings an archived agent back, around the same files, with its ports where nobody else has them now.",
    effect: "write",
    input: oneAgent,
    output: agentAnswer,
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
      service: serviceName.optional().describe("Until this service of it has, whatever its others do."),
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
    input: oneAgent,
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
  "agent.logs": operation({
    summary: "Reads what services of an agent said, all of them together in the order of time.",
    effect: "read",
    input: z
      .strictObject({
        agent: agentRef,
        services: z.array(serviceName).max(servicesMax).optional(),
        lives: z.enum(["newest", "previous", "all"]).default("newest"),
        life: z.int().min(1).optional(),
        text: line(limits.patternCharsMax).optional(),
        sinceMs: moment.optional(),
        untilMs: moment.optional(),
        limit: z.int().min(1).max(linesMax).default(100),
      })
      .refine(
        ({ life, services }) => life === undefined || services?.length === 1,
        "a life is one of one service: say which",
      ),
    output: z.object({
      agent: z.string(),
      name: z.string().describe("What the agent is called."),
      lines: z.array(
        z.object({
          service: z.string(),
          life: z.int(),
          atMs: z.number().nullable().describe("When it was said, by the clock of the agent's machine."),
          text: z.string(),
        }),
      ),
      more: z.boolean().describe("Whether there are earlier ones."),
      ends: z
        .array(z.object({ service: z.string(), life: z.int(), offset: z.int() }))
        .describe("How far each life was read: service.output goes on from there."),
      untimed: z
        .array(z.string())
        .describe("Services of which nobody noted when they said something: earlier releases did not."),
    }),
    http: { method: "GET", path: "/api/v1/agents/{agent}/logs" },
    mcp: {
      tool: "agent_logs",
      description:
        "Reads what services of an agent said, in the order of time: the newest lines of each; `text` and times (of the machine's clock) narrow it.",
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
        "Lists what failed in an agent, the newest first: its class, how the process ended, its last words, limits and use, how its needs were, what was changed before, how often it failed like this, and what was done about it. Next: service_output, agent_reload.",
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
        "Shows how an agent did over time: processors, memory, files and disk of it and each service, health checks (p50, p95), how much of the time each service was well, how long coming up took, warnings, and how many more such agents fit. Use it before you scale or raise limits.",
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
        "Shows what agents use now, together and by service: processors (1 is one processor all the time), memory (RSS), open files, processes, threads, bytes written (not what is there), disk, ports. Use it to find who takes the machine. Next: agent_top for the processes of one agent.",
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
      cwd: execCwd,
      timeoutMs: execTimeout,
    }),
    output: execAnswer,
    http: { method: "POST", path: "/api/v1/agents/{agent}/exec" },
    mcp: {
      tool: "agent_exec",
      description:
        "Runs a command inside an agent's cage, beside its services: to look at a database, to call a server, to run a migration.",
    },
  }),
};
