import type { Run } from "../protocol/wire/run.ts";
import type { Cli } from "./cli.ts";
import { whenPublished } from "./when-published.ts";
import { whereItIs } from "./where-it-is.ts";

export type TellOptions = {
  readonly json: boolean;
  /** Projects of which it was said already. */
  readonly told?: Set<string>;
};

/**
 * Says so when what a run has landed is not on the person's branch, once for each project. Answers whether what it has landed, if it
 * has, is where it belongs.
 */
export async function tellUnpublished(cli: Cli, run: Run, { json, told = new Set() }: TellOptions): Promise<boolean> {
  if (run.state !== "done" || run.landed === null) return true;
  const project = await whenPublished(cli, run);
  if (run.landedOn !== null || project.notPublished === null) return true;
  if (!json && !told.has(project.id)) cli.out.note(whereItIs(run, project));
  told.add(project.id);
  return false;
}
