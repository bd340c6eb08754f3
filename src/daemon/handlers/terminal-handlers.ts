// Terminals of agents: opening, listing and ending them, and reading their recordings.

import type { State } from "../../core/state.ts";
import type { Terminal } from "../../core/terminal/terminal-events.ts";
import { compareIds } from "../../core/step.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { terminalOperations } from "../../protocol/operations/terminal.ts";
import type { Recorded, Terminal as ShownTerminal } from "../../protocol/wire/terminal.ts";
import type { RecordedEvent } from "../../node/terminals/recordings.ts";
import { windowOfPerson } from "../../core/terminal/windows.ts";
import type { OutputOf } from "../../protocol/operations.ts";
import type { Context, Handlers } from "../context.ts";
import { findAgent, findLiving } from "../views/agent-view.ts";
import { viewsOf } from "../views/terminal-views.ts";
import { idOf } from "./id-of.ts";
import { mustBePerson } from "./must-be-person.ts";

export const terminalHandlers: Handlers<keyof typeof terminalOperations> = {
  "terminal.open": (context, { run, agent, window, join, argv = [], cols, rows }, caller, reply) => {
    mustBePerson(caller, "opening a terminal");
    const owner = run === undefined ? { agent: findAgent(context.state, agent ?? "").id } : { run };
    const input = { type: "terminal.open", ...owner, window, join, argv, cols, rows } as const;
    context.submit(caller, input, reply, (answer) => ({ terminal: idOf(answer) }));
  },
  "terminal.list": (context, { run, agent: ref, all, removed, limit }, _caller, reply) => {
    const isWanted = ({ ended, removedAtMs }: Terminal): boolean =>
      removed ? removedAtMs !== null : all || ended === null;
    const listed = (state: State): OutputOf<"terminal.list"> => {
      const agents = ref === undefined ? undefined : agentsCalled(state, ref);
      const found = newestFirst(state).filter((terminal) => isWanted(terminal) && isMeant(terminal, run, agents));
      const terminals = found.slice(0, limit).map((terminal) => toShown(context, terminal));
      const living = ref === undefined ? undefined : findLiving(state, ref);
      const views = living === undefined ? [] : viewsOf(state, living);
      return { terminals, views, nowMs: context.parts.engine.nowMs() };
    };
    if (!all && !removed) return context.read(listed, reply);
    const withSizes = async (answer: OutputOf<"terminal.list">): Promise<OutputOf<"terminal.list">> => {
      return { ...answer, terminals: await Promise.all(answer.terminals.map((each) => withSize(context, each))) };
    };
    context.readThen(listed, withSizes, reply);
  },
  "terminal.get": (context, { terminal: id }, _caller, reply) => {
    const { terminals } = context.parts;
    const isOpen = terminalOf(context.state, id).ended === null;
    const shown = isOpen
      ? Promise.all([terminals.lines(id), terminals.processes(id)])
      : Promise.resolve([[], 0] as const);
    context.later(
      shown.then(([lines, processes]) => {
        return { terminal: toShown(context, terminalOf(context.state, id)), lines: [...lines], processes };
      }),
      reply,
    );
  },
  "terminal.rename": (context, { terminal, window }, caller, reply) => {
    mustBePerson(caller, "naming a terminal");
    context.submit(caller, { type: "terminal.rename", terminal, window }, reply, () => ({}));
  },
  "terminal.say": (context, { terminal: id, text, name }, caller, reply) => {
    mustBePerson(caller, "speaking in a terminal");
    const speaker = name ?? windowOfPerson(context.parts.person);
    context.read((state) => {
      const { id: terminal } = terminalOf(state, id);
      return { heard: context.parts.terminals.say(terminal, speaker, text) };
    }, reply);
  },
  "terminal.close": (context, { terminal: id }, caller, reply) => {
    mustBePerson(caller, "ending a terminal");
    const isOver = terminalOf(context.state, id).ended !== null;
    context.later(isOver ? Promise.resolve({}) : context.parts.terminals.close(id).then(() => ({})), reply);
  },
  "terminal.keyboard": (context, input, caller, reply) => {
    mustBePerson(caller, "taking the keyboard of a terminal");
    context.submit(caller, { type: "terminal.keyboard", ...input }, reply, () => ({}));
  },
  "terminal.recording": (context, { terminal: id, from }, caller, reply) => {
    mustBePerson(caller, "reading a recording");
    terminalOf(context.state, id);
    const read = async () => {
      const secrets = await context.parts.secrets.values();
      const { head, events, next, totalBytes } = await context.parts.terminals.recordings.read(id, from, secrets);
      const { argv, cols, rows, wallMs } = head;
      return { head: { argv: [...argv], cols, rows, wallMs }, events: events.map(toRecorded), next, totalBytes };
    };
    context.later(read(), reply);
  },
  "terminal.forget": (context, { terminal }, caller, reply) => {
    mustBePerson(caller, "removing a recording");
    context.submit(caller, { type: "terminal.forget", terminal, because: "person" }, reply, () => ({}));
  },
  "terminal.search": (context, { text, run, agent: ref, limit }, caller, reply) => {
    mustBePerson(caller, "searching in recordings");
    const agents = ref === undefined ? undefined : agentsCalled(context.state, ref);
    context.later(search(context, text, { run, agents }, limit), reply);
  },
};

