// How the runs that a filter leaves are ended: by their tag or their project, where the filter is no more than that, else one by one.

import type { RunFilter } from "./run-rows.ts";
import { toShell } from "./shell-text.ts";

type Only = { readonly project?: string };

export type WayToStop =
  | { readonly by: "tag"; readonly input: Only & { readonly tag: string } }
  | { readonly by: "all"; readonly input: Only }
  | { readonly by: "runs" };

export function waysToStop({ project, states, runner, tag, find }: RunFilter): WayToStop {
  if (states.length > 0 || runner !== null || find.trim() !== "") return { by: "runs" };
  const only = project === null ? {} : { project };
  return tag === null ? { by: "all", input: only } : { by: "tag", input: { ...only, tag } };
}

export function toStopCommand(filter: RunFilter, projectName: string | null, ids: readonly string[]): string {
  const way = waysToStop(filter);
  if (way.by === "runs") return `signalbox stop ${ids.join(" ")}`;
  const whom = way.by === "tag" ? `--tag ${toShell(way.input.tag)}` : "--all";
  return `signalbox stop ${whom}${projectName === null ? "" : ` --project ${toShell(projectName)}`}`;
}
