// Who may open a terminal, where and under which name, and who types in it. A keyboard has one holder; whoever wants it
// asks, and whoever must have it takes it: that is seen by all, and in the log.

import { assert } from "../../base/assert.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { isOver } from "../run/run-states.ts";
import { isAtHome, rootOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import type {
  OpenTerminal,
  Terminal,
  TerminalEvent,
  TerminalInput,
  TerminalKeyboard,
  TerminalOwner,
  TerminalPlace,
  Viewer,
} from "./terminal-events.ts";
import { goingText, isAwaited, isLostAlone, isTaken, openAnew } from "./agent-terminals.ts";
import { besideViews, freeWindow, openIn, ownerId, viewIn, windowOfPerson, windowOfProgram } from "./windows.ts";

const asksMax = 32;
/** How many terminals of a run, or of an agent, may be open at a time. */
export const terminalsMax = 32;

export function terminalInput(step: Step, input: TerminalInput): Result<Later, Refusal> {
  if (input.type === "terminal.open") return openTerminal(step, input);
  const terminal = step.state.terminals.get(input.terminal);
  if (terminal === undefined) return refuse({ code: "not-found", kind: "terminal", id: input.terminal });
  if (input.type === "terminal.keyboard") return passKeyboard(step, terminal, input);
  if (input.type === "terminal.rename") return renameTerminal(step, terminal, input.window);
  const { id, owner } = terminal;
  if (input.type === "terminal.forget") {
    // Those who were in one that is coming back wait, by its id, for the other.
    if (terminal.ended === null || isAwaited(terminal))
      return refuse({ code: "in-use", kind: "recording of", id, by: "those who are in it" });
    step.emit({ type: "terminal.forgotten", v: 1, terminal: id, ...owner, because: input.because });
    return done();
  }
  const { exit, bytes, message } = input;
  // A report may come twice, or after the end of everything of its run.
  if (terminal.ended === null) {
    const isLost = isLostAlone(step, terminal, input.why);
    const why = isLost || isTaken(step.state, terminal, input.why) ? "renewed" : input.why;
    const what = isLost ? "the process that held it was lost" : (message ?? goingText(step.state, terminal, input.why));
    step.emit({ type: "terminal.ended", v: 1, terminal: id, ...owner, exit, why, bytes, message: what });
    if (isLost) openAnew(step, terminal);
  }
  return done();
}

/** Everything of a run is gone, and its terminals are (TM7). */
export function endTerminals(step: Step, run: string): void {
  for (const { id, owner } of openIn(step.state, run)) {
    const end = { exit: "unknown", why: "stopped", bytes: 0, message: null } as const;
    step.emit({ type: "terminal.ended", v: 1, terminal: id, ...owner, ...end });
  }
}

export function evolveTerminals(state: State, event: TerminalEvent, atMs: number, actor: string): void {
  if (event.type === "terminal.opened") {
    const { terminal: id, window = id, after, argv, cols, rows } = event;
    const owner = "run" in event ? { run: event.run } : { agent: event.agent };
    const before = state.terminals.get(after ?? "");
    if (before !== undefined) {
      before.heir = id;
      before.keyboard = null;
      before.asks = [];
    }
    const fresh = { keyboard: null, asks: [], heir: null, ended: null, removedAtMs: null };
    const place = placeOf(state, owner);
    const by = before?.by ?? actor;
    state.terminals.set(id, { id, owner, window, by, argv, cols, rows, openedAtMs: atMs, place, ...fresh });
    return;
  }
  const terminal = state.terminals.get(event.terminal);
  assert(terminal !== undefined, () => `there is no terminal ${event.terminal}`);
  if (event.type === "terminal.ended") {
    const { exit, why, bytes, message } = event;
    terminal.ended = { atMs, exit, why, bytes, message };
    // Whoever types in one that comes back types in the other (TM25).
    if (why === "renewed") return;
    terminal.keyboard = null;
    terminal.asks = [];
    return;
  }
  if (event.type === "terminal.renamed") {
    terminal.window = event.window;
    return;
  }
  if (event.type === "terminal.forgotten") {
    state.terminals.delete(event.terminal);
    return;
  }
  const { viewer, name, how } = event;
  terminal.asks = terminal.asks.filter((each) => each.viewer !== viewer);
  if (how === "asked") terminal.asks.push({ viewer, name });
  else if (how === "freed") terminal.keyboard = terminal.keyboard?.viewer === viewer ? null : terminal.keyboard;
  else terminal.keyboard = { viewer, name };
}

type OwnerRemoved = { readonly recordings?: "kept" | undefined; readonly atMs: number };

/** A run or an agent was removed: what was recorded in it stays (TM23). Releases before that was so have let it go. */
export function outliveOwner(state: State, owner: string, { recordings, atMs }: OwnerRemoved): void {
  for (const [id, terminal] of state.terminals) {
    if (ownerId(terminal.owner) !== owner) continue;
    if (recordings === "kept" && terminal.ended?.why !== "not-started") terminal.removedAtMs = atMs;
    else state.terminals.delete(id);
  }
}

/** Where a terminal of an owner is. */
function placeOf({ runs, agents }: State, owner: TerminalOwner): TerminalPlace {
  const run = "run" in owner ? runs.get(owner.run) : undefined;
  const agent = agents.get("run" in owner ? (run?.agent ?? "") : owner.agent);
  const { project, node } = run ?? agent ?? { project: "", node: "" };
  return { project, node, agent: agent === undefined ? null : { id: agent.id, name: agent.name } };
}

function openTerminal(step: Step, input: OpenTerminal): Result<Later, Refusal> {
  const { state, actor } = step;
  const found = findOwner(state, input);
  if (!found.ok) return found;
  const owner = found.value;
  const { argv, cols, rows, join = false } = input;
  const wanted =
    input.window ?? besideViews(state, owner, argv.length === 0 ? windowOfPerson(actor) : windowOfProgram(argv));
  const open = openIn(state, ownerId(owner));
  const same = open.find(({ window }) => window === wanted);
  if (join && same !== undefined) return ok(() => ({ of: "id", id: same.id }));
  const taken = input.window === undefined ? undefined : (same?.id ?? viewIn(state, owner, input.window));
  if (taken !== undefined) return refuse({ code: "already-there", kind: "window", id: wanted, as: taken });
  if (open.length >= terminalsMax)
    return refuse({ code: "in-use", kind: "terminals of", id: ownerId(owner), by: `${open.length} that are open` });
  const window = freeWindow(state, owner, wanted);
  const id = step.nextId("te");
  step.emit({ type: "terminal.opened", v: 1, terminal: id, ...owner, window, argv, cols, rows });
  return ok(() => ({ of: "id", id }));
}

/** Whose cage is meant, where there is one. */
function findOwner(state: State, wanted: TerminalOwner): Result<TerminalOwner, Refusal> {
  const id = ownerId(wanted);
  if ("agent" in wanted) {
    const agent = state.agents.get(id);
    if (agent === undefined) return refuse({ code: "not-found", kind: "agent", id });
    if (!agent.isMade || agent.state === "stopping")
      return refuse({ code: "agent-down", agent: agent.name, state: agent.state });
    return ok({ agent: agent.id });
  }
  const named = state.runs.get(id);
  if (named === undefined) return refuse({ code: "not-found", kind: "run", id });
  const run = rootOf(state, named);
  if (run.startedAtMs === null || isOver(run.state) || !isAtHome(state, run))
    return refuse({ code: "wrong-state", run: run.id, state: run.state, wanted: "at work, so that it has an agent" });
  return ok({ run: run.id });
}

function renameTerminal(step: Step, terminal: Terminal, window: string): Result<Later, Refusal> {
  const { id, owner } = terminal;
  if (terminal.ended !== null) return refuse({ code: "not-found", kind: "open terminal", id });
  if (terminal.window === window) return done();
  const other = openIn(step.state, ownerId(owner)).find((each) => each.window === window);
  const taken = other?.id ?? viewIn(step.state, owner, window);
  if (taken !== undefined) return refuse({ code: "already-there", kind: "window", id: window, as: taken });
  step.emit({ type: "terminal.renamed", v: 1, terminal: id, ...owner, window });
  return done();
}

function passKeyboard(
  step: Step,
  terminal: Terminal,
  { act, viewer, name, to }: Extract<TerminalInput, { type: "terminal.keyboard" }>,
): Result<Later, Refusal> {
  const { id, owner, keyboard, asks } = terminal;
  // Who leaves while another one is to stand in for it leaves the keyboard of that one too.
  if (terminal.ended !== null && (act !== "free" || !isAwaited(terminal)))
    return refuse({ code: "not-found", kind: "open terminal", id });
  const tell = (how: TerminalKeyboard["how"], who: Viewer): void =>
    step.emit({ type: "terminal.keyboard", v: 1, terminal: id, ...owner, how, viewer: who.viewer, name: who.name });
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
