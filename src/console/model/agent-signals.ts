// What the states of agents and of their services look like, and in a few words how an agent is.

import type { AgentView, ServiceView } from "../../protocol/wire/agent.ts";
import type { SignalIcon, Tone } from "./signals.ts";

export type AgentState = AgentView["state"];
export type Look = { readonly word: string; readonly icon: SignalIcon; readonly tone: Tone };

export const agentSignals: Readonly<Record<AgentState, Look>> = {
  error: { word: "Error", icon: "failed", tone: "stop" },
  spawning: { word: "Spawning", icon: "starting", tone: "go" },
  running: { word: "Running", icon: "running", tone: "go" },
  stopping: { word: "Stopping", icon: "stopping", tone: "rest" },
  stopped: { word: "Stopped", icon: "stopped", tone: "rest" },
};

/** What it does while it runs. */
export const activitySignals: Readonly<Record<AgentView["activity"], Look>> = {
  ready: { word: "Ready", icon: "ready", tone: "go" },
  working: { word: "Working", icon: "running", tone: "go" },
  "awaiting-input": { word: "Awaiting input", icon: "awaiting", tone: "you" },
  validating: { word: "Validating", icon: "validating", tone: "go" },
};

export function isAgentState(text: string | null): text is AgentState {
  return text !== null && Object.hasOwn(agentSignals, text);
}

const serviceLooks: Readonly<Record<ServiceView["state"], Look>> = {
  down: { word: "Down", icon: "stopped", tone: "rest" },
  waiting: { word: "Waiting", icon: "queued", tone: "wait" },
  starting: { word: "Starting", icon: "starting", tone: "go" },
  up: { word: "Up", icon: "running", tone: "go" },
  stopping: { word: "Stopping", icon: "stopping", tone: "rest" },
  delayed: { word: "Starts again", icon: "blocked", tone: "stop" },
  completed: { word: "Completed", icon: "done", tone: "rest" },
  scheduled: { word: "Scheduled", icon: "queued", tone: "rest" },
  failed: { word: "Failed", icon: "failed", tone: "stop" },
};

export function lookOfService({ state, healthy, wanted }: ServiceView): Look {
  if (state === "up" && healthy === true) return { word: "Healthy", icon: "ready", tone: "go" };
  if (state === "up" && healthy === false) return { word: "Not healthy", icon: "failed", tone: "stop" };
  if (state === "down" && !wanted) return { word: "Stopped", icon: "stopped", tone: "rest" };
  return serviceLooks[state];
}

/** Whether there is nothing more to wait for. */
export function isWell({ state, healthy }: ServiceView): boolean {
  return state === "completed" || state === "scheduled" || (state === "up" && healthy !== false);
}

export function isBroken(service: ServiceView): boolean {
  return lookOfService(service).tone === "stop";
}

/** How many of the services that somebody wants are as they should be. */
export function countWell({ services }: AgentView): { readonly well: number; readonly of: number } {
  const wanted = services.filter((service) => service.wanted);
  return { well: wanted.filter(isWell).length, of: wanted.length };
}

/** With the run that is in it. */
const activityWords: Readonly<Record<AgentView["activity"], string>> = {
  ready: "Ready for",
  working: "Works on",
  "awaiting-input": "Waits for your answer to",
  validating: "Tries the result of",
};

/** What an agent is busy with, or what is wrong with it. */
export function activityOf(agent: AgentView): { readonly words: string; readonly tone: Tone } {
  const broken = agent.services.find(isBroken);
  if (agent.state === "error") return { words: agent.because ?? "needs somebody", tone: "stop" };
  if (agent.removing) return { words: "is being removed", tone: "rest" };
  if (agent.state === "stopped" || agent.state === "stopping") return { words: agent.because ?? "", tone: "rest" };
  if (broken !== undefined) {
    const why = broken.because ?? lookOfService(broken).word.toLowerCase();
    return { words: `${broken.name}: ${why}`, tone: "stop" };
  }
  const { well, of } = countWell(agent);
  if (well < of) return { words: `${well} of ${of} up`, tone: "go" };
  if (agent.run !== null)
    return {
      words: `${activityWords[agent.activity]} ${agent.run}`,
      tone: agent.activity === "awaiting-input" ? "you" : "go",
    };
  return { words: "Ready", tone: "go" };
}

/** Why a service is as it is, beyond its state. */
export function noteOf({ state, because, wanted, needs, end, spare, nextAtMs }: ServiceView): string {
  if (state === "waiting" && needs.length > 0)
    return `for ${needs.map(({ service, until }) => `${service} to be ${until}`).join(", ")}`;
  if (spare) return "stands by";
  if (state === "down" && !wanted) return "stopped by somebody";
  if (state === "scheduled" && nextAtMs !== null)
    return `next at ${new Date(nextAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC${because === null ? "" : `; ${because}`}`;
  if (because !== null) return because;
  return state === "completed" && end !== null ? `exit ${end.exit}` : "";
}

/** Where a browser gets at a port; undefined where the address is none that a page may lead to. */
export function toPortUrl(address: string): string | undefined {
  return /^127\.0\.0\.\d{1,3}:\d{1,5}$/.test(address) ? `http://${address}/` : undefined;
}
