// What becomes of an agent's terminals when its place goes: they end with it. Where the agent comes back, so do the shells
// of people, and whoever looked at one looks at the other (TM17).

import type { Agent } from "../agent/agent-state.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import type { Terminal, TerminalWhy } from "./terminal-events.ts";
import { openIn, ownerId } from "./windows.ts";

/** Everything of an agent is gone. A program that somebody chose is not begun twice: nobody knows what it did. */
export function endWithAgent(step: Step, agent: Agent): void {
  for (const { id, owner, argv } of openIn(step.state, agent.id)) {
    const why = isComingBack(agent, argv) ? "renewed" : "stopped";
    const end = { exit: "unknown", why, bytes: 0, message: null } as const;
    step.emit({ type: "terminal.ended", v: 1, terminal: id, ...owner, ...end });
  }
}

/** Whether a terminal that was ended went with its agent, which is begun anew. */
export function isTaken(state: State, { owner, argv }: Terminal, why: TerminalWhy): boolean {
  const agent = state.agents.get(ownerId(owner));
  if (agent?.state !== "stopping" || (why !== "stopped" && why !== "lost")) return false;
  return isComingBack(agent, argv);
}

function isComingBack(agent: Agent, argv: readonly string[]): boolean {
  return agent.wish === "run" && argv.length === 0;
}

/** The place of an agent is there again. */
export function openWithAgent(step: Step, agent: Agent): void {
  for (const { id: after, owner, window, cols, rows } of awaited(step.state, agent.id)) {
    const terminal = step.nextId("te");
    step.emit({ type: "terminal.opened", v: 1, terminal, ...owner, window, after, argv: [], cols, rows });
  }
}

/** Nobody begins the agent anew after all. */
export function giveUpWindows(state: State, agent: string): void {
  for (const terminal of awaited(state, agent))
    if (terminal.ended !== null) terminal.ended = { ...terminal.ended, why: "stopped" };
}

/** Those that another one is to stand in for, and none does yet. */
function awaited(state: State, agent: string): Terminal[] {
  const all = [...state.terminals.values()];
  return all.filter(({ owner, ended, heir }) => ownerId(owner) === agent && ended?.why === "renewed" && heir === null);
}
