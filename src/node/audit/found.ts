// What an audit finds: something that is provably ours and has no owner any more.

import { setTimeout as delay } from "node:timers/promises";
import type { Finding } from "../../protocol/wire/audit.ts";
import { isAlive, type ProcessIdentity, signalProcess } from "../supervisor/process-identity.ts";

export type Found = Omit<Finding, "would"> & {
  /** Null where a person has to decide. */
  readonly reap: { readonly would: string; readonly act: () => Promise<string> } | null;
};

/** Whom things belong to. */
export type Owners = {
  /** Whether somebody may still ask for the files of an agent or a run. */
  readonly owns: (agent: string) => boolean;
  /** Whether something of it may run. */
  readonly keeps: (agent: string) => boolean;
};

const lookMs = 10;
const graceMs = 5000;
const goneMs = 10_000;

/** The same thing, however often it is found. */
export function keyOf({ kind, what }: Pick<Found, "kind" | "what">): string {
  return `${kind} ${what}`;
}

/** Ends a process, first gently. Whoever has its number by then is left alone. */
export async function endProcess(identity: ProcessIdentity, { gently }: { readonly gently: boolean }): Promise<string> {
  if (gently) {
    signalProcess(identity, "SIGTERM");
    if (await isGone(identity, graceMs)) return "it was asked to end, and did";
  }
  signalProcess(identity, "SIGKILL");
  if (await isGone(identity, goneMs)) return "it was ended by force";
  throw new Error(`process ${identity.pid} does not go`);
}

async function isGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const untilMs = performance.now() + timeoutMs;
  while (isAlive(identity)) {
    if (performance.now() > untilMs) return false;
    await delay(lookMs);
  }
  return true;
}
