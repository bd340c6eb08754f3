// What has landed is brought to the person's branch a moment later, or it is said why not. Whoever tells a person where
// their work is waits for that.

import type { LogEvent } from "../protocol/wire/log-event.ts";
import type { Project } from "../protocol/wire/project.ts";
import type { Run } from "../protocol/wire/run.ts";
import type { Cli } from "./cli.ts";
import { readRunLog } from "./follow-run.ts";
import { askPatiently } from "./patience.ts";

/** The project of a run, once it is known whether the run's last landing has reached the branch. */
export async function whenPublished(cli: Cli, run: Run): Promise<Project> {
  const { signal } = cli.interrupt;
  const look = async (): Promise<Project> =>
    (await askPatiently(cli, signal, () => cli.link.call("project.get", { project: run.project }, { signal }))).project;
  const project = await look();
  // A branch of its own is there with the landing; what mainline had already is published with nobody saying so again.
  if (run.landed === null || run.landedOn !== null || project.published === run.landed) return project;
  const landedAt = await askPatiently(cli, signal, () => lastLanding(cli, run.id));
  if (landedAt === undefined) return project;
  await publication(cli, run.project, landedAt, signal);
  return look();
}

async function lastLanding(cli: Cli, run: string): Promise<number | undefined> {
  let seq: number | undefined;
  await readRunLog(cli, run, (event) => {
    if (event.type === "run.landed") ({ seq } = event);
  });
  return seq;
}

async function publication(cli: Cli, project: string, after: number, signal: AbortSignal): Promise<void> {
  const isIt = (event: LogEvent): boolean => event.type === "mainline.published" && event["project"] === project;
  const page = await askPatiently(cli, signal, () =>
    cli.link.call("events.read", { after, types: ["mainline.published"], project, limit: 1 }, { signal }),
  );
  if (page.events.some(isIt)) return;
  for await (const event of cli.link.events({ after, project, signal })) if (isIt(event)) return;
  signal.throwIfAborted();
}
