// What failed in an agent, as its events tell it: each failure with how everything was at that moment, in a few lines.

import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { numberIn, textIn } from "../live/event-fields.ts";
import { toBytes, toSpan } from "./format.ts";

export type Failure = {
  readonly seq: number;
  readonly atMs: number;
  readonly service: string;
  readonly class: string;
  readonly what: string;
  /** Further lines: a word, and what is so. */
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly said: string;
  /** How many came one after another that were the same; this is the newest of them. */
  readonly times: number;
};

type Fields = Readonly<Record<string, unknown>>;

const failuresMax = 8;

const classWords: Readonly<Record<string, string>> = {
  service: "Service",
  resources: "Resources",
  network: "Network",
  configuration: "Configuration",
  lost: "Lost",
};

/** The newest first, as events come. */
export function toFailures(events: readonly LogEvent[]): Failure[] {
  const all = events.filter(({ type }) => type === "service.failed").map(toFailure);
  const groups: Failure[] = [];
  for (const failure of all) {
    const last = groups.at(-1);
    const isSame = last?.service === failure.service && last.what === failure.what;
    if (isSame) groups[groups.length - 1] = { ...last, times: last.times + 1 };
    else groups.push(failure);
  }
  return groups.slice(0, failuresMax);
}

function toFailure(event: LogEvent): Failure {
  const end = fieldsIn(event, "end");
  const failure = textIn(event, "failure") ?? "";
  const { seq, atMs } = event;
  return {
    ...{ seq, atMs, service: textIn(event, "service") ?? "", what: textIn(event, "what") ?? "", times: 1 },
    class: classWords[failure] ?? failure,
    facts: factsOf(event),
    said: typeof end?.["said"] === "string" ? end["said"].trimEnd() : "",
  };
}

function factsOf(event: LogEvent): Failure["facts"] {
  const use = fieldsIn(event, "use");
  const limits = fieldsIn(event, "limits");
  const before = fieldsIn(event, "before");
  const needs = listIn(event, "needs").map(
    (need) => `${String(need["service"])} ${need["healthy"] === false ? "not healthy" : String(need["state"])}`,
  );
  const changes = listIn(event, "changes").map(
    (change) => `${String(change["what"])}, ${toSpan(event.atMs - Number(change["atMs"]))} before`,
  );
  const count = Number(before?.["count"] ?? 0);
  return [
    { name: "Memory", text: memoryText(use, limits) },
    { name: "Needs", text: needs.join(", ") },
    { name: "Changed", text: changes.join("; ") },
    { name: "Before", text: count === 0 ? "" : count === 1 ? "once like this" : `${count} times like this` },
    { name: "Life", text: String(numberIn(event, "life") ?? "") },
  ].filter(({ text }) => text !== "");
}

function memoryText(use: Fields | null, limits: Fields | null): string {
  const most = limits?.["memoryBytes"];
  const peak = use?.["memoryBytesPeak"];
  const parts = [
    ...(typeof peak === "number" ? [`${toBytes(peak)} at most`] : []),
    ...(typeof most === "number" ? [`${toBytes(most)} allowed`] : []),
  ];
  return parts.join(", ");
}

function fieldsIn(event: LogEvent, name: string): Fields | null {
  const value = event[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function listIn(event: LogEvent, name: string): Fields[] {
  const value = event[name];
  return Array.isArray(value) ? value.filter((each): each is Fields => typeof each === "object" && each !== null) : [];
}
