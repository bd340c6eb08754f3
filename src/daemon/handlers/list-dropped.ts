// What a person took off their branch after it had landed, with the command that brings it back (LD58).

import { quoteWord } from "../../base/quote-word.ts";
import type { Mainline } from "../../ports/mainline.ts";
import type { OutputOf } from "../../protocol/operations.ts";

type Dropped = NonNullable<OutputOf<"project.get">["dropped"]>[number];

/** The newest first. What the repository does not have any more is left out: nothing brings it back. */
export async function listDropped(
  mainline: Pick<Mainline, "folders" | "factsOfAll" | "keptUnder">,
  max: number,
): Promise<Dropped[]> {
  const facts = await mainline.factsOfAll(await mainline.keptUnder("dropped"));
  const from = quoteWord(mainline.folders?.repository ?? "");
  return [...facts].slice(0, max).map(([commit, { message }]) => ({
    commit,
    title: message.split("\n")[0] ?? "",
    how: `git fetch ${from} ${commit} && git cherry-pick ..FETCH_HEAD`,
  }));
}
