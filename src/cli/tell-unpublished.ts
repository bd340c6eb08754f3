import type { Run } from "../protocol/wire/run.ts";
import type { Cli } from "./cli.ts";
import { whenPublished } from "./when-published.ts";
import { whereItIs } from "./where-it-is.ts";

/** Says so when what a run has landed is not on the person's branch. */
export async function tellUnpublished(cli: Cli, run: Run): Promise<void> {
  if (run.state !== "done" || run.landed === null) return;
  const project = await whenPublished(cli, run);
  if (project.notPublished !== null) cli.out.note(whereItIs(run, project));
}
