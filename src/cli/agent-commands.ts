// Commands on living agents and on single services of them.

import type { Branch } from "./command-table.ts";
import { dockerNames } from "./rule-commands.ts";

export const agent: Branch = {
  brief: "Makes, lists, starts, stops and removes living agents, and looks into them.",
  aliases: { ...dockerNames, inspect: "show" },
  commands: {
    create: {
      brief: "Makes an agent from a template.",
      load: async () => (await import("./commands/agent.ts")).agentCreate,
    },
    list: { brief: "Lists the agents.", load: async () => (await import("./commands/agent.ts")).agentList },
    show: {
      brief: "Shows an agent and its services.",
      load: async () => (await import("./commands/agent.ts")).agentShow,
    },
    start: {
      brief: "Starts agents, or tries what had failed anew.",
      load: async () => (await import("./commands/agent.ts")).agentStart,
    },
    stop: {
      brief: "Stops agents; their workspaces stay.",
      load: async () => (await import("./commands/agent.ts")).agentStop,
    },
    scale: {
      brief: "Sees that there are so many agents of a template.",
      load: async () => (await import("./commands/agent.ts")).agentScale,
    },
    reload: {
      brief: "Makes an agent what its template says now.",
      load: async () => (await import("./commands/agent-reload.ts")).agentReload,
    },
    drift: {
      brief: "Shows what differs between an agent and its template.",
      load: async () => (await import("./commands/agent-reload.ts")).agentDrift,
    },
    refresh: {
      brief: "Brings an agent's files to mainline's newest commit.",
      load: async () => (await import("./commands/agent-refresh.ts")).agentRefresh,
    },
    archive: {
      brief: "Puts an agent away; its files stay, its ports are free.",
      load: async () => (await import("./commands/agent-archive.ts")).agentArchive,
    },
    restore: {
      brief: "Brings an archived agent back.",
      load: async () => (await import("./commands/agent-archive.ts")).agentRestore,
    },
    hook: {
      brief: "Shows what a hook of an agent said.",
      load: async () => (await import("./commands/agent-archive.ts")).agentHook,
    },
    assist: {
      brief: "Begins the assistant of an agent's template.",
      load: async () => (await import("./commands/agent-assist.ts")).agentAssist,
    },
    join: {
      brief: "Joins two agents: each sees the other's services.",
      load: async () => (await import("./commands/agent-join.ts")).agentJoin,
    },
    part: {
      brief: "Parts two agents that are joined.",
      load: async () => (await import("./commands/agent-join.ts")).agentPart,
    },
    restart: {
      brief: "Stops agents and starts them again.",
      load: async () => (await import("./commands/agent.ts")).agentRestart,
    },
    remove: {
      brief: "Takes agents away with everything of theirs.",
      load: async () => (await import("./commands/agent.ts")).agentRemove,
    },
    logs: {
      brief: "Shows what the services of an agent said.",
      load: async () => (await import("./commands/agent-logs.ts")).agentLogs,
    },
    failures: {
      brief: "Shows what failed in an agent, and how everything was then.",
      load: async () => (await import("./commands/agent-failures.ts")).agentFailures,
    },
    stats: {
      brief: "Shows what agents use of the machine, by service.",
      load: async () => (await import("./commands/agent-usage.ts")).agentStats,
    },
    top: {
      brief: "Shows the processes of an agent, those that use most first.",
      load: async () => (await import("./commands/agent-usage.ts")).agentTop,
    },
    exec: {
      brief: "Runs a command inside an agent.",
      load: async () => (await import("./commands/agent-exec.ts")).agentExec,
    },
    attach: {
      brief: "Joins your terminal in an agent, or opens it, as attach does.",
      load: async () => (await import("./commands/attach.ts")).agentAttach,
    },
  },
};

export const service: Branch = {
  brief: "Lists, shows, starts, stops and changes single services of an agent, and looks into them.",
  aliases: { ls: "list", inspect: "show" },
  commands: {
    list: {
      brief: "Lists the services of an agent, or of all.",
      load: async () => (await import("./commands/service.ts")).serviceList,
    },
    show: {
      brief: "Shows a service of an agent.",
      load: async () => (await import("./commands/service.ts")).serviceShow,
    },
    start: {
      brief: "Starts a service of an agent.",
      load: async () => (await import("./commands/service.ts")).serviceStart,
    },
    stop: {
      brief: "Stops a service; it stays down until somebody starts it.",
      load: async () => (await import("./commands/service.ts")).serviceStop,
    },
    restart: {
      brief: "Stops a service and starts it again.",
      load: async () => (await import("./commands/service.ts")).serviceRestart,
    },
    logs: {
      brief: "Shows what services of an agent said, as agent logs does.",
      load: async () => (await import("./commands/agent-logs.ts")).serviceLogs,
    },
    attach: {
      brief: "Stays with what a service says.",
      load: async () => (await import("./commands/agent-logs.ts")).serviceAttach,
    },
    stats: {
      brief: "Shows what a service uses of the machine.",
      load: async () => (await import("./commands/agent-usage.ts")).serviceStats,
    },
    top: {
      brief: "Shows the processes of a service, those that use most first.",
      load: async () => (await import("./commands/agent-usage.ts")).serviceTop,
    },
    exec: {
      brief: "Runs a command beside a service, with its variables.",
      load: async () => (await import("./commands/agent-exec.ts")).serviceExec,
    },
    scale: {
      brief: "Sees that there are so many instances of a service.",
      load: async () => (await import("./commands/agent-reload.ts")).serviceScale,
    },
    reload: {
      brief: "Makes a service what its template says now.",
      load: async () => (await import("./commands/agent-reload.ts")).serviceReload,
    },
    drift: {
      brief: "Shows what differs between a service and its template.",
      load: async () => (await import("./commands/agent-reload.ts")).serviceDrift,
    },
  },
};
