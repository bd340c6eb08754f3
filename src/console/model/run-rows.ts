// The rows of the list of runs: what was fetched, with what the page has heard since, the newest first.

import type { Run, RunState } from "../../protocol/wire/run.ts";
import { doesMatch } from "./lanes.ts";

export type RunFilter = {
  /** Id of the only project that is shown. */
  readonly project: string | null;
  readonly states: readonly RunState[];
  readonly runner: string | null;
  readonly tag: string | null;
  readonly find: string;
};

export type FetchedRuns = {
  readonly runs: readonly Run[];
  /** The last one of the last page, null when there is no further page. */
  readonly next: string | null;
  readonly total: number;
};

/** Whether a run belongs on the list. */
export function doesPass(run: Run, { project, states, runner, tag, find }: RunFilter): boolean {
  if (project !== null && run.project !== project) return false;
  if (states.length > 0 && !states.includes(run.state)) return false;
  if (runner !== null && run.runner !== runner) return false;
  if (tag !== null && !run.tags.includes(tag)) return false;
  return doesMatch(run, find);
}

/** A live run takes the place of the fetched one; one that is new, or has come to match, is put in its order. */
export function toRunRows(
  fetched: FetchedRuns,
  live: ReadonlyMap<string, Run>,
  filter: RunFilter,
  gone: ReadonlySet<string>,
): Run[] {
  const byId = new Map(fetched.runs.map((run) => [run.id, run]));
  const last = fetched.next === null ? 0 : numberOf(fetched.next);
  for (const run of live.values()) if (byId.has(run.id) || numberOf(run.id) > last) byId.set(run.id, run);
  return [...byId.values()]
    .filter((run) => !gone.has(run.id) && doesPass(run, filter))
    .toSorted((a, b) => numberOf(b.id) - numberOf(a.id));
}

/** A page read anew, put before what was read further down. */
export function withFirstPage(fetched: FetchedRuns, page: FetchedRuns): FetchedRuns {
  if (page.next === null) return page;
  const from = numberOf(page.next);
  const rest = fetched.runs.filter((run) => numberOf(run.id) < from);
  if (rest.length === 0) return page;
  return { runs: [...page.runs, ...rest], next: fetched.next, total: page.total };
}

/** Ids count up: they are spelled from the number of the event that made them. */
function numberOf(id: string): number {
  return Number.parseInt(id.slice(2), 36);
}
