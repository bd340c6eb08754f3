// Waits for a grant. A claim's holder has to give signs of life while it waits, or the claim ends with it.

import type { Claim } from "../protocol/wire/claim.ts";
import type { Cli } from "./cli.ts";
import { askPatiently } from "./patience.ts";
import { Progress } from "./progress.ts";
import { enumerate } from "./view/event-fields.ts";

const lookMs = 5_000;

export async function waitForClaim(
  cli: Cli,
  made: Claim,
  { forMs, ttlMs }: { readonly forMs: number; readonly ttlMs: number },
): Promise<Claim> {
  const { claim } = made;
  cli.interrupt.sayOnLeaving(
    `Left. ${claim} keeps its place until its time is over; signalbox cancel ${claim} gives it up.`,
  );
  const { signal } = cli.interrupt;
  const untilMs = performance.now() + forMs;
  const progress = new Progress(cli.out, toText(made));
  try {
    let seen = made;
    for (;;) {
      const leftMs = untilMs - performance.now();
      // A third of the time to live: two signs of life may be late before it matters.
      const waitMs = Math.max(0, Math.ceil(Math.min(leftMs, lookMs, ttlMs / 3)));
      seen = await askPatiently(cli, signal, () => cli.link.call("claim.get", { claim, waitMs }, { signal }));
      if (seen.state !== "queued" || performance.now() >= untilMs) return seen;
      await askPatiently(cli, signal, () => cli.link.call("claim.renew", { claim }, { signal }));
      progress.set(toText(seen));
    }
  } finally {
    progress.stop();
  }
}

function toText({ claim, units, behind }: Claim): string {
  const holders = [...new Set(behind.map(({ holder }) => holder))];
  return `${claim} waits for ${enumerate(units)}${holders.length === 0 ? "" : ` behind ${enumerate(holders)}`}`;
}
