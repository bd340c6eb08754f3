// One run without a daemon: a private one in this very process, in a home of its own that goes when the run is over.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { statSync } from "node:fs";
import type { InputOf } from "../protocol/operations.ts";
import type { Cli } from "./cli.ts";
import type { NamedProcess } from "./parse-args.ts";
import { withProgress } from "./progress.ts";
import { toFolder } from "./resolve-project.ts";
import { stayWithRun } from "./stay-with-run.ts";
import { toProcesses } from "./to-processes.ts";
import { UsageError } from "./usage-error.ts";

export type EphemeralOptions = {
  readonly project?: string;
  readonly process: readonly NamedProcess[];
  readonly json: boolean;
};

export async function runEphemeral(
  cli: Cli,
  { project: given = ".", process: processes, json }: EphemeralOptions,
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
  try {
    const { startDaemon } = await import("../daemon/main.ts");
    const daemon = await withProgress(cli.out, "a private daemon is starting", startDaemon({ home, port: 0 }));
    const inside = cli.at(home);
    try {
      signal.throwIfAborted();
      const { project } = await inside.link.call("project.add", { root, processes: named });
      const { run } = await inside.link.call("run.submit", { ...request, project });
      return await stayWithRun(inside, run, { json, alone: true });
    } finally {
      inside.link.close();
      // Nobody would ever find them again: their daemon and its home go with this process.
      await daemon.endRuns();
      await daemon.close();
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
