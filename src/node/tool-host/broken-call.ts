// What a call comes to when the world gets in its way between its beginning and its end: a full disk, a keeper that died, a
// repository that cannot be written. It ends like any other, and says what is known (EN51).

import { Fault } from "../../base/fault.ts";
import { type CallTool, writingTools } from "../../core/run/run-state.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import { type ActResult, failed } from "./act-result.ts";

/** Calls that start something, of which nobody can tell how far it came. */
const commands: ReadonlySet<CallTool> = new Set(["run", "process"]);
const writing: ReadonlySet<CallTool> = new Set(writingTools);
const starting: ReadonlySet<CallTool> = new Set([...commands, "start"]);

export function startsSomething(tool: CallTool): boolean {
  return starting.has(tool);
}

/** What is known of a call of which something may still run: the name under which it goes on in the background. */
export function mayStillRun(name: string): string {
  return `what it had started may still run, as "${name}" in the background; stop that`;
}

/** Throws what is no fault of the world. `left` is the name of what may still run of it, where its end is not proven. */
export function brokenCall(tool: CallTool, error: unknown, left?: string): ActResult {
  if (!isOfTheWorld(error)) throw error;
  const why = messageOf(error);
  if (startsSomething(tool)) {
    const rest = left === undefined ? "what it had started was ended" : mayStillRun(left);
    const no = failed("exit-unknown", `nobody knows how far it came, and ${rest}: ${why}`);
    const unended = left === undefined ? no.report : { ...no.report, unended: true as const };
    const report = commands.has(tool) ? { ...unended, exit: "unknown" as const } : unended;
    return { answer: no.answer, report, look: true };
  }
  if (!writing.has(tool)) return failed(codeOf(error), why);
  return { ...failed(codeOf(error), `nobody knows whether it was done: ${why}`), look: true };
}

/** What a call comes to whose changes could not be brought to safety: they stay where they are, and are found by the next look. */
export function unswept({ answer, report }: ActResult, error: unknown): ActResult {
  if (!(error instanceof Fault) && !isOfTheWorld(error)) throw error;
  const why = `what was changed could not be brought to safety, and stays in the workspace until it is looked for again: ${messageOf(error)}`;
  if (!answer.ok) return { answer: { ...answer, message: `${answer.message}; ${why}` }, report };
  const said = answer.text === "" ? {} : { text: answer.text };
  const ended = answer.exit === null ? "" : `it ended with ${answer.exit}, but `;
  const message = `${ended}${why}`;
  const code = codeOf(error);
  return {
    answer: { ok: false, code, message, ...said },
    report: { ...report, ok: false, summary: `${code}: ${message}` },
  };
}

function codeOf(error: unknown): string {
  return error instanceof Fault ? error.code : "workspace-unavailable";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
