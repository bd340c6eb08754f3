import type { Run } from "../protocol/wire/run.ts";
import type { Cli } from "./cli.ts";
import { whenPublished } from "./when-published.ts";
import { whereItIs } from "./where-it-is.ts";

/** Says so when what a run has landed is not on the person's branch: once for each project that was not `told` of yet. */
export async function tellUnpublished(cli: Cli, run: Run, told = new Set<string>()): Promise<void> {
  if (run.state !== "done" || run.landed === null) return;
  const project = await whenPublished(cli, run);
  if (project.notPublished === null || told.has(project.id)) return;
  told.add(project.id);
  cli.out.note(whereItIs(run, project));
}
