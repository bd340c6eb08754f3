// Reads fields of events. An event's fields depend on its type and version, and a newer daemon may send what this program
// has never heard of; so nothing is taken for granted here.

import type { LogEvent } from "../../protocol/wire/log-event.ts";
import { toSafeLine } from "../text/safe-text.ts";
import { toUnitText } from "./unit-text.ts";

export function textOf(event: LogEvent, field: string): string {
  const value = event[field];
  if (typeof value === "string") return toSafeLine(value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

export function rawTextOf(event: LogEvent, field: string): string {
  const value = event[field];
  return typeof value === "string" ? value : "";
}

export function listOf(event: LogEvent, field: string): string[] {
  const value = event[field];
  if (!Array.isArray(value)) return [];
  return value.map((each) => toSafeLine(typeof each === "string" ? toUnitText(each) : JSON.stringify(each)));
}

export function recordsOf(event: LogEvent, field: string): Record<string, unknown>[] {
  const value = event[field];
  if (!Array.isArray(value)) return [];
  return value.filter((each): each is Record<string, unknown> => typeof each === "object" && each !== null);
}

/** `file:a, file:b and 3 more`. */
export function enumerate(items: readonly string[], countMax = 3): string {
  if (items.length <= countMax + 1) return items.join(", ");
  return `${items.slice(0, countMax).join(", ")} and ${items.length - countMax} more`;
}
