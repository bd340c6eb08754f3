// Names of terminals. Among those of one owner that are open, a name is there once; some names are kept for views, which
// are no terminals: what a service says, what the run says, and what the agent is busy with.

import { nameOf } from "../agent/instances.ts";
import type { State } from "../state.ts";
import type { Terminal, TerminalOwner } from "./terminal-events.ts";

/** The view of an agent's processes, and that of the run in it. */
export const monitorWindow = "monitor";
export const runWindow = "run";

const nameCharsMax = 40;

export function ownerId(owner: TerminalOwner): string {
  return "run" in owner ? owner.run : owner.agent;
}

/** Those of an owner that are open. */
export function openIn(state: State, owner: string): Terminal[] {
  return [...state.terminals.values()].filter(
    (terminal) => ownerId(terminal.owner) === owner && terminal.ended === null,
  );
}

/** What a window of this name is in an agent already, beside its terminals. */
export function viewIn(state: State, owner: TerminalOwner, window: string): string | undefined {
  const agent = state.agents.get(ownerId(owner));
  if (agent === undefined) return undefined;
  if (window === monitorWindow) return "the view of its processes";
  if (window === runWindow) return "the view of the run in it";
  const services = [...agent.services.values()];
  const isService = services.some((service) => service.spec.name === window || nameOf(service) === window);
  return isService ? "the view of what its service says" : undefined;
}

/** The name, or the name and the first number with which it is free. */
export function freeWindow(state: State, owner: TerminalOwner, name: string): string {
  const taken = new Set(openIn(state, ownerId(owner)).map(({ window }) => window));
  for (let number = 1; ; number++) {
    const window = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(window) && viewIn(state, owner, window) === undefined) return window;
  }
}

/** A name that is no view's: whoever is called like a service finds their own window again under it. */
export function besideViews(state: State, owner: TerminalOwner, name: string): string {
  return viewIn(state, owner, name) === undefined ? name : `${name}-2`;
}

/** What a person's own window is called: like the person. */
export function windowOfPerson(actor: string): string {
  return toName(actor.slice(actor.indexOf(":") + 1));
}

/** What the window of a program is called: like the program. */
export function windowOfProgram(argv: readonly string[]): string {
  return toName((argv[0] ?? "").split("/").at(-1) ?? "");
}

function toName(text: string): string {
  const name = text.replaceAll(/[^\w.-]/g, "-").replace(/^[^a-zA-Z0-9]+/, "");
  // It never looks like an id, so that either can stand in the same place.
  return name === "" || /^[a-z]+_[0-9a-z]+$/.test(name) ? "shell" : name.slice(0, nameCharsMax);
}
