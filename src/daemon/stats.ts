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
  if (by === "tool") complete = await countCalls(context, new Set(runs.map(({ id }) => id)), sinceMs, tallies);
  else if (by === "model") complete = await countModels(context, runs, sinceMs, tallies);
  else
    for (const { counted, names } of runs)
      if (by !== "error" || counted.status === "failed") tallies.add(names[by], counted);
  return { by, rows: inOrder(by, tallies.rows()), total: tallies.total(), complete };
}

function seeRuns(state: State, project: string | undefined, sinceMs: number): Seen[] {
  const only = project === undefined ? undefined : findProject(state, project).id;
  const isMeant = (run: Run): boolean => run.submittedAtMs >= sinceMs && (only === undefined || run.project === only);
  return [...state.runs.values()].filter(isMeant).map((run) => ({
    id: run.id,
    counted: toCounted(run),
    names: {
      runner: run.runner,
      profile: run.profile ?? "none",
      error: run.failure ?? "other",
      day: new Date(toWallMs(state.openings, run.submittedAtMs)).toISOString().slice(0, 10),
    },
  }));
}

function toCounted({ state, startedAtMs, endedAtMs, spend }: Run): Counted {
  const durationMs = startedAtMs === null || endedAtMs === null ? null : endedAtMs - startedAtMs;
  return { status: state, ok: isOver(state) ? state === "done" : null, durationMs, costMicros: spend.costMicros };
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

/** By the tools of the door that they have used, one call each. */
async function countCalls(
  context: Context,
  runs: ReadonlySet<string>,
  sinceMs: number,
  tallies: Tallies,
): Promise<boolean> {
  const begun = new Map<string, { readonly tool: string; readonly atMs: number }>();
  const complete = await readEvents(context, sinceMs, (event) => {
    const run = String(event["run"]);
    if (!runs.has(run)) return;
    const tool = String(event["tool"]);
    const atMs = Number(event["atMs"]);
    // A run has one call at a time.
    if (event["type"] === "call.started") begun.set(run, { tool, atMs });
    if (event["type"] !== "call.finished" && event["type"] !== "call.refused") return;
    const startedAtMs = begun.get(run)?.atMs ?? null;
    begun.delete(run);
    const ok = event["type"] === "call.finished" && event["ok"] === true;
    const status = event["type"] === "call.refused" ? "refused" : ok ? "ok" : "failed";
    tallies.add(tool, { status, ok, durationMs: startedAtMs === null ? null : atMs - startedAtMs, costMicros: null });
  });
  for (const { tool } of begun.values())
    tallies.add(tool, { status: "open", ok: null, durationMs: null, costMicros: null });
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
