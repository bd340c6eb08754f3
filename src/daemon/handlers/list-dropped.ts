// What a person took off their branch after it had landed, with the command that brings it back (LD58).

import { quoteWord } from "../../base/quote-word.ts";
import { droppedOf } from "../../node/landing/dropped.ts";
import type { Mainline } from "../../ports/mainline.ts";
import type { OutputOf } from "../../protocol/operations.ts";

type Dropped = NonNullable<OutputOf<"project.get">["dropped"]>[number];

/** The newest first. What the repository does not have any more is left out: nothing brings it back. */
export async function listDropped(
  mainline: Pick<Mainline, "folders" | "factsOfAll" | "keptUnder">,
  max: number,
): Promise<Dropped[]> {
  const dropped = await droppedOf(mainline);
  const since = new Map(dropped.map((each) => [each.commit, each.since]));
  const facts = await mainline.factsOfAll([...since.keys()]);
  const from = quoteWord(mainline.folders?.repository ?? "");
  return [...facts].slice(0, max).map(([commit, { message }]) => ({
    commit,
    title: message.split("\n")[0] ?? "",
    how: `git fetch ${from} ${commit} && git cherry-pick ${since.get(commit) ?? ""}..FETCH_HEAD`,
  }));
}
