// Taking changes out of a workspace. The bytes are in the project's repository before any of this is decided; the node
// puts the bases back when it hears of it (LD16).

import { mustGet } from "../../base/assert.ts";
import { groupPaths } from "../landing/kin.ts";
import { planSetAside } from "../landing/set-aside.ts";
import { isCovered } from "../lease/grant-scan.ts";
import { decideClaim, parseUnits } from "../lease/lease-decide.ts";
import { familyOf, mayBeGranted } from "../lease/lease-state.ts";
import { checkAmount, checkPath, defaultRules, ruleFor, type Policy } from "../policy/policy.ts";
import { isDerived } from "../project/derived.ts";
import { foldsCase } from "../run/run-flow.ts";
import { isWritten, type Run } from "../run/run-state.ts";
import { hasSlotFor, policiesOf, rootOf, type State } from "../state.ts";
import type { Step } from "../step.ts";
import { outsideScope } from "../task/scope.ts";
import { isDirty, type Work } from "./workspace-state.ts";

const heldByOthers = "somebody else holds it";

/** Whether a change was set aside because its path was not free, so that a plan would have waited for it. */
export function wasHeldByOthers({ why }: { readonly why: string }): boolean {
  return why === heldByOthers;
}

/** Answers the paths that were set aside: also changes that a base which comes back cannot stand beside. */
export function setAside(
  step: Step,
  run: Run,
  given: readonly Work[],
  why: string,
  counts: { readonly changedBy?: string } = {},
): ReadonlySet<string> {
  if (given.length === 0) return new Set();
  const root = rootOf(step.state, run);
  const dirty = new Map([...root.workspace.dirty, ...given.map((work) => [work.path, work] as const)]);
  const paths = given.map((work) => work.path);
  const planned = planSetAside(paths, [...dirty.values()], { foldCase: foldsCase(step.state, root) });
  const works = planned.map(({ path, base, trash }) => ({ path, base, work: trash }));
  const first = step.nextId("x");
  const ids = works.map((_, at) => (at === 0 ? first : `${first}.${at}`));
  if (works.length > 0) step.emit({ type: "paths.set-aside", v: 1, run: root.id, works, why, ids, ...counts });
  return new Set(works.map((work) => work.path));
}

/** Whether something that the run changed is in the trash: then it did not end as it was meant to (RN42). */
export function hasAsides(state: State, { id }: Run): boolean {
  return [...state.trash.values()].some((item) => item.run === id);
}

type SweepNotes = {
  /** Paths that are or lie in submodules. */
  readonly inSubmodules: ReadonlySet<string>;
  /** Paths that were found by looking: what the call itself wrote was judged before it did. */
  readonly swept: ReadonlySet<string>;
  /** Whether the run is about to finish. */
  readonly isLast: boolean;
};

/**
 * After a command: what it changed outside the leases is claimed where that is safe, and set aside where not (LD15), or carried
 * where nobody would do it again (LD60). What was changed in the workspace before, and has lost its lease, is neither: it is carried
 * until the run claims it again (LD33).
 */
export function sweepAfter(
  step: Step,
  run: Run,
  all: readonly Work[],
  before: ReadonlyMap<string, Work>,
  { inSubmodules, swept, isLast }: SweepNotes,
): void {
  const fixed = all.filter((work) => isDirty(work) && inSubmodules.has(work.path));
  giveUp(step, run, fixed, "it is in a submodule, which is read-only here");
  const works = all.filter((work) => !inSubmodules.has(work.path));
  setAsideForbidden(step, run, works, before);
  claimOutside(step, run, works, { before, isLast });
  const found = works.filter((work) => swept.has(work.path));
  setAsideTooMuch(step, run, found, before);
}

/** What a command changed and its run does not hold. */
function claimOutside(
  step: Step,
  run: Run,
  works: readonly Work[],
  { before, isLast }: { readonly before: ReadonlyMap<string, Work>; readonly isLast: boolean },
): void {
  const outside = works.filter((work) => isDirty(work) && !before.has(work.path) && !isHeld(step, run, work.path));
  // A run that was paused meanwhile is granted nothing: what its command changed is carried until it goes on (LD33).
  const root = rootOf(step.state, run);
  if (outside.length === 0 || root.state === "paused" || !mayBeGranted(familyOf(step.state.table, root.family))) return;
  const policies = policiesOf(step.state, run);
  const most = ruleFor(policies, "maxSwept")?.value ?? defaultRules.maxSwept;
  if (outside.length > most) return giveUp(step, run, outside, `a command changed ${outside.length} paths at once`);
  const paths = outside.map((work) => work.path);
  for (const group of groupPaths(paths, { foldCase: foldsCase(step.state, run) })) {
    const members = outside.filter((work) => group.includes(work.path));
    const why = tryClaim(step, run, group, policies);
    if (why === heldByOthers && (isLast || isWritten(run))) continue;
    if (why !== undefined) giveUp(step, run, members, why);
  }
}

