// Untrusted to typed: the one place where input meets its schema.

import type { z } from "zod";
import { ok, refuse, type Result } from "../base/result.ts";
import { quoted, toComplaint } from "./complaint.ts";

export type BadInput = { readonly code: "bad-input"; readonly where: string; readonly why: string };

const asked = { error: toComplaint, reportInput: true } as const;

export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Result<z.output<Schema>, BadInput> {
  const parsed = schema.safeParse(input, asked);
  if (parsed.success) return ok(parsed.data);
  const found = deepest(parsed.error.issues);
  return refuse({ code: "bad-input", where: toWhere(found.path), why: toWhy(found.issue) });
}

type Issue = z.core.$ZodIssue;

/** Of a union's complaints, the one that got furthest is the one that was meant. */
function deepest(
  issues: readonly Issue[],
  prefix: readonly PropertyKey[] = [],
): { path: readonly PropertyKey[]; issue: Issue } {
  const first = issues[0];
  if (first === undefined)
    return { path: prefix, issue: { code: "custom", message: "it is not as expected", path: [], input: undefined } };
  const path = [...prefix, ...first.path];
  if (first.code !== "invalid_union" || first.errors.length === 0) return { path, issue: first };
  return (
    first.errors.map((branch) => deepest(branch, path)).toSorted((a, b) => b.path.length - a.path.length)[0] ?? {
      path,
      issue: first,
    }
  );
}

/** Our own rules say what is expected; what was given is added here, where a short look at it helps. */
function toWhy(issue: Issue): string {
  const message = issue.message.slice(0, 300);
  const isOwn = issue.code === "custom" || issue.code === "invalid_format";
  return isOwn && typeof issue.input === "string" ? `${message}; given was ${quoted(issue.input)}` : message;
}

function toWhere(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the top";
  return path
    .map((part, at) => (typeof part === "number" ? `[${part}]` : `${at === 0 ? "" : "."}${String(part).slice(0, 60)}`))
    .join("");
}
