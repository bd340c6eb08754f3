// The states of agents and of their services, and every arrow between them. Nothing else moves one.

export const agentStates = ["spawning", "running", "stopping", "stopped", "error"] as const;
export type AgentState = (typeof agentStates)[number];

const agentArrows: Readonly<Record<AgentState, readonly AgentState[]>> = {
  spawning: ["running", "stopping", "error"],
  running: ["stopping", "error"],
  // Begun anew, where that is what it was stopped for.
  stopping: ["stopped", "spawning"],
  // Once more, where it is removed: its files go.
  stopped: ["spawning", "stopping"],
  // It waits for a person. What still runs goes on.
  error: ["spawning", "running", "stopping"],
};

export const serviceStates = [
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
export type ServiceState = (typeof serviceStates)[number];

const serviceArrows: Readonly<Record<ServiceState, readonly ServiceState[]>> = {
  down: ["waiting", "scheduled"],
  // For others to be so far.
  waiting: ["starting", "down"],
  starting: ["up", "stopping", "delayed", "failed", "completed", "scheduled", "down"],
  up: ["stopping", "delayed", "failed", "completed", "scheduled", "down"],
  stopping: ["down", "waiting", "delayed", "failed", "scheduled"],
  // Will be started again at an instant; or the ladder is climbed for it then.
  delayed: ["waiting", "down", "failed"],
  // Ended by itself, as it should.
  completed: ["waiting", "down"],
  failed: ["waiting", "down"],
  // Until its time comes.
  scheduled: ["waiting", "down"],
};

export function mayAgentMove(from: AgentState, to: AgentState): boolean {
  return agentArrows[from].includes(to);
}

export function mayServiceMove(from: ServiceState, to: ServiceState): boolean {
  return serviceArrows[from].includes(to);
}

/** Whether a process of it may be there. */
export function hasProcess(state: ServiceState): boolean {
  return state === "starting" || state === "up" || state === "stopping";
}
