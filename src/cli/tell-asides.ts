import type { Run } from "../protocol/wire/run.ts";
import type { Cli } from "./cli.ts";
import { toSafeLine } from "./text/safe-text.ts";
import { joinWords } from "./text/split-words.ts";

/** More would be a list, and the trash has that. */
const plannedMax = 3;

/**
 * Whether some of what a run changed is not where anybody would look for it: it was not the run's to change, and is in the trash.
 * Says so, and how it would have waited for it instead.
 */
export async function tellAsides(cli: Cli, { id, state }: Run, { json }: { readonly json: boolean }): Promise<boolean> {
  if (state !== "done") return false;
  const { items } = await cli.link.call("trash.list", { run: id });
  if (items.length === 0) return false;
  if (json) return true;
  const count = items.length === 1 ? "1 of its changes" : `${items.length} of its changes`;
  cli.out.note(
    `${count} did not land and ${items.length === 1 ? "is" : "are"} set aside: signalbox trash list --run ${id}`,
  );
  const held = items.filter((item) => item.held).map(({ path }) => `file:${path}`);
  if (held.length > 0 && held.length <= plannedMax) {
    const plan = joinWords(held.flatMap((unit) => ["--plan", unit]));
    cli.out.note(toSafeLine(`Somebody else held that. A run with ${plan} waits until it is free.`));
  }
  return true;
}