/**
 * What a policy or its scope forbids is not the run's to change, also beneath a folder that it holds (LD55, TK7). What was so before
 * is not its doing: its root, or another of its family, may be allowed what it is not.
 */
function setAsideForbidden(step: Step, run: Run, works: readonly Work[], before: ReadonlyMap<string, Work>): void {
  const policies = policiesOf(step.state, run);
  for (const work of works) {
    if (!isNews(work, before) || !isHeld(step, run, work.path)) continue;
    const why = whyForbidden(step, run, work.path, policies);
    if (why !== undefined) giveUp(step, run, [work], why);
  }
}

/** A command that changed more than its run may loses all of what it changed: half of it may be worse than nothing (SC10). */
function setAsideTooMuch(step: Step, run: Run, works: readonly Work[], before: ReadonlyMap<string, Work>): void {
  const { dirty } = rootOf(step.state, run).workspace;
  // What was set aside already is as its base has it, and counts no more.
  const news = works.filter((work) => isNews(work, before) && dirty.get(work.path)?.work === work.work);
  if (news.length === 0) return;
  const denied = checkAmount(policiesOf(step.state, run), run.changed.size, run.bytesWritten);
  if (denied === undefined) return;
  giveUp(step, run, news, `policy ${denied.policy} bounds what a run changes: ${denied.what}`);
}

/** Whether a change is another one than before. */
export function isNews(work: Work, before: ReadonlyMap<string, Work>): boolean {
  return isDirty(work) && before.get(work.path)?.work !== work.work;
}

/** Sets aside what a command of this very run has changed: it was not its to change, and so does not count for it. */
function giveUp(step: Step, run: Run, works: readonly Work[], why: string): void {
  setAside(step, run, works, why, { changedBy: run.id });
}

/** Claims what was changed already, or says why not. Nobody waits here (LS42). */
function tryClaim(step: Step, run: Run, paths: readonly string[], policies: readonly Policy[]): string | undefined {
  const { state } = step;
  for (const path of paths) {
    const why = whyForbidden(step, run, path, policies);
    if (why !== undefined) return why;
  }
  const request = {
    claim: step.nextId("c"),
    family: run.family,
    units: paths.map((path) => `file:${path}`),
    priority: run.priority,
    key: null,
    mode: "try",
    deadlineAtMs: null,
    slot: null,
  } as const;
  const decided = decideClaim(state.table, request, (id) => hasSlotFor(state, id), step.nowMs);
  if (!decided.ok) return "it could not be claimed";
  step.emitAll(decided.value.events);
  return state.table.claims.get(request.claim)?.state === "granted" ? undefined : heldByOthers;
}

/** Why a run may not change a path, whoever holds it. */
function whyForbidden(step: Step, run: Run, path: string, policies: readonly Policy[]): string | undefined {
  const denied = checkPath(policies, path, foldsCase(step.state, run));
  if (denied !== undefined) return `policy ${denied.policy} forbids it`;
  return outsideScope(step.state, run, path) === undefined ? undefined : "it is outside the scope of its task";
}

/**
 * Works whose names a unit can have: under any other nothing can be leased or landed, so it is in nobody's way (LS42). What
 * the project's own commands make again on every candidate is no work of anybody (LD17).
 */
export function nameable(step: Step, run: Run, works: readonly Work[]): Work[] {
  const { table } = step.state;
  const family = familyOf(table, run.family);
  const { derived } = mustGet(step.state.projects, run.project, "project");
  return works.filter(({ path }) => !isDerived(derived, path) && parseUnits(table, family, [`file:${path}`]).ok);
}

/** Whether the run's family holds a path, ready or not. */
export function isHeld(step: Step, run: Run, path: string): boolean {
  const { table } = step.state;
  const family = familyOf(table, run.family);
  const unit = parseUnits(table, family, [`file:${path}`]);
  return unit.ok && unit.value.every((each) => isCovered(table, family, each) !== "no");
}
