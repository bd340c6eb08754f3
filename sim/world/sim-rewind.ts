// Takes a workspace back to an earlier step (LD34), by the core's own plan. What stands there is reported first: after a
// crash in between, nobody could say what was given up.

import type { Act } from "../../src/core/acts.ts";
import type { Input } from "../../src/core/inputs.ts";
import type { MergedText } from "../../src/core/landing/conflict.ts";
import { planRewind, settleRewind, type RewindPath } from "../../src/core/landing/rewind.ts";
import { allows } from "./model-unit.ts";
import { type RefreshWorld, worksOf } from "./sim-refresh.ts";
import { mergeBlobs } from "./words.ts";

type RewindAct = Act & { type: "rewind" };

/** What is there now, for the log. */
export function findWorks(world: RefreshWorld, act: RewindAct): Input {
  return { type: "works.find", run: act.run, act: act.id, works: worksOf(world, act.run) };
}

export function rewind(world: RefreshWorld, act: RewindAct): Input {
  const { depot, model, sometimes } = world;
  const run = model.runs.get(act.run);
  const report = { type: "run.rewound", run: act.run, act: act.id, refused: null } as const;
  if (run === undefined || run.removed) return { ...report, works: [], stayed: [] };
  const workspace = depot.workspaceOf(run.id);
  const old = new Map(act.works.map((work) => [work.path, work]));
  const leases = model.leasesOf(run.family).filter((lease) => lease.ready && !lease.quarantined);
  const paths: RewindPath[] = [...new Set([...workspace.paths(), ...old.keys()])].toSorted().map((path) => ({
    path,
    old: old.get(path) ?? { base: null, work: null },
    now: { base: workspace.baseOf(path), work: workspace.workOf(path) },
    isCovered: leases.some((lease) => allows(lease.unit, model.unit(run.family, `file:${path}`))),
  }));
  const steps = planRewind(paths);
  const merged = new Map<string, MergedText>();
  for (const step of steps) if (step.kind === "merge") merged.set(step.path, mergeBlobs(step.blobs));
  const settled = settleRewind(steps, merged, { foldCase: workspace.foldCase });
  if (!settled.ok) {
    sometimes("rewind refused");
    return { ...report, works: [], stayed: [], refused: "these cannot stand beside each other" };
  }
  const { puts, conflicts } = settled.value;
  if (merged.size > 0) sometimes("rewind merged");
  if (puts.length > 0) sometimes("rewound");
  const works = puts.map(({ path, work }) => ({ path, base: workspace.baseOf(path), work }));
  for (const { path, base, work } of works)
    workspace.recall({ path, base: old.get(path)?.base ?? null, work }, { onto: base });
  return { ...report, works, stayed: conflicts.map(({ path }) => path) };
}
