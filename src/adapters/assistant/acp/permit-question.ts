// What a person reads who is to allow an act: all that the agent says of it, for they allow what they were shown and nothing else.
// Of a long act the question has the beginning, and names an artifact that has all of it.

import { createHash } from "node:crypto";
import type { Leave, WholeAct } from "../../../core/run/leave.ts";
import { canonical, compareText } from "../../../base/canonical.ts";
import { beginningOf } from "../../../base/cut-text.ts";
import { type Json, listOf, recordOf, textOf } from "../json-line.ts";

const titleCharsMax = 500;
/** More than this is no question any more. What is left out of it still makes it another one. */
const shownCharsMax = 16_000;

/** Called after what is in it: the same act has the same name, whoever asks again, and nothing else can take its place. */
const printChars = 40;

export type PermitQuestion = { readonly text: string; readonly leave: Leave; readonly whole?: WholeAct };

/** Different acts make different questions; what names only this one request, such as its id, does not. */
export function permitQuestion(call: Json): PermitQuestion {
  const tool = textOf(call["kind"], "?");
  const title = textOf(call["title"], tool);
  const what = beginningOf(title.replace(/\s+/g, " "), titleCharsMax);
  return { ...toText(call, { tool, what, title }), leave: { tool, what } };
}

function toText(call: Json, { tool, what, title }: Leave & { readonly title: string }): Omit<PermitQuestion, "leave"> {
  const question = `May it use a tool of its own (${tool}): ${what}?`;
  const shown = [
    ...(what === title ? [] : [toLine("title", title)]),
    ...listOf(call["locations"]).map(toPlace),
    ...toInput(call["rawInput"]),
    ...listOf(call["content"]).map(toContent),
  ].join("\n");
  const text = `${question}\n\n${shown}`.trimEnd();
  if (shown.length <= shownCharsMax) return { text };
  const print = createHash("sha256").update(text).digest("hex");
  const name = `asked-${print.slice(0, printChars)}`;
  const left = `[… ${shown.length - shownCharsMax} more characters. Read them before you allow it: all of it is the artifact ${name} …]`;
  return { text: [question, shown.slice(0, shownCharsMax), left].join("\n\n"), whole: { name, text } };
}

function toPlace(location: Json): string {
  const line = location["line"];
  return toLine("at", `${textOf(location["path"], "?")}${typeof line === "number" ? `:${line}` : ""}`);
}

function toInput(input: unknown): string[] {
  if (input === undefined || input === null) return [];
  if (typeof input !== "object" || Array.isArray(input)) return [toLine("input", input)];
  return Object.entries(input)
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([name, value]) => toLine(/^\w+$/.test(name) ? name : JSON.stringify(name), value));
}

function toContent(content: Json): string {
  if (content["type"] === "diff") return changeOf(content);
  return toLine("shows", recordOf(content["content"])["text"] ?? content);
}

/** A change of a file as people know it. */
export function changeOf({ path, oldText, newText }: Json): string {
  const before = typeof oldText === "string" ? [marked("- ", oldText)] : [];
  return [toLine("changes", textOf(path, "?")), ...before, marked("+ ", textOf(newText, ""))].join("\n");
}

function toLine(name: string, value: unknown): string {
  const text = typeof value === "string" ? value : canonical(value);
  return /[\n\r]/.test(text) ? `${name}:\n${marked("  ", text)}` : `${name}: ${text}`;
}

/** Every line has a mark before it: none can pass for one of ours. */
function marked(mark: string, text: string): string {
  return text.replace(/^/gm, mark);
}
