// One run without a daemon: a private one in this very process, in a home of its own that goes when the run is over.

import { doorLines } from "./door-lines.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { statSync } from "node:fs";
import type { InputOf, OutputOf } from "../protocol/operations.ts";
import type { Cli } from "./cli.ts";
import { keepLeft } from "./keep-left.ts";
import type { NamedProcess } from "./parse-args.ts";
import { withProgress } from "./progress.ts";
import { toFolder } from "./resolve-project.ts";
import { stayWithRun } from "./stay-with-run.ts";
import { toSafeLine } from "./text/safe-text.ts";
import { toProcesses } from "./to-processes.ts";
import { UsageError } from "./usage-error.ts";
import { warningLines } from "./view/warning-lines.ts";
import { whenPublished } from "./when-published.ts";

type Warning = OutputOf<"run.submit">["warnings"][number];

export type EphemeralOptions = {
  readonly project?: string;
  readonly process: readonly NamedProcess[];
  readonly test?: readonly string[];
  readonly json: boolean;
};

export async function runEphemeral(
  cli: Cli,
  { project: given = ".", process: processes, test, json }: EphemeralOptions,
  request: Omit<InputOf<"run.submit">, "project">,
): Promise<number> {
  const root = toFolder(cli, given);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new UsageError(`--project "${given}": with --ephemeral it is a folder, and ${root} is none.`);
  }
  const named = toProcesses(processes);
  cli.interrupt.sayOnLeaving("Left. The run and its private daemon were ended.");
  const { signal } = cli.interrupt;
  const home = await mkdtemp(join(tmpdir(), "signalbox-"));
  let folders: readonly string[] = [home];
  try {
    const { startDaemon } = await import("../daemon/main.ts");
    const daemon = await withProgress(cli.out, "a private daemon is starting", startDaemon({ home, port: 0 }));
    ({ folders } = daemon);
    const inside = cli.at(home);
    let submitted: string | undefined;
    try {
      signal.throwIfAborted();
      const adding = inside.link.call("project.add", {
        root,
        processes: named,
        landingTest: test === undefined ? null : [...test],
      });
      const { project } = await withProgress(cli.out, `taking in the history of ${root}`, adding);
      const { run, door, warnings } = await inside.link.call("run.submit", { ...request, project });
      submitted = run;
      cli.out.note(...warningLines(warnings.map(asKnownHere)));
      if (door !== null) cli.out.note(...doorLines(door));
      const exitCode = await stayWithRun(inside, run, { json, alone: true });
      if (await isOnlyHere(inside, run)) folders = [];
      return exitCode;
    } finally {
      try {
        // Nobody would ever find them again: their daemon and its home go with this process.
        await daemon.endRuns();
        if (submitted !== undefined && !(await isLeftKept(inside, submitted))) folders = [];
      } finally {
        inside.link.close();
        await daemon.close();
      }
    }
  } finally {
    // A keeper that was still coming up when its daemon ended may put a file there until it notices.
    for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A project of a private daemon cannot be changed by anybody: what would mend it is said in the words of this command. */
function asKnownHere(warning: Warning): Warning {
  if (warning.code !== "no-test") return warning;
  return { ...warning, message: "What this run changes lands untested. Name a test with: --test COMMAND" };
}

/** Whether nothing is lost when the home goes; else says why, and where it is. How the run ended is told all the same. */
async function isLeftKept(cli: Cli, run: string): Promise<boolean> {
  try {
    await keepLeft(cli, run);
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    cli.out.note(
      toSafeLine(`What did not land could not be put into a folder: ${why}`),
      `It is only in ${cli.home}, which therefore stays. To get it: SIGNALBOX_HOME=${cli.home} signalbox up -d, and the same with trash list.`,
    );
    return false;
  }
}

/** Whether what the run landed is nowhere but in the private daemon's home; says so, and how to get it. */
async function isOnlyHere(cli: Cli, id: string): Promise<boolean> {
  const { run } = await cli.link.call("run.get", { run: id });
  if (run.landed === null) return false;
  const { notPublished } = await whenPublished(cli, run);
  if (notPublished === null) return false;
  cli.out.note(
    toSafeLine(`${id} has landed, not published: ${notPublished.why}. To get it: ${notPublished.how}`),
    `Until then it is only in ${cli.home}, which therefore stays.`,
  );
  return true;
}
