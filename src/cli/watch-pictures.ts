// Looks again at a steady pace and shows what it sees: on a screen each picture replaces the one before, elsewhere they follow
// each other, and a program gets one document per look.

import { setTimeout as delay } from "node:timers/promises";
import type { Cli } from "./cli.ts";
import type { Output } from "./output.ts";
import { askPatiently } from "./patience.ts";
import { toSafeOutput } from "./text/safe-text.ts";

const everyMs = 2000;
const home = "\u001b[H";
const clearLine = "\u001b[K\n";
const clearBelow = "\u001b[J";

/** Goes on until somebody leaves. Lines are a picture, anything else is a document. */
export async function watchPictures<Seen>(
  cli: Cli,
  look: () => Promise<Seen>,
  show: (seen: Seen) => string[] | object,
): Promise<void> {
  const { signal } = cli.interrupt;
  cli.interrupt.sayOnLeaving("Left.");
  for (let seen = await look(); ; seen = await askPatiently(cli, signal, look)) {
    const shown = show(seen);
    if (Array.isArray(shown)) drawPicture(cli.out, shown as string[]);
    else cli.out.jsonLine(shown);
    await delay(everyMs, undefined, { signal });
  }
}

export function drawPicture(out: Output, lines: readonly string[]): void {
  if (!out.isScreen) return out.print(...lines, "");
  // What does not fit would scroll the picture away from its place.
  const room = out.height - 2;
  const shown = lines.length <= room ? lines : [...lines.slice(0, room), `… ${lines.length - room} more lines`];
  out.raw(`${home}${shown.map(toSafeOutput).join(clearLine)}${clearLine}${clearBelow}`);
}
