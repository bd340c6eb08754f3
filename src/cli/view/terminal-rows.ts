// Terminals and views as rows of a table.

import type { OutputOf } from "../../protocol/operations.ts";
import type { Terminal, View } from "../../protocol/wire/terminal.ts";
import type { Now } from "../now.ts";
import { showDuration } from "../text/duration.ts";
import { toSafeLine } from "../text/safe-text.ts";
import type { Column } from "../text/table.ts";

export const terminalColumns: readonly Column[] = [
  { title: "TERMINAL" },
  { title: "IN" },
  { title: "WINDOW" },
  { title: "PROGRAM", cut: "end" },
  { title: "AGE", align: "right" },
  { title: "TYPES" },
  { title: "LOOK", cut: "end" },
  { title: "STATE" },
];

export function terminalRows({ terminals, views }: OutputOf<"terminal.list">, now: Now): string[][] {
  return [...terminals.map((terminal) => toRow(terminal, now)), ...views.map(toViewRow)];
}

function toRow(terminal: Terminal, now: Now): string[] {
  return [
    terminal.id,
    placeOf(terminal),
    toSafeLine(terminal.window),
    toSafeLine(programOf(terminal)),
    showDuration(now.since(terminal.openedAtMs)),
    toSafeLine(terminal.keyboard?.name ?? ""),
    toSafeLine(terminal.viewers.map(({ name }) => name).join(", ")),
    stateOf(terminal),
  ];
}

type Place = Pick<Terminal, "run" | "agent" | "agentName" | "removedAtMs">;

const viewWords = { service: "what it says", run: "what it does", monitor: "processes" } as const;

function toViewRow({ window, kind, agent, of, state }: View): string[] {
  const program = kind === "run" ? `${viewWords.run}: ${of}` : viewWords[kind];
  return ["view", agent, toSafeLine(window), toSafeLine(program), "", "", "", state];
}

/** The run that it belongs to, or the agent; of one that was removed also what it was called. */
export function placeOf({ run, agent, agentName, removedAtMs }: Place): string {
  if (removedAtMs === null) return run ?? agent ?? "";
  return `${run ?? toSafeLine(agentName ?? agent ?? "")} (removed)`;
}

export function programOf({ argv }: Pick<Terminal, "argv">): string {
  return argv.length === 0 ? "shell" : argv.join(" ");
}

export function stateOf({ ended, heir }: Pick<Terminal, "ended" | "heir">): string {
  if (ended === null) return "open";
  if (ended.why === "renewed") return heir === null ? "comes back" : `went on as ${heir}`;
  return ended.why === "ended" ? `ended with ${ended.exit}` : ended.why;
}
