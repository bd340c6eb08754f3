// How runs went. What runs are is in the state; what calls and models they had is in the log, of which the newest part is
// read.

import type { Run } from "../core/run/run-state.ts";
import { isOver } from "../core/run/run-states.ts";
import type { State } from "../core/state.ts";
import type { StoredEvent } from "../ports/event-store.ts";
import type { ParsedInputOf } from "../protocol/operations.ts";
import { toWallMs } from "../protocol/wall-time.ts";
import type { Stats, StatsRow } from "../protocol/wire/stats.ts";
import type { Context } from "./context.ts";
import { findProject } from "./views/project-view.ts";
import { type Counted, Tallies } from "./views/tally.ts";
import { ToolCounts } from "./views/tool-counts.ts";

const eventsMax = 200_000;
const chunkEvents = 512;

type RunBy = Exclude<Stats["by"], "model" | "tool">;

/** What is counted of a run, and under which names. */
type Seen = { readonly id: string; readonly counted: Counted; readonly names: Readonly<Record<RunBy, string>> };

export async function gatherStats(context: Context, { by, project, lastMs }: ParsedInputOf<"stats">): Promise<Stats> {
  const sinceMs = lastMs === undefined ? Number.NEGATIVE_INFINITY : context.parts.engine.nowMs() - lastMs;
  const runs = await new Promise<Seen[]>((resolve, reject) => {
    context.reads.read((state) => seeRuns(state, project, sinceMs), resolve, reject);
  });
  const tallies = new Tallies();
  let complete = true;
  if (by === "tool") complete = await countCalls(context, runs, sinceMs, tallies);
  else if (by === "model") complete = await countModels(context, runs, sinceMs, tallies);
  else
    for (const { counted, names } of runs)
      if (by !== "error" || counted.status === "failed") tallies.add(names[by], counted);
  return { by, rows: inOrder(by, tallies.rows()), total: tallies.total(), complete };
}

function seeRuns(state: State, project: string | undefined, sinceMs: number): Seen[] {
  const only = project === undefined ? undefined : findProject(state, project).id;
  const isMeant = (run: Run): boolean => run.submittedAtMs >= sinceMs && (only === undefined || run.project === only);
  const withAsides = new Set([...state.trash.values()].map(({ run }) => run));
  return [...state.runs.values()].filter(isMeant).map((run) => ({
    id: run.id,
    counted: toCounted(run, withAsides.has(run.id)),
    names: {
      runner: run.runner,
      profile: run.profile ?? "none",
      error: run.failure ?? "other",
      day: new Date(toWallMs(state.openings, run.submittedAtMs)).toISOString().slice(0, 10),
    },
  }));
}

/** A run whose changes are not all where they belong did not end well, as whoever waits for it hears too (RN42). */
function toCounted({ state, startedAtMs, endedAtMs, spend }: Run, hasAsides: boolean): Counted {
  const durationMs = startedAtMs === null || endedAtMs === null ? null : endedAtMs - startedAtMs;
  const status = state === "done" && hasAsides ? "done in part" : state;
  return { status, ok: isOver(state) ? status === "done" : null, durationMs, costMicros: spend.costMicros };
}

/** By the models that runs have asked. A run that asked several counts for each of them, and once in all. */
async function countModels(
  context: Context,
  runs: readonly Seen[],
  sinceMs: number,
  tallies: Tallies,
): Promise<boolean> {
  const meant = new Set(runs.map(({ id }) => id));
  const costs = new Map<string, Map<string, number>>();
  const complete = await readEvents(context, sinceMs, (event) => {
    const run = String(event["run"]);
    if (event["type"] !== "model.answered" || !meant.has(run)) return;
    const ofRun = costs.get(run) ?? new Map<string, number>();
    costs.set(run, ofRun);
    const model = String(event["model"]);
    ofRun.set(model, (ofRun.get(model) ?? 0) + Number(event["costMicros"] ?? 0));
  });
  for (const { id, counted } of runs) {
    const models = costs.get(id);
    if (models === undefined) continue;
    for (const [model, costMicros] of models) tallies.addTo(model, { ...counted, costMicros });
    tallies.addToAll(counted);
  }
  return complete;
}

/** By the tools that they have used, one call each. */
async function countCalls(
  context: Context,
  runs: readonly Seen[],
  sinceMs: number,
  tallies: Tallies,
): Promise<boolean> {
  const over = new Map(runs.map(({ id, counted }) => [id, counted.ok !== null]));
  const counts = new ToolCounts(tallies);
  const complete = await readEvents(context, sinceMs, (event) => {
    const run = String(event["run"]);
    if (over.has(run)) counts.take(run, event);
  });
  counts.finish((run) => over.get(run) === true);
  return complete;
}

/** The newest part of the log, from an instant on. Says whether that was all there is from then. */
async function readEvents(
  { parts: { store } }: Context,
  sinceMs: number,
  look: (event: StoredEvent) => void,
): Promise<boolean> {
  const to = store.lastSeq;
  const from = Math.max(0, to - eventsMax);
  let isCut = from > 0;
  for (let next = from; next < to;) {
    const chunk = await store.read(next, Math.min(chunkEvents, to - next));
    if (chunk.length === 0) break;
    // The store answers at once, so a long look would keep everybody else waiting.
    await new Promise(setImmediate);
    for (const event of chunk) {
      if (Number(event["atMs"]) >= sinceMs) look(event);
      else isCut = false;
      next = event.seq;
    }
  }
  return !isCut;
}

function inOrder(by: Stats["by"], rows: readonly StatsRow[]): StatsRow[] {
  const byName = (a: StatsRow, b: StatsRow): number => (a.name < b.name ? -1 : 1);
  if (by === "day") return rows.toSorted((a, b) => -byName(a, b));
  return rows.toSorted((a, b) => b.count - a.count || byName(a, b));
}
