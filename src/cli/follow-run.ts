// Stays with a run until it is over.

import type { Saying } from "../protocol/stream.ts";
import type { LogEvent } from "../protocol/wire/log-event.ts";
import type { Run, RunState } from "../protocol/wire/run.ts";
import type { Cli } from "./cli.ts";
import { askPatiently } from "./patience.ts";

const overStates: ReadonlySet<RunState> = new Set(["done", "failed", "rejected", "terminated"]);
/** States in which a run may wait for a person. */
export const needyStates: readonly RunState[] = ["awaiting-input", "review", "paused"];

export function isOver(run: Run): boolean {
  return overStates.has(run.state);
}

/** 0 for a run that did what was wanted, 1 for any other end. */
export function exitCodeFor(run: Run): number {
  return run.state === "done" ? 0 : 1;
}

/** Everything that has happened to a run so far. Answers the number up to which it has read. */
export async function readRunLog(
  cli: Cli,
  run: string,
  onEvent: (event: LogEvent) => void,
  after = 0,
): Promise<number> {
  let next = after;
  for (;;) {
    const page = await cli.link.call("run.log", { run, after: next, limit: 1000 });
    for (const event of page.events) onEvent(event);
    next = page.next;
    if (!page.more) return next;
  }
}

/** What has happened and what happens, until the run is over. Throws when the signal says that somebody leaves. */
export async function followRun(
  cli: Cli,
  run: string,
  onEvent: (event: LogEvent) => void,
  signal: AbortSignal,
  onSaying?: (saying: Saying) => void,
): Promise<void> {
  let over = false;
  const take = (event: LogEvent): void => {
    if (event.type === "run.moved" && event["run"] === run) over = overStates.has(event["to"] as RunState);
    if (event.type === "run.removed" && event["run"] === run) over = true;
    onEvent(event);
  };
  const at = await readRunLog(cli, run, take);
  if (over) return;
  const onConnection = (connected: boolean): void => {
    if (!connected && !over && !signal.aborted) cli.out.note("The daemon is away; waiting for it to come back …");
  };
  for await (const event of cli.link.events({ after: at, run, signal, onConnection, onSaying })) {
    take(event);
    // What the end itself brings about comes with it; the reader has it all when the run is seen to be over.
    if (over) break;
  }
  signal.throwIfAborted();
}

export type WaitHooks = {
  readonly signal: AbortSignal;
  /** When to give up, on the clock of `performance.now()`. */
  readonly untilMs?: number;
  /** Told how the run stands, whenever it was asked. */
  readonly onLook?: (run: Run) => void;
  /** Whether a run that is not over need not be waited for any longer. */
  readonly enough?: (run: Run) => boolean;
};

const firstLookMs = 900;
const lookMs = 5_000;

/** Waits until a run is over, or the time is: the answer tells which. Survives a daemon that goes and comes back. */
export async function waitForRun(cli: Cli, run: string, hooks: WaitHooks): Promise<Run> {
  const { signal, untilMs = Number.POSITIVE_INFINITY, onLook, enough = () => false } = hooks;
  const states = hooks.enough === undefined ? {} : { states: [...overStates, ...needyStates] };
  // The first question fails at once when there is nobody to ask.
  let { run: seen } = await cli.link.call("run.get", { run }, { signal });
  for (let looks = 0; !isOver(seen) && performance.now() < untilMs; looks++) {
    onLook?.(seen);
    if (enough(seen)) return seen;
    const leftMs = Math.max(0, Math.ceil(untilMs - performance.now()));
    const waitMs = Math.min(leftMs, looks === 0 ? firstLookMs : lookMs);
    ({ run: seen } = await askPatiently(cli, signal, () =>
      cli.link.call("run.wait", { run, waitMs, ...states }, { signal }),
    ));
  }
  return seen;
}
