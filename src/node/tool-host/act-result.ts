// What an act answers to its runner, and what it reports for the log.

import { readFile } from "node:fs/promises";
import { Fault } from "../../base/fault.ts";
import type { FinishCall } from "../../core/inputs.ts";
import type { DoorAnswer } from "../../ports/runner.ts";

export type ActResult = {
  readonly answer: DoorAnswer;
  readonly report: Omit<FinishCall, "type" | "run" | "family" | "call">;
  /** Set where the workspace has to be looked at, for whatever a command may have changed in it. */
  readonly look?: true;
};

/** The world's no is an answer too: the assistant should read it. */
export async function guarded(act: () => Promise<ActResult>): Promise<ActResult> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Fault && error.retry === "never") return failed(error.code, error.message);
    throw error;
  }
}

export function done(text: string, summary = text, note?: string): ActResult {
  const answer = { ok: true, text, exit: null, ...(note === undefined ? {} : { note }) } as const;
  return { answer, report: plain(true, summary) };
}

export function failed(code: string, message: string): ActResult {
  return { answer: { ok: false, code, message }, report: plain(false, `${code}: ${message}`) };
}

export function plain(ok: boolean, summary: string): ActResult["report"] {
  return { ok, exit: null, summary, changed: [], works: [], output: null };
}

/** Reads a file of ours; one that is missing or torn by a crash is not there. */
export async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch {
    return undefined;
  }
}
