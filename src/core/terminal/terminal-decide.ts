// Who may open a terminal, and who types in it. A keyboard has one holder; whoever wants it asks, and whoever must have it
// takes it: that is seen by all, and in the log.

import { assert } from "../../base/assert.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { isOver } from "../run/run-states.ts";
import { isAtHome, rootOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import type { Terminal, TerminalEvent, TerminalInput, TerminalKeyboard, Viewer } from "./terminal-events.ts";

const asksMax = 32;
/** How many terminals of a run may be open at a time. */
export const terminalsMax = 32;

export function terminalInput(step: Step, input: TerminalInput): Result<Later, Refusal> {
  if (input.type === "terminal.open") return openTerminal(step, input);
  const terminal = step.state.terminals.get(input.terminal);
  if (terminal === undefined) return refuse({ code: "not-found", kind: "terminal", id: input.terminal });
  if (input.type === "terminal.keyboard") return passKeyboard(step, terminal, input);
  const { exit, why, bytes, message } = input;
  // A report may come twice, or after the end of everything of its run.
  if (terminal.ended === null) {
    const { id, run } = terminal;
    step.emit({ type: "terminal.ended", v: 1, terminal: id, run, exit, why, bytes, message });
  }
  return done();
}

/** Everything of a run is gone, and its terminals are (TM7). */
export function endTerminals(step: Step, run: string): void {
  for (const terminal of terminalsOf(step.state, run)) {
    const { id } = terminal;
    const end = { exit: "unknown", why: "stopped", bytes: 0, message: null } as const;
    step.emit({ type: "terminal.ended", v: 1, terminal: id, run, ...end });
  }
}

export function evolveTerminals(state: State, event: TerminalEvent, atMs: number, actor: string): void {
  if (event.type === "terminal.opened") {
    const { terminal: id, run, argv, cols, rows } = event;
    const fresh = { keyboard: null, asks: [], ended: null };
    state.terminals.set(id, { id, run, by: actor, argv, cols, rows, openedAtMs: atMs, ...fresh });
    return;
  }
  const terminal = state.terminals.get(event.terminal);
  assert(terminal !== undefined, () => `there is no terminal ${event.terminal}`);
  if (event.type === "terminal.ended") {
    const { exit, why, bytes, message } = event;
    terminal.ended = { atMs, exit, why, bytes, message };
    terminal.keyboard = null;
    terminal.asks = [];
    return;
  }
  const { viewer, name, how } = event;
  terminal.asks = terminal.asks.filter((each) => each.viewer !== viewer);
  if (how === "asked") terminal.asks.push({ viewer, name });
  else if (how === "freed") terminal.keyboard = terminal.keyboard?.viewer === viewer ? null : terminal.keyboard;
  else terminal.keyboard = { viewer, name };
}

/** Terminals of a removed run are forgotten with it. */
export function forgetTerminals(state: State, run: string): void {
  for (const [id, terminal] of state.terminals) if (terminal.run === run) state.terminals.delete(id);
}

/** Those of a run that are open. */
function terminalsOf(state: State, run: string): Terminal[] {
  return [...state.terminals.values()].filter((terminal) => terminal.run === run && terminal.ended === null);
}

function openTerminal(step: Step, input: Extract<TerminalInput, { type: "terminal.open" }>): Result<Later, Refusal> {
  const named = step.state.runs.get(input.run);
  if (named === undefined) return refuse({ code: "not-found", kind: "run", id: input.run });
  const run = rootOf(step.state, named);
  if (run.startedAtMs === null || isOver(run.state) || !isAtHome(step.state, run))
    return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "at work, so that it has an agent" });
  const open = terminalsOf(step.state, run.id);
  if (open.length >= terminalsMax)
    return refuse({ code: "in-use", kind: "terminals of", id: run.id, by: `${open.length} that are open` });
  const id = step.nextId("te");
  const { argv, cols, rows } = input;
  step.emit({ type: "terminal.opened", v: 1, terminal: id, run: run.id, argv, cols, rows });
  return ok(() => ({ of: "id", id }));
}

function passKeyboard(
  step: Step,
  terminal: Terminal,
  { act, viewer, name, to }: Extract<TerminalInput, { type: "terminal.keyboard" }>,
): Result<Later, Refusal> {
  const { id, run, keyboard, asks } = terminal;
  if (terminal.ended !== null) return refuse({ code: "not-found", kind: "open terminal", id });
  const tell = (how: TerminalKeyboard["how"], who: Viewer): void =>
    step.emit({ type: "terminal.keyboard", v: 1, terminal: id, run, how, viewer: who.viewer, name: who.name });
  const isHolder = keyboard?.viewer === viewer;
  const self = { viewer, name };
  if (act === "take" || (act === "ask" && keyboard === null)) {
    if (!isHolder) tell("taken", self);
    return done();
  }
  if (act === "ask") {
    const isKnown = isHolder || asks.some((each) => each.viewer === viewer);
    if (!isKnown && asks.length < asksMax) tell("asked", self);
    return done();
  }
  if (act === "give") {
    if (!isHolder) return refuse({ code: "in-use", kind: "keyboard of", id, by: keyboard?.name ?? "nobody" });
    const next = to ?? asks[0];
    if (next !== undefined) tell("given", next);
    return done();
  }
  if (isHolder || asks.some((each) => each.viewer === viewer)) tell("freed", self);
  // Whoever has waited longest is next.
  const next = terminal.asks[0];
  if (isHolder && next !== undefined) tell("given", next);
  return done();
}