type Match = OutputOf<"terminal.search">["matches"][number];

async function search(
  { state, parts }: Context,
  text: string,
  of: { readonly run: string | undefined; readonly agents: ReadonlySet<string> | undefined },
  limit: number,
): Promise<{ matches: Match[]; more: boolean }> {
  const secrets = await parts.secrets.values();
  const matches: Match[] = [];
  for (const terminal of newestFirst(state)) {
    if (!isMeant(terminal, of.run, of.agents)) continue;
    const left = limit + 1 - matches.length;
    if (left <= 0) break;
    const found = await parts.terminals.recordings.search(terminal.id, text, left, secrets).catch(() => []);
    matches.push(...found.map((line) => ({ terminal: terminal.id, ...placeOf(terminal), ...line })));
  }
  return { matches: matches.slice(0, limit), more: matches.length > limit };
}

function isMeant(terminal: Terminal, run: string | undefined, agents: ReadonlySet<string> | undefined): boolean {
  const place = placeOf(terminal);
  return (run === undefined || place.run === run) && (agents === undefined || agents.has(place.agent ?? ""));
}

/** The agent of this id or name, and those that were called so and are removed, of which there are recordings. */
function agentsCalled(state: State, ref: string): ReadonlySet<string> {
  const living = findLiving(state, ref);
  const ids = new Set(living === undefined ? [] : [living.id]);
  for (const { place } of state.terminals.values()) {
    const { agent } = place;
    if (agent !== null && (agent.id === ref || (agent.name === ref && !state.agents.has(agent.id)))) ids.add(agent.id);
  }
  if (ids.size === 0) throw protocolError("not-found", { kind: "agent", id: ref });
  return ids;
}

/** Whose it is, and in which living agent's cage. */
function placeOf({
  owner,
  place,
  removedAtMs,
}: Terminal): Pick<ShownTerminal, "run" | "agent" | "agentName" | "removedAtMs"> {
  const { id: agent, name: agentName } = place.agent ?? { id: null, name: null };
  return { run: "run" in owner ? owner.run : null, agent, agentName, removedAtMs };
}

function newestFirst(state: State): Terminal[] {
  return [...state.terminals.values()].toSorted((a, b) => compareIds(b.id, a.id));
}

function terminalOf(state: State, id: string): Terminal {
  const terminal = state.terminals.get(id);
  if (terminal === undefined) throw protocolError("not-found", { kind: "terminal", id });
  return terminal;
}

function toShown({ parts }: Context, terminal: Terminal): ShownTerminal {
  const { id, window, by, argv, openedAtMs, keyboard, asks, ended, heir } = terminal;
  const viewers = parts.terminals.presentAt(id);
  const place = placeOf(terminal);
  return { id, window, ...place, by, argv: [...argv], openedAtMs, keyboard, asks: [...asks], viewers, ended, heir };
}

/** Of one that ended with its agent nobody counted what was said: the recording knows. */
async function withSize({ parts }: Context, terminal: ShownTerminal): Promise<ShownTerminal> {
  const { id, ended } = terminal;
  if (ended === null || ended.bytes > 0) return terminal;
  return { ...terminal, ended: { ...ended, bytes: await parts.terminals.recordings.saidBytes(id) } };
}

function toRecorded(event: RecordedEvent): Recorded {
  if (!("bytes" in event)) return event;
  return { atMs: event.atMs, base64: Buffer.from(event.bytes).toString("base64") };
}
