// What the parts of a template's form have in common: times, and what is said of something of another kind altogether.

import { z } from "zod";
import { durationPattern, spellMs, toMs } from "./duration.ts";

/** What is said of a value of another type altogether; what is wrong inside it has words of its own. */
export function form(message: string): { readonly error: (issue: { readonly code?: string }) => string | undefined } {
  return { error: ({ code }) => (code === "invalid_type" ? message : undefined) };
}

export function duration(
  what: string,
  { minMs, maxMs }: { readonly minMs: number; readonly maxMs: number },
): z.ZodString {
  return z
    .string("a time is a number with a unit, such as 500ms, 10s, 1m or 1h")
    .regex(durationPattern, "a time is a number with a unit, such as 500ms, 10s, 1m or 1h")
    .refine(
      (value) => !durationPattern.test(value) || (toMs(value) >= minMs && toMs(value) <= maxMs),
      `it is from ${spellMs(minMs)} to ${spellMs(maxMs)}`,
    )
    .describe(`${what} From ${spellMs(minMs)} to ${spellMs(maxMs)}.`);
}
