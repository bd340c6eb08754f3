// Reads fields of an event. Its shape depends on its type and on the daemon's release, so nothing is taken for granted.

import type { LogEvent } from "./wire/log-event.ts";

export function textIn(event: LogEvent, field: string): string | undefined {
  const value = event[field];
  return typeof value === "string" ? value : undefined;
}

export function numberIn(event: LogEvent, field: string): number | undefined {
  const value = event[field];
  return typeof value === "number" ? value : undefined;
}

export function textsIn(event: LogEvent, field: string): readonly string[] {
  const value = event[field];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

export function numbersIn(event: LogEvent, field: string): readonly number[] {
  const value = event[field];
  return Array.isArray(value) ? value.filter((each) => typeof each === "number") : [];
}
