// What became of something that was steered: its id for scripts, a sentence for people.

import type { Cli } from "./cli.ts";
import { toSafeLine } from "./text/safe-text.ts";
import { needOf } from "./lookout.ts";
import { whatItWaitsFor } from "./view/waits-for.ts";

export function tellDone(cli: Cli, id: string, sentence: string): void {
  cli.out.print(id);
  cli.out.note(cli.out.noteColors.dim(toSafeLine(sentence)));
}

/** How a run stands right after it was steered: `it is queued behind r_1a`. A courtesy: without an answer it goes without. */
export async function howItStands(cli: Cli, run: string): Promise<string> {
  try {
    const { run: seen } = await cli.link.call("run.get", { run });
    const waits = whatItWaitsFor(seen);
    const need = seen.state === "paused" ? undefined : needOf(seen)?.split("\n  ")[1];
    return ` It is ${seen.state}${waits === "" ? "" : `, ${waits}`}.${need === undefined ? "" : ` ${need}`}`;
  } catch {
    return "";
  }
}
