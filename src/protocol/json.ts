// Reads JSON that somebody sent. Beyond what JSON.parse does it bounds the depth and the number of values, and it refuses an object that says two
// things under one name: one reader would believe the first, another the last.

import { colonAfter, endOfString, tooMuchIn } from "../base/json-text.ts";
import { ok, refuse, type Result } from "../base/result.ts";
import { limits } from "./limits.ts";

export type BadJson = { readonly code: "bad-input" | "too-large"; readonly why: string };

export function parseJson(text: string): Result<unknown, BadJson> {
  const tooMuch = tooMuchIn(text, limits);
  if (tooMuch !== undefined) return refuse({ code: "too-large", why: `it ${tooMuch}` });
  const names = countNames(text);
  if (names < 0) return refuse({ code: "bad-input", why: "not JSON (a string has no end)" });
  try {
    const value = JSON.parse(text) as unknown;
    // What was said twice is there once. Almost nothing has a flaw, so the closer look comes only now.
    const flaw = countFields(value) === names ? undefined : findFlaw(text);
    return flaw === undefined ? ok(value) : refuse(flaw);
  } catch (error) {
    const why = error instanceof Error ? `not JSON (${error.message.slice(0, 120)})` : "not JSON";
    return refuse(findFlaw(text) ?? { code: "bad-input", why });
  }
}

const quote = 34;
const colon = 58;

/** How many names of fields there are in the text, or -1 when a string has no end. */
function countNames(text: string): number {
  let names = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) {
      at = endOfString(text, at);
      if (at < 0) return -1;
    } else if (char === colon) {
      names++;
    }
  }
  return names;
}

/** How many fields there are in the value. A forbidden one makes it no number at all. */
function countFields(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let fields = 0;
  if (Array.isArray(value)) {
    for (const each of value) fields += countFields(each);
    return fields;
  }
  for (const name in value) {
    if (name === "__proto__") return Number.NaN;
    fields += 1 + countFields((value as Record<string, unknown>)[name]);
  }
  return fields;
}

function findFlaw(text: string): BadJson | undefined {
  /** The names seen in each open object; null for a list. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) {
      const end = endOfString(text, at);
      if (end < 0) return undefined;
      const names = open.at(-1) ?? null;
      if (names !== null && colonAfter(text, end) >= 0) {
        const name = decode(text.slice(at, end + 1));
        if (name === "__proto__") return { code: "bad-input", why: 'a field may not be called "__proto__"' };
        if (names.has(name)) return { code: "bad-input", why: `the field "${name.slice(0, 60)}" is there twice` };
        names.add(name);
      }
      at = end;
    } else if (char === 123 || char === 91) {
      open.push(char === 123 ? new Set() : null);
    } else if (char === 125 || char === 93) {
      open.pop();
    }
  }
  return undefined;
}

function decode(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}
