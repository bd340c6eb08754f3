// What a person took off their branch after it had landed, with the command that brings it back (LD58).

import { Fault } from "../../base/fault.ts";
import { quoteWord } from "../../base/quote-word.ts";
import { isOfTheWorld } from "../../node/is-of-the-world.ts";
import { droppedOf } from "../../node/landing/dropped.ts";
import type { Mainline } from "../../ports/mainline.ts";
import type { Dropped } from "../../protocol/wire/project.ts";
import type { Context } from "../context.ts";

/** So many are listed of each project. */
const droppedMax = 100;

/** What people have taken off the branch of a project and can have again. One that cannot be read now has its own way of saying so. */
export async function droppedIn({ state, parts }: Pick<Context, "state" | "parts">, id: string): Promise<Dropped[]> {
  const project = state.projects.get(id);
  if (project === undefined || project.removed || project.source.kind === "folder") return [];
  try {
    return await listDropped(await parts.mainlines.of(project), droppedMax);
  } catch (error) {
    if (error instanceof Fault || isOfTheWorld(error)) return [];
    throw error;
  }
}

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
