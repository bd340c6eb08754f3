// Looks again whenever something happens, at most ten times a second, and at least once a second where ages are shown.

import { setTimeout as delay } from "node:timers/promises";
import type { EventStreamOptions } from "../client/event-stream.ts";
import type { Cli } from "./cli.ts";
import { askPatiently } from "./patience.ts";

const restMs = 100;
const tickMs = 1000;

export async function watchChanges(
  cli: Cli,
  filter: Pick<EventStreamOptions, "types" | "project">,
  look: () => Promise<void>,
): Promise<void> {
  const { signal } = cli.interrupt;
  let changed = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const _ of cli.link.events({ ...filter, signal })) changed.resolve();
  })();
  reading.catch((error: unknown) => changed.reject(error as Error));
  await look();
  for (;;) {
    const tick = cli.out.isScreen ? [delay(tickMs, undefined, { signal, ref: false })] : [];
    await Promise.race([changed.promise, ...tick, aborted(signal)]);
    signal.throwIfAborted();
    changed = Promise.withResolvers();
    await askPatiently(cli, signal, look);
    await delay(restMs, undefined, { signal });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
