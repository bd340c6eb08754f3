// Calls that the door knows nothing of: of tools that a program has itself, and of a profile's servers. What they were asked
// for and what came of it stands nowhere but in what the program says.

import { canonical } from "../../base/canonical.ts";
import { beginningOf, endOf } from "../../base/cut-text.ts";
import type { Heard } from "../../core/run/heard.ts";
import type { HeardInFull } from "../../ports/assistant.ts";
import { type Json, listOf, recordOf, textOf } from "./json-line.ts";

type Call = { readonly call: string; readonly tool: string; readonly parent: string | null };
export type Outcome = { readonly ok: boolean; readonly exit: number | null; readonly text: string };

const inputCharsMax = 1000;
const toolCharsMax = 100;
/** What the log has of a longer text; of a command the end says most. */
const headChars = 1000;
const tailChars = 3000;

/** What is asked for. */
export function ownCall({ call, tool, parent }: Call, input: unknown): Heard {
  return { is: "tool", call, tool: beginningOf(tool, toolCharsMax), parent, input: toInput(input) };
}

/** What came of it. */
export function ownResult({ call, tool, parent }: Call, { ok, exit, text }: Outcome): HeardInFull {
  const about = { is: "result", call, tool: beginningOf(tool, toolCharsMax), parent, ok, exit } as const;
  const left = text.length - headChars - tailChars;
  if (left <= 0) return { ...about, text, output: null };
  const short = `${beginningOf(text, headChars)}\n[… ${left} characters left out …]\n${endOf(text, tailChars)}`;
  return { ...about, text: short, output: null, whole: text };
}

/** As a person would say it: the command alone, or what there is. Short, so that many can be remembered. */
export function toInput(input: unknown): string {
  if (typeof input === "string") return beginningOf(input, inputCharsMax);
  const { command, description, prompt } = recordOf(input);
  const said =
    wordsOf(command) ??
    (typeof prompt === "string" ? `${textOf(description, "")}: ${prompt}`.replace(/^: /, "") : undefined) ??
    (input === undefined || input === null ? "" : canonical(input));
  return beginningOf(said, inputCharsMax);
}

function wordsOf(command: unknown): string | undefined {
  if (typeof command === "string") return command;
  const isList = Array.isArray(command) && command.every((word) => typeof word === "string");
  return isList ? command.join(" ") : undefined;
}

/** The words in what a tool answers, which comes as a text or in blocks. Of anything else it is said what it is. */
export function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((block: Json) => (typeof block["text"] === "string" ? block["text"] : `[${textOf(block["type"], "?")}]`))
    .join("\n");
}
