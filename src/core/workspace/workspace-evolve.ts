// Turns workspace events into the next state of workspaces, trash and mainline.

import { mustGet, unreachable } from "../../base/assert.ts";
import type { Entry } from "../landing/entry.ts";
import type { Move } from "../landing/kin.ts";
import { unitOf } from "../lease/lease-evolve.ts";
import type { LeaseReady } from "../lease/lease-events.ts";
import type { Family } from "../lease/lease-state.ts";
import { rootOf, runOf, type State } from "../state.ts";
import type { Run } from "../run/run-state.ts";
import type { PathsSetAside, RunLanded, RunRewound, WorkspaceEvent } from "./workspace-events.ts";
import { isDirty, readsMax, type Read, type Work, type Workspace } from "./workspace-state.ts";

export function evolveWorkspaces(state: State, event: WorkspaceEvent, atMs: number): void {
  switch (event.type) {
    case "paths.set-aside":
      return setAside(state, event, atMs);
    case "trash.purged":
      for (const id of event.ids) state.trash.delete(id);
      return;
    case "run.approved":
      // Whatever an earlier landing meant to do was for another approval (LD22).
      dropApproval(runOf(state, event.run));
      runOf(state, event.run).approved = event.approved;
      return;
    case "landing.intended": {
      const { parent, candidate, entries, tested, merged, branch } = event;
      const run = runOf(state, event.run);
      const on = branch === undefined ? {} : { branch };
      run.landing = { parent, candidate, entries, tested, merged, ...on };
      run.intended = [...run.intended, candidate];
      return;
    }
    case "landing.overtaken":
      runOf(state, event.run).landing = null;
      return;
    case "run.landed":
      return land(state, event);
    case "run.conflicted": {
      const run = runOf(state, event.run);
      for (const { path, theirs } of event.conflicts) noteConflict(run.workspace, path, theirs);
      dropApproval(run);
      return;
    }
    case "rewind.begun":
      runOf(state, event.run).rewinding = { step: event.step, works: event.works, seq: state.seq };
      return;
    case "works.found":
      return noteWorks(state, runOf(state, event.run), event.works);
    case "run.rewound":
      return rewind(state, event, atMs);
    case "mainline.moved":
      mustGet(state.projects, event.project, "project").mainline = event.to;
      return;
    case "mainline.published": {
      const project = mustGet(state.projects, event.project, "project");
      if (event.not === null) project.published = event.commit;
      project.notPublished = event.not === null ? null : { commit: event.commit, ...event.not };
      return;
    }
    default:
      return unreachable(event);
  }
}

/** Takes in what paths of a workspace are now. A path that equals its base is no change any more. */
export function noteWorks(state: State, member: Run, works: readonly Work[]): void {
  const run = rootOf(state, member);
  const family = state.table.families.get(run.family);
  for (const work of works) {
    const dirty = isDirty(work);
    if (!dirty || run.workspace.dirty.get(work.path)?.base !== work.base) noteOtherBase(run.workspace, work);
    if (dirty) run.workspace.dirty.set(work.path, work);
    else run.workspace.dirty.delete(work.path);
    if (family === undefined || family.life === "over") continue;
    const unit = unitOf(state.table, family, `file:${work.path}`);
    if (dirty) family.dirty.set(unit.key, unit);
    else if (!isStillDirty(state, run, family, unit.key)) family.dirty.delete(unit.key);
  }
  const { workspace } = run;
  for (const [to, from] of workspace.moves)
    if (!workspace.dirty.has(to) || !workspace.dirty.has(from)) workspace.moves.delete(to);
}

/** Two sides have met. Who was shown this very side before need not be shown it again. */
function noteConflict({ conflicts, dirty }: Workspace, path: string, theirs: Entry): void {
  const before = conflicts.get(path);
  const shown = before?.theirs === theirs && before.shown;
  conflicts.set(path, { ours: dirty.get(path)?.work ?? null, theirs, shown });
}

/** A conflict is settled once the path has another base: the side that was shown, or a newer one (LD31). */
function noteOtherBase({ conflicts, resolved }: Workspace, { path, base, work }: Work): void {
  const met = conflicts.get(path);
  conflicts.delete(path);
  if (met !== undefined && base === met.theirs && work !== base)
    resolved.set(path, { ours: met.ours, theirs: met.theirs });
  else resolved.delete(path);
}

/** What of the other sides of conflicts a member of the family was shown (LD31). */
export function noteShown(state: State, member: Run, shown: readonly Read[]): void {
  const { conflicts } = rootOf(state, member).workspace;
  for (const { path, entry } of shown) {
    const met = conflicts.get(path);
    if (met?.theirs === entry) conflicts.set(path, { ...met, shown: true });
  }
}

