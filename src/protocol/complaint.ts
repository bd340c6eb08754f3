// What is said of a value that does not fit its schema, where the schema has no words of its own: what is expected, and
// what was given.

import type { z } from "zod";

type Raw = z.core.$ZodRawIssue;

/** Never the library's own text: that speaks to programmers, and changes with its releases. */
export function toComplaint(issue: Raw): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "it is missing" : expected(nameOfType(issue.expected), issue.input);
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    case "invalid_value":
      return issue.input === undefined
        ? `it is missing; it is one of ${issue.values.map(String).join(", ")}`
        : expected(`one of ${issue.values.map(String).join(", ")}`, issue.input);
    case "unrecognized_keys":
      return `there is no field ${issue.keys
        .slice(0, 5)
        .map((key) => quoted(key))
        .join(", ")}`;
    case "invalid_key":
      return `a name in it is not right: ${issue.issues[0]?.message ?? "it is not as expected"}`;
    case "invalid_union":
      return issue.input === undefined
        ? "it is missing"
        : `it is of no form that is taken; given was ${shown(issue.input)}`;
    default:
      return `it is not as expected; given was ${shown(issue.input)}`;
  }
}

/** A text as somebody wrote it, short enough for a sentence. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > shownCharsMax ? `${text.slice(0, shownCharsMax)}…` : text);
}

const shownCharsMax = 60;

const types: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object with fields",
  record: "an object with fields",
  null: "null",
};

function nameOfType(type: string): string {
  return types[type] ?? type;
}

function expected(what: string, input: unknown): string {
  return `${what} is expected; given was ${shown(input)}`;
}

function tooSmall(issue: Extract<Raw, { code: "too_small" }>): string {
  const { origin, minimum, input } = issue;
  if (origin === "string") return minimum === 1 ? "it is empty" : `it has at least ${minimum} characters`;
  if (origin === "array") return minimum === 1 ? "the list is empty" : `the list has at least ${minimum} entries`;
  return `the least is ${minimum}; given was ${shown(input)}`;
}

function tooBig(issue: Extract<Raw, { code: "too_big" }>): string {
  const { origin, maximum, input } = issue;
  if (origin === "string")
    return `it is too long: at most ${maximum} characters; given were ${String((input as string).length)}`;
  if (origin === "array")
    return `it is too long: at most ${maximum} entries; given were ${String((input as unknown[]).length)}`;
  return `the most is ${maximum}; given was ${shown(input)}`;
}

function shown(input: unknown): string {
  if (typeof input === "string") return quoted(input);
  if (input === null || typeof input === "number" || typeof input === "boolean") return String(input);
  if (Array.isArray(input)) return "a list";
  return typeof input === "object" ? "an object" : typeof input;
}
