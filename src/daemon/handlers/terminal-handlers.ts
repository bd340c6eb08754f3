// Terminals of agents: opening, listing and ending them, and reading their recordings.

import type { State } from "../../core/state.ts";
import type { Terminal } from "../../core/terminal/terminal-events.ts";
import { compareIds } from "../../core/step.ts";
import { protocolError } from "../../protocol/errors.ts";
import type { terminalOperations } from "../../protocol/operations/terminal.ts";
import type { Recorded, Terminal as ShownTerminal } from "../../protocol/wire/terminal.ts";
import type { RecordedEvent } from "../../node/terminals/recordings.ts";
import type { Context, Handlers } from "../context.ts";
import { idOf } from "./id-of.ts";
import { mustBePerson } from "./must-be-person.ts";

export const terminalHandlers: Handlers<keyof typeof terminalOperations> = {
  "terminal.open": (context, { run, argv = [], cols, rows }, caller, reply) => {
    mustBePerson(caller, "opening a terminal");
    const input = { type: "terminal.open", run, argv, cols, rows } as const;
    context.submit(caller, input, reply, (answer) => ({ terminal: idOf(answer) }));
  },
  "terminal.list": (context, { run, all, limit }, _caller, reply) =>
    context.read((state) => {
      const found = newestFirst(state).filter(
        (terminal) => (all || terminal.ended === null) && (run === undefined || terminal.run === run),
      );
      const terminals = found.slice(0, limit).map((terminal) => toShown(context, terminal));
      return { terminals, nowMs: context.parts.engine.nowMs() };
    }, reply),
  "terminal.get": (context, { terminal: id }, _caller, reply) => {
    const terminal = terminalOf(context.state, id);
    const lines = terminal.ended === null ? context.parts.terminals.lines(id) : Promise.resolve([]);
    context.later(
      lines.then((shown) => ({ terminal: toShown(context, terminalOf(context.state, id)), lines: [...shown] })),
      reply,
    );
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
  "terminal.search": (context, { text, run, limit }, caller, reply) => {
    mustBePerson(caller, "searching in recordings");
    context.later(search(context, text, run, limit), reply);
  },
};

async function search(
  { state, parts }: Context,
  text: string,
  run: string | undefined,
  limit: number,
): Promise<{ matches: { terminal: string; run: string; atMs: number; line: string }[]; more: boolean }> {
  const secrets = await parts.secrets.values();
  const matches: { terminal: string; run: string; atMs: number; line: string }[] = [];
  for (const terminal of newestFirst(state)) {
    if (run !== undefined && terminal.run !== run) continue;
    const left = limit + 1 - matches.length;
    if (left <= 0) break;
    const found = await parts.terminals.recordings.search(terminal.id, text, left, secrets).catch(() => []);
    matches.push(...found.map((line) => ({ terminal: terminal.id, run: terminal.run, ...line })));
  }
  return { matches: matches.slice(0, limit), more: matches.length > limit };
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
  const { id, run, by, argv, openedAtMs, keyboard, asks, ended } = terminal;
  const viewers = parts.terminals.presentAt(id);
  return { id, run, by, argv: [...argv], openedAtMs, keyboard, asks: [...asks], viewers, ended };
}

function toRecorded(event: RecordedEvent): Recorded {
  if (!("bytes" in event)) return event;
  return { atMs: event.atMs, base64: Buffer.from(event.bytes).toString("base64") };
}