/** Takes in what was moved. What is moved on comes from where it first was. */
export function noteMoves(state: State, member: Run, made: readonly Move[]): void {
  const { moves } = rootOf(state, member).workspace;
  for (const { from, to } of made) {
    const first = moves.get(from) ?? from;
    moves.delete(from);
    if (first !== to) moves.set(to, first);
  }
}

/** Remembers what was read, the newest last; what was read longest ago goes when there is too much of it. */
export function noteReads(state: State, member: Run, news: readonly Read[]): void {
  const { reads } = rootOf(state, member).workspace;
  for (const { path, entry } of news) {
    reads.delete(path);
    reads.set(path, entry);
  }
  for (const path of reads.keys()) {
    if (reads.size <= readsMax) return;
    reads.delete(path);
  }
}

/** Where names are compared without case, two spellings of a path have one key: it is clean when both are. */
function isStillDirty(state: State, run: Run, family: Family, key: string): boolean {
  if (!mustGet(state.projects, run.project, "project").foldCase) return false;
  return [...run.workspace.dirty.keys()].some((path) => unitOf(state.table, family, `file:${path}`).key === key);
}

/** Its workspace was brought in step with mainline (LD7–LD9). */
export function noteReady(state: State, event: LeaseReady): void {
  const run = state.runs.get(state.runOfFamily.get(event.family) ?? "");
  if (run === undefined || event.commit === null) return;
  run.workspace.commit = event.commit;
  noteWorks(state, run, event.works);
}

/** A fork begins with changes, before it has a family that could hold them (LD36). */
export function noteOpened(state: State, family: string): void {
  const run = state.runs.get(state.runOfFamily.get(family) ?? "");
  if (run?.family === family) carryWorks(state, run);
}

/** A run that goes on as a new family carries what it changed along (LD33). */
export function carryWorks(state: State, run: Run): void {
  noteWorks(state, run, [...run.workspace.dirty.values()]);
}

export function dropApproval(run: Run): void {
  run.approved = null;
  // Whatever it lands later, nobody has seen that.
  run.approvedBy = null;
  run.landing = null;
  run.intended = [];
}

function setAside(state: State, event: PathsSetAside, atMs: number): void {
  const run = runOf(state, event.run);
  keepInTrash(state, run, event, { why: event.why, atMs });
  noteWorks(
    state,
    run,
    event.works.map(({ path, base }) => ({ path, base, work: base })),
  );
  const { conflicts, resolved } = rootOf(state, run).workspace;
  for (const { path } of event.works) {
    conflicts.delete(path);
    resolved.delete(path);
  }
  const by = event.changedBy === undefined ? undefined : state.runs.get(event.changedBy);
  if (by !== undefined) for (const { path } of event.works) uncount(by, path);
}

/** What a run's command changed and may not keep is no change of the run: it may do something else with that room (SC10). */
function uncount(run: Run, path: string): void {
  run.bytesWritten -= run.changed.get(path) ?? 0;
  run.changed.delete(path);
}

/** Only what is there goes back: leases, bases and mainline do not (LD34). */
function rewind(state: State, event: RunRewound, atMs: number): void {
  const run = runOf(state, event.run);
  run.rewinding = null;
  const { givenUp: works, ids } = event;
  keepInTrash(state, run, { works, ids }, { why: `rewound to step ${event.step}`, atMs });
  noteWorks(state, run, event.works);
}

type Kept = Pick<PathsSetAside, "works" | "ids">;

function keepInTrash(state: State, run: Run, { works, ids }: Kept, about: { why: string; atMs: number }): void {
  works.forEach(({ path, base, work }, at) => {
    const id = ids[at] ?? "";
    state.trash.set(id, { id, run: run.id, project: run.project, path, base, work, ...about });
  });
}

/** What landed is the base of what is left (LD32). */
function land(state: State, event: RunLanded): void {
  const run = runOf(state, event.run);
  const project = mustGet(state.projects, event.project, "project");
  noteWorks(
    state,
    run,
    event.entries.map(({ path, entry }) => workAfter(run, path, entry)),
  );
  if (event.branch === undefined) project.mainline = event.commit;
  run.landed = event.commit;
  if (event.branch !== undefined || run.landedOn !== undefined) run.landedOn = event.branch ?? null;
  dropApproval(run);
}

/**
 * What was approved whole is what landed, and a merge has put its result there too. By hunk, the rest of the work stays
 * on what was approved, not on a merge of it: on that it would seem to undo what others brought in.
 */
function workAfter(run: Run, path: string, landed: Entry): Work {
  const work = run.workspace.dirty.get(path);
  const approved = run.approved?.find((each) => each.path === path);
  if (work === undefined || approved === undefined || approved.entry === work.work)
    return { path, base: landed, work: landed };
  return { path, base: approved.entry, work: work.work };
}
