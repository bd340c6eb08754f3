// A daemon that is started again takes its work up where it was; whoever waits for that work need not give up.

import { setTimeout as delay } from "node:timers/promises";
import { ProtocolError } from "../protocol/errors.ts";
import type { Cli } from "./cli.ts";

const awayCodes: ReadonlySet<string> = new Set([
  "connection-lost",
  "daemon-not-running",
  "closing",
  "store-unavailable",
]);
const pauseMs = 250;

/** Asks until there is an answer. Only for questions that may be repeated, and after the daemon has answered once. */
export async function askPatiently<T>(cli: Cli, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  let told = false;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProtocolError)) throw error;
      const overloaded = error.code === "overloaded";
      if (!overloaded && !awayCodes.has(error.code)) throw error;
      if (!told && !overloaded) cli.out.note("The daemon is away; waiting for it to come back …");
      told ||= !overloaded;
      await delay(error.retryAfterMs ?? pauseMs, undefined, { signal });
    }
  }
}
