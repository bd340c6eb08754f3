// Lines of JSON that come from inside the cage: nothing about them is certain.

import { beginningOf } from "../../base/cut-text.ts";
import { tooMuchIn } from "../../base/json-text.ts";
import type { Heard } from "../../core/run/heard.ts";
import { nameCharsMax } from "./newest.ts";

export type Json = { readonly [name: string]: unknown };

/** Enough of an unknown line to tell what it was. */
const otherCharsMax = 500;
const kindCharsMax = 100;
const textCharsMax = 20_000;
const bounds = { depthMax: 256, valuesMax: 100_000 };

/** The object in a line; undefined where there is none, or one that is nested so deeply, or has so many values, that nobody could write it down again. */
export function parseLine(line: string): Json | undefined {
  if (tooMuchIn(line, bounds) !== undefined) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

export function recordOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

export function textOf(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}

/** What a program calls something. The log has it again and again, and we remember it: of one that nobody would use there is the beginning. */
export function nameOf(value: unknown, otherwise: string): string {
  return beginningOf(textOf(value, otherwise), nameCharsMax);
}

export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

export function cut(text: string): string {
  return beginningOf(text, textCharsMax);
}

/** What was said so far, as much of it as is kept. */
export function withMore(said: string, more: string): string {
  return said.length >= textCharsMax ? said : cut(said + more);
}

/** What somebody said, unless it is nothing. */
export function speech(is: "message" | "thinking", text: unknown, parent: string | null): Heard[] {
  return typeof text !== "string" || text.trim() === "" ? [] : [{ is, text: cut(text), parent }];
}

/** What we have no word for. */
export function other(kind: string, text: string): Heard {
  return { is: "other", kind: beginningOf(kind, kindCharsMax), text: beginningOf(text, otherCharsMax) };
}

/** How many of one kind are kept of one life: what comes again and again would fill the log. */
const ofKindMax = 32;
/** So many kinds are told apart. Whoever invents more has them counted as one. */
const kindsMax = 100;

/** Keeps what we have no word for, as it came. */
export class Oddities {
  readonly #counts = new Map<string, number>();

  keep(said: string, text: string): Heard[] {
    const kind = beginningOf(said, kindCharsMax);
    const counted = this.#counts.has(kind) || this.#counts.size < kindsMax ? kind : "";
    const count = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, count);
    if (count > ofKindMax) return [];
    return [
      other(kind, count === ofKindMax ? `${text.slice(0, otherCharsMax / 2)} (more of these are not kept)` : text),
    ];
  }

  /** What was heard, without what comes again and again. */
  limit<Item extends Heard>(heard: readonly Item[]): (Item | Heard)[] {
    return heard.flatMap((item) => (item.is === "other" ? this.keep(item.kind, item.text) : [item]));
  }
}
