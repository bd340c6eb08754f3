// What an event of a run is about, as one may choose of what happened.

import { heardIn } from "../../protocol/heard.ts";
import type { LogEvent } from "../../protocol/wire/log-event.ts";

export type EventKind = "message" | "call" | "lease" | "state" | "change";

const kinds: Readonly<Record<string, EventKind>> = {
  "run.said": "message",
  "run.asked": "message",
  "run.answered": "message",
  "run.messaged": "message",
  "run.heard": "message",
  "run.tested": "call",
  "run.approved": "change",
  "run.landed": "change",
  "run.conflicted": "change",
};
const kindsByNoun: Readonly<Record<string, EventKind>> = {
  call: "call",
  claim: "lease",
  lease: "lease",
  family: "lease",
  unit: "lease",
  paths: "change",
  trash: "change",
  landing: "change",
  mainline: "change",
};

/** What there is beside these. Of `run.` there are other kinds, too, which `kindOf` leaves out. */
const stateNouns: readonly string[] = [
  ...["run", "rewind", "works", "outputs", "egress", "terminal", "model", "agent", "assistant", "hook", "service"],
  ...["task", "warning", "engine", "project", "policy", "profile", "runner", "preset", "price", "room"],
];

export function kindOf(event: LogEvent): EventKind {
  const { type } = event;
  const heard = heardIn(event);
  if (heard.length > 0 && heard.every(({ is }) => is === "tool" || is === "result")) return "call";
  return kinds[type] ?? kindsByNoun[type.split(".")[0] ?? ""] ?? "state";
}

/**
 * What the log is asked to leave out. That leases are renewed is no news: a run that holds anything has that every few seconds, and
 * nothing else in all the time that a command takes.
 */
export function exceptOf(kind: EventKind | null): string[] {
  return ["lease.renewed", ...(kind === "state" ? Object.keys(kinds) : [])];
}

/** How types of a kind begin: the log is asked for these alone. Undefined for all of them. */
export function typesOf(kind: EventKind | null): string[] | undefined {
  if (kind === null) return undefined;
  if (kind === "state") return stateNouns.map((noun) => `${noun}.`);
  const nouns = Object.keys(kindsByNoun).filter((noun) => kindsByNoun[noun] === kind);
  const types = Object.keys(kinds).filter((type) => kinds[type] === kind);
  return [...nouns.map((noun) => `${noun}.`), ...types, ...(kind === "call" ? ["run.heard"] : [])];
}
