// Old events, read by new code. An event keeps the version it was written with; when a type gets a new shape, a function
// here turns the old one into the new one, and the old shape stays readable for ever.

import { eventVersions, type EventType, type Logged } from "./events.ts";

/** Turns the event of version n into version n + 1. */
type Upgrade = (old: Record<string, unknown>) => Record<string, unknown>;

/** By event type, then by the version it upgrades from. */
const upgrades: Readonly<Partial<Record<EventType, Readonly<Record<number, Upgrade>>>>> = {};

export type UnreadableEvent = { readonly seq: number; readonly type: string; readonly v: number };

/** Brings a stored event to the newest version, or says why this release cannot read it. */
export function upgradeEvent(stored: Record<string, unknown>, known = upgrades): Logged | UnreadableEvent {
  let event = stored;
  const type = String(event["type"]);
  const newest = Object.hasOwn(eventVersions, type) ? eventVersions[type as EventType] : undefined;
  const unreadable = { seq: Number(event["seq"]), type, v: Number(event["v"]) };
  if (newest === undefined || !Number.isInteger(unreadable.v) || unreadable.v > newest) return unreadable;
  for (let v = unreadable.v; v < newest; v++) {
    const upgrade = known[type as EventType]?.[v];
    if (upgrade === undefined) return unreadable;
    event = { ...upgrade(event), v: v + 1 };
  }
  return event as unknown as Logged;
}
