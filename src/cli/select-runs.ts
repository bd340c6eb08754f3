// Which runs `stop` and `kill` mean: those that are named, those with a tag, or all.

import type { Cli } from "./cli.ts";
import type { CommonFlags } from "./define-command.ts";
import { flag, jsonFlag, onlyProjectFlag, tagFlag, textFlag } from "./flags.ts";
import { resolveOnlyProject } from "./resolve-project.ts";
import { UsageError } from "./usage-error.ts";
import { enumerate } from "./view/event-fields.ts";

export type SelectFlags = CommonFlags & {
  readonly tag?: string;
  readonly all: boolean;
  readonly project?: string;
  readonly because?: string;
};

export const selectFlags = {
  tag: { ...tagFlag, brief: "All runs with this tag." },
  all: flag("All runs."),
  project: { ...onlyProjectFlag, brief: "With --tag or --all: only of this project." },
  because: textFlag("TEXT", "Why, for the record."),
  json: jsonFlag,
} as const;

export const selectUsage = "RUN… | --tag TAG [--project PROJECT] | --all [--project PROJECT]";

export type Selection =
  | { readonly by: "runs"; readonly runs: readonly string[] }
  | { readonly by: "tag"; readonly tag: string; readonly project?: string }
  | { readonly by: "all"; readonly project?: string };

export async function selectRuns(cli: Cli, flags: SelectFlags, runs: readonly string[]): Promise<Selection> {
  const { tag, all, project } = flags;
  const ways = [runs.length > 0, tag !== undefined, all].filter(Boolean).length;
  if (ways === 0) throw new UsageError("Which runs? Name some, or give --tag TAG or --all.");
  if (ways > 1) throw new UsageError("Name runs, or give --tag, or --all: one of them, not several.");
  if (runs.length > 0) {
    if (project !== undefined) throw new UsageError("--project goes with --tag or --all; a run's id says enough.");
    return { by: "runs", runs };
  }
  const only = await resolveOnlyProject(cli, project);
  return tag === undefined ? { by: "all", ...only } : { by: "tag", tag, ...only };
}

/** The runs that are not over and are meant. */
export async function listSelected(cli: Cli, selection: Selection): Promise<readonly string[]> {
  if (selection.by === "runs") return selection.runs;
  const { by: _, ...filter } = selection;
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = await cli.link.call("run.list", {
      ...filter,
      active: true,
      limit: 1000,
      ...(after === undefined ? {} : { after }),
    });
    ids.push(...page.runs.map(({ id }) => id));
    after = page.next ?? undefined;
  } while (after !== undefined);
  return ids;
}

/** What is said of a run that was ended, and of the sub-runs that ended with it. */
export function tellEnded(run: string, how: "stopped" | "killed", ended: readonly string[]): string {
  const others = ended.filter((each) => each !== run);
  const along = others.length === 0 ? "" : ` So ${others.length === 1 ? "is" : "are"} ${enumerate(others)}.`;
  return `${run} is ${how}: it ends as terminated, its leases are free, what it wrote is kept.${along}`;
}
