// Who changed what when, of one thing that is set: each event beside the one before it.

import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { textIn } from "../live/event-fields.ts";

export type SettingChange = {
  readonly seq: number;
  readonly atMs: number;
  readonly actor: string;
  readonly what: "made" | "changed" | "removed";
  readonly changes: readonly string[];
};

/** Fields of an event that say nothing of the thing. */
const envelope = new Set(["seq", "atMs", "type", "v", "cause", "actor", "project"]);
const shownMax = 60;

/**
 * Events come the oldest first; the answer is the newest first. `noun` is policy, profile, runner or project. Where they are not
 * all that there are, the first of them may be of something that was there before.
 */
export function toSettingPast(
  events: readonly LogEvent[],
  noun: string,
  name: string,
  isWhole = true,
): SettingChange[] {
  const past: SettingChange[] = [];
  let before: ReadonlyMap<string, string> | null = null;
  for (const event of events) {
    const found = bodyOf(event, noun);
    if (found?.name !== name) continue;
    const { seq, atMs, actor, type } = event;
    if (type.endsWith(".removed")) {
      past.push({ seq, atMs, actor, what: "removed", changes: [] });
      before = null;
      continue;
    }
    const now = flatten(found.body);
    const changes = before === null ? [] : diff(before, now, type === "project.changed");
    const isMade = before === null && (isWhole || past.length > 0 || type === "project.added");
    past.push({ seq, atMs, actor, what: isMade ? "made" : "changed", changes });
    before = type === "project.changed" ? new Map([...(before ?? []), ...now]) : now;
  }
  return past.toReversed();
}

function bodyOf(event: LogEvent, noun: string): { readonly name: string; readonly body: object } | undefined {
  if (!event.type.startsWith(`${noun}.`)) return undefined;
  if (noun === "project") {
    const rest = Object.entries(event).filter(([key]) => !envelope.has(key));
    return { name: textIn(event, "project") ?? "", body: Object.fromEntries(rest) };
  }
  const body = event[noun];
  if (typeof body === "object" && body !== null && "name" in body && typeof body.name === "string")
    return { name: body.name, body };
  return { name: textIn(event, "name") ?? "", body: {} };
}

/** Settings by their path; lists and what is in them as one. */
function flatten(value: object, above = ""): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, each] of Object.entries(value)) {
    const path = above === "" ? name : `${above}.${name}`;
    if (typeof each === "object" && each !== null && !Array.isArray(each))
      for (const [inner, text] of flatten(each as object, path)) found.set(inner, text);
    else if (each !== undefined) found.set(path, JSON.stringify(each));
  }
  return found;
}

function diff(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>, isPart: boolean): string[] {
  const names = [...new Set([...before.keys(), ...now.keys()])];
  return names.flatMap((name) => {
    const [old, fresh] = [before.get(name), now.get(name)];
    if (old === fresh || (isPart && fresh === undefined)) return [];
    if (old === undefined) return [`${name}: ${cut(fresh ?? "")}`];
    return [fresh === undefined ? `${name} is left out` : `${name}: ${cut(old)} → ${cut(fresh)}`];
  });
}

function cut(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}
