// Brings a workspace in step with mainline for a grant (LD7 to LD12), by the core's own plan. What it finds is reported
// whole, every time: an earlier report may have been lost.

import type { Act } from "../../src/core/acts.ts";
import type { Input } from "../../src/core/inputs.ts";
import { isDirty } from "../../src/core/landing/workspace-path.ts";
import { type Cover, planRefresh, type RefreshPath, settleMerge } from "../../src/core/landing/refresh.ts";
import type { Work } from "../../src/core/workspace/workspace-state.ts";
import type { Depot } from "./depot.ts";
import type { LogModel } from "./log-model.ts";
import { allows } from "./model-unit.ts";
import { rootOf } from "./run-model.ts";
import { groundOf } from "./sim-ground.ts";
import type { SimWorkspace } from "./sim-workspace.ts";
import { mergeBlobs } from "./words.ts";

export type RefreshWorld = {
  readonly depot: Depot;
  readonly model: LogModel;
  readonly sometimes: (name: string) => void;
};

type Refreshed = Extract<Input, { type: "lease.refreshed" }>;

export function refresh(world: RefreshWorld, act: Act & { type: "refresh" }): Refreshed {
  const { depot, model, sometimes } = world;
  const run = model.runs.get(model.families.get(act.family)?.holder ?? "");
  const report = { type: "lease.refreshed", claim: act.claim, bases: {}, conflicts: [], moved: [] } as const;
  if (run === undefined || run.removed || run.family !== act.family) return { ...report, commit: null, works: [] };
  const workspace = depot.workspaceOf(run.id);
  const { repo } = workspace;
  const head = groundOf(model, repo, run);
  const { keeps, conflicts, moved } = moveTo(workspace, head, {
    sometimes,
    coverOf: (path) => coverOf(model, act, path),
  });
  for (const { path, base } of keeps.values())
    if (base === repo.at(head, path)) workspace.fresh.set(path, { commit: head, seq: model.seq });
  const bases = Object.fromEntries(
    act.units.filter((unit) => unit.startsWith("file:")).map((unit) => [unit.slice(5), repo.at(head, unit.slice(5))]),
  );
  const works = worksOf(world, run.id).filter((work) => !conflicts.has(work.path));
  return { ...report, bases, commit: head, works, conflicts: [...conflicts.values()], moved };
}

type Moving = { readonly sometimes: (name: string) => void; readonly coverOf: (path: string) => Cover };

/** Moves a workspace to another commit, by the core's plan, and answers what moved and what was in the way. */
export function moveTo(
  workspace: SimWorkspace,
  head: string,
  { sometimes, coverOf: cover }: Moving,
): {
  readonly keeps: ReadonlyMap<string, Work>;
  readonly conflicts: ReadonlyMap<string, Work>;
  readonly moved: string[];
} {
  const { repo } = workspace;
  const names = new Set([...workspace.paths(), ...repo.commit(head).tree.keys()]);
  const paths: RefreshPath[] = [...names].toSorted().map((path) => ({
    path,
    base: workspace.baseOf(path),
    work: workspace.workOf(path),
    mainline: repo.at(head, path),
    cover: cover(path),
  }));
  const keeps = new Map<string, Work>(
    paths.filter(isDirty).map(({ path, base, work }) => [path, { path, base, work }]),
  );
  const conflicts = new Map<string, Work>();
  const moved: string[] = [];
  for (const planned of planRefresh({ paths, rule: { foldCase: workspace.foldCase }, cleanToo: true })) {
    const step = planned.kind === "merge" ? settleMerge(planned, mergeBlobs(planned.blobs)) : planned;
    if (step.kind === "place") {
      if (step.isMerged) sometimes("refresh merged");
      else if (!keeps.has(step.path)) moved.push(step.path);
      keeps.set(step.path, { path: step.path, base: step.base, work: step.work });
    } else if (step.kind === "leave") {
      // It stays as it is, also where mainline has moved on.
      const { base, work } = paths.find(({ path }) => path === step.path) ?? { base: null, work: null };
      keeps.set(step.path, { path: step.path, base, work });
    } else {
      sometimes(`refresh met a ${step.kind}`);
      const group = step.kind === "conflict" ? [step.path] : step.group;
      for (const path of group) {
        const work = { path, base: workspace.baseOf(path), work: workspace.workOf(path) };
        keeps.set(path, work);
        if (isDirty(work)) conflicts.set(path, work);
      }
    }
  }
  workspace.move(head, [...keeps.values()]);
  return { keeps, conflicts, moved };
}

/** Every dirty path of a workspace, and those that the log still takes for dirty and that are not (LD4). */
export function worksOf({ depot, model }: Pick<RefreshWorld, "depot" | "model">, run: string): Work[] {
  const workspace = depot.workspaceOf(run);
  const known = model.runs.get(run);
  const dirty = workspace.dirty();
  const undone = [...(known === undefined ? [] : rootOf(model, known).dirty.keys())].filter(
    (path) => !dirty.some((work) => work.path === path),
  );
  return [...dirty, ...undone.map((path) => ({ path, base: workspace.baseOf(path), work: workspace.workOf(path) }))];
}

function coverOf(model: LogModel, act: Act & { type: "refresh" }, path: string): Cover {
  const unit = model.unit(act.family, `file:${path}`);
  const leases = model.leasesOf(act.family).filter((lease) => !lease.quarantined && allows(lease.unit, unit));
  if (leases.some((lease) => lease.ready)) return "held";
  return leases.length > 0 ? "new" : "none";
}
