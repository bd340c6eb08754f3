// What becomes of an agent's terminals when its place goes: they end with it. Where the agent comes back, so do the shells
// of people, and whoever looked at one looks at the other (TM17).

import type { Agent } from "../agent/agent-state.ts";
import type { State } from "../state.ts";
import type { Step } from "../step.ts";
import type { Terminal, TerminalKeyboard, TerminalWhy, Viewer } from "./terminal-events.ts";
import { openIn, ownerId } from "./windows.ts";

/** How long one that stands in for another has to last, to be stood in for itself when its keeper is lost. */
const renewMsMin = 10_000;

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

/**
 * Whether a shell went with its keeper, and its agent has the next one already, which knows nothing of it. One that stands in
 * for another since just now is lost for good: nothing is begun again and again.
 */
export function isLostAlone(
  { state, nowMs }: Step,
  { id, owner, argv, openedAtMs }: Terminal,
  why: TerminalWhy,
): boolean {
  const agent = state.agents.get(ownerId(owner));
  if (why !== "lost" || agent === undefined || agent.state === "stopping") return false;
  const isHeir = [...state.terminals.values()].some(({ heir }) => heir === id);
  return agent.isMade && isComingBack(agent, argv) && !(isHeir && nowMs - openedAtMs < renewMsMin);
}

/** What those hear who were in one that is ended because its agent goes down. */
export function goingText(state: State, { owner }: Terminal, why: TerminalWhy): string | null {
  const agent = state.agents.get(ownerId(owner));
  if (agent?.state !== "stopping" || (why !== "stopped" && why !== "lost")) return null;
  return agent.wish === "run" ? agent.because : `its agent goes down: ${agent.because ?? "somebody stopped it"}`;
}

function isComingBack(agent: Agent, argv: readonly string[]): boolean {
  return agent.wish === "run" && argv.length === 0;
}

/** The place of an agent is there again. Who had the keyboard has it, and who waited for it waits (TM25). */
export function openWithAgent(step: Step, agent: Agent): void {
  for (const before of awaited(step.state, agent.id)) openAnew(step, before);
}

/** Another one stands in for a shell. */
export function openAnew(step: Step, { id: after, owner, window, cols, rows, keyboard, asks }: Terminal): void {
  const terminal = step.nextId("te");
  step.emit({ type: "terminal.opened", v: 1, terminal, ...owner, window, after, argv: [], cols, rows });
  const tell = (how: TerminalKeyboard["how"], who: Viewer): void =>
    step.emit({ type: "terminal.keyboard", v: 1, terminal, ...owner, how, ...who });
  if (keyboard !== null) tell("given", keyboard);
  for (const who of asks) tell("asked", who);
}

/** Nobody begins the agent anew after all. */
export function giveUpWindows(state: State, agent: string): void {
  for (const terminal of awaited(state, agent)) {
    if (terminal.ended !== null) terminal.ended = { ...terminal.ended, why: "stopped" };
    terminal.keyboard = null;
    terminal.asks = [];
  }
}

/** Those that another one is to stand in for, and none does yet. */
function awaited(state: State, agent: string): Terminal[] {
  return [...state.terminals.values()].filter((each) => ownerId(each.owner) === agent && isAwaited(each));
}

/** Whether another one is to stand in for it. */
export function isAwaited({ ended, heir }: Pick<Terminal, "ended" | "heir">): boolean {
  return ended?.why === "renewed" && heir === null;
}
