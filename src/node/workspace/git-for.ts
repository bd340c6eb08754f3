import type { Project } from "../../core/project/project.ts";
import type { Mainline } from "../../ports/mainline.ts";
import type { CageOrder } from "../../protocol/keeper/keeper-wire.ts";
import type { BaseJournal } from "./base-journal.ts";

/** A repository of the agent's own inside, which borrows our objects and has nothing else of ours. */
export async function gitFor(mainline: Mainline, project: Project, { bases }: BaseJournal): Promise<CageOrder["git"]> {
  const { objectsFolder: objects } = mainline;
  if (objects === null) return null;
  const index = await mainline.indexFor(bases.layers);
  return { objects, commit: bases.layers, branch: project.source.branch, ...(index === null ? {} : { index }) };
}
