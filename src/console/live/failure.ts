// Why a question was not answered, and whether that passes by itself: a daemon that is away or busy answers the same question later.
// What it refuses stays refused, and a defect of ours comes again.

import { ProtocolError } from "../../protocol/errors.ts";

/** Made anew for each time that it happens. */
export type Failure = {
  readonly message: string;
  readonly code: string | null;
  readonly passes: boolean;
};

const passing: ReadonlySet<string> = new Set([
  ...["overloaded", "store-unavailable", "closing", "timed-out"],
  ...["connection-lost", "daemon-not-running"],
]);

export function toFailure(error: unknown): Failure {
  const code = error instanceof ProtocolError ? error.code : null;
  const message = error instanceof Error ? error.message : String(error);
  return { message, code, passes: code !== null && passing.has(code) };
}
