// What a person can do to an agent or one of its services, the key that does it, and the command that does the same. The
// daemon has the last word.

import type { OutputOf } from "../../protocol/operations.ts";
import type { AgentView, ServiceView } from "../../protocol/wire/agent.ts";
import { toMany } from "./format.ts";
import { toShell } from "./shell-text.ts";
import { toVisible } from "./visible-text.ts";

export type AgentActName = "start" | "stop" | "restart" | "refresh" | "remove";

export type AgentAct = {
  readonly name: AgentActName;
  readonly label: string;
  readonly key: string;
  readonly look?: "danger";
  /** What happens then, after the name. */
  readonly done: string;
  readonly undo?: AgentActName;
};

const acts: Readonly<Record<AgentActName, AgentAct>> = {
  start: { name: "start", label: "Start", key: "T", done: "is started", undo: "stop" },
  restart: { name: "restart", label: "Restart", key: "R", done: "is restarted" },
  refresh: { name: "refresh", label: "Refresh", key: "F", done: "has mainline's files" },
  stop: { name: "stop", label: "Stop", key: "S", done: "is stopped", undo: "start" },
  remove: { name: "remove", label: "Remove…", key: "E", look: "danger", done: "is being removed" },
};

export function actsOfAgent({ state, removing, run }: AgentView): AgentAct[] {
  if (removing) return [];
  const names: readonly AgentActName[] = {
    spawning: ["stop", "remove"] as const,
    // A run in it keeps it in step by itself.
    running:
      run === null ? (["restart", "refresh", "stop", "remove"] as const) : (["restart", "stop", "remove"] as const),
    stopping: ["start", "remove"] as const,
    stopped: ["start", "remove"] as const,
    error: ["start", "restart", "stop", "remove"] as const,
  }[state];
  return names.map((name) => acts[name]);
}

/** What is offered where an agent needs somebody: what might help it. The rest is on its page. */
export function actsOfAgentInNeed(agent: AgentView): AgentAct[] {
  return actsOfAgent(agent).filter(({ name }) => name !== "remove" && name !== "refresh");
}

export function actsOfService(agent: AgentView, { state, wanted }: ServiceView): AgentAct[] {
  if (agent.removing || agent.state === "stopped" || agent.state === "stopping") return [];
  if (!wanted || state === "completed" || state === "failed" || state === "scheduled") return [acts.start];
  if (state === "up") return [acts.restart, acts.stop];
  return [acts.stop];
}

export function keysOfAgentActs(): { readonly key: string; readonly label: string }[] {
  return Object.values(acts).map(({ key, label }) => ({ key, label }));
}

export function toAgentCommand(act: AgentActName, agent: string, service?: string): string {
  if (service !== undefined) return `signalbox service ${act} ${toShell(agent)} ${toShell(service)}`;
  return `signalbox agent ${act} ${toShell(agent)}`;
}

const namedMax = 3;

/** What came of bringing an agent's files to mainline. */
export function toRefreshed(answer: Pick<OutputOf<"agent.refresh">, "movedCount" | "kept" | "keptCount">): string {
  const { movedCount, kept, keptCount } = answer;
  const came = movedCount === 0 ? "Nothing new" : `${toMany(movedCount, "file")} came`;
  if (keptCount === 0) return came;
  const named = kept.slice(0, namedMax).map(toVisible).join(", ");
  return `${came}; changed here, and left: ${named}${keptCount > namedMax ? ` and ${keptCount - namedMax} more` : ""}`;
}

/** The command that shows the same lines of what services said. */
export function toLogsCommand(agent: string, service: string | null, said: string): string {
  const only = service === null ? "" : ` ${toShell(service)}`;
  return `signalbox agent logs ${toShell(agent)}${only} -f${said === "" ? "" : ` --find ${toShell(said)}`}`;
}
