// The one catalogue of errors: every code that any face can answer with, what it means and what to do about it.
// docs/reference/errors.md says the same; a test compares the two.

import { agentErrors } from "./errors/agent-errors.ts";
import { claimErrors } from "./errors/claim-errors.ts";
import { doorErrors } from "./errors/door-errors.ts";
import type { ErrorData, ErrorEntry, ExitCode } from "./errors/error-entry.ts";
import { landingErrors } from "./errors/landing-errors.ts";
import { machineErrors } from "./errors/machine-errors.ts";
import { toolErrors } from "./errors/tool-errors.ts";
import { modelErrors } from "./errors/model-errors.ts";
import { workErrors } from "./errors/work-errors.ts";

export { type ErrorData, type ExitCode, exitCodes } from "./errors/error-entry.ts";

export const errorCatalogue = {
  ...claimErrors,
  ...workErrors,
  ...toolErrors,
  ...doorErrors,
  ...landingErrors,
  ...modelErrors,
  ...machineErrors,
  ...agentErrors,
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

const entries: ReadonlyMap<string, ErrorEntry> = new Map(Object.entries(errorCatalogue));

/** An error as it crosses a socket. */
export type WireError = {
  readonly code: string;
  /** What, where, what to do: a sentence or two. */
  readonly message: string;
  readonly data: ErrorData;
  readonly ways: readonly string[];
  readonly retryAfterMs?: number | undefined;
};

export function toWireError(code: ErrorCode, data: ErrorData = {}): WireError {
  const entry: ErrorEntry = errorCatalogue[code];
  const error = { code, message: entry.sentence(data), data, ways: entry.ways?.(data) ?? [] };
  const retryAfterMs = data["retryAfterMs"];
  return typeof retryAfterMs === "number" ? { ...error, retryAfterMs } : error;
}

export function isErrorCode(code: string): code is ErrorCode {
  return entries.has(code);
}

export function statusOf(code: string): number {
  return entries.get(code)?.status ?? 500;
}

export function exitCodeOf(code: string): ExitCode {
  return entries.get(code)?.exit ?? 8;
}

/** What a client throws: the answer was no, and why. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly code: string;
  readonly data: ErrorData;
  readonly ways: readonly string[];
  readonly retryAfterMs: number | undefined;

  constructor(error: WireError, options?: { cause?: unknown }) {
    super(error.message, options);
    this.code = error.code;
    this.data = error.data;
    this.ways = error.ways;
    this.retryAfterMs = error.retryAfterMs;
  }

  get exitCode(): ExitCode {
    return exitCodeOf(this.code);
  }

  toWire(): WireError {
    const { code, message, data, ways, retryAfterMs } = this;
    return { code, message, data, ways, retryAfterMs };
  }
}

/** Makes the error of a code in one go. */
export function protocolError(code: ErrorCode, data: ErrorData = {}, options?: { cause?: unknown }): ProtocolError {
  return new ProtocolError(toWireError(code, data), options);
}
