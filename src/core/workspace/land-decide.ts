// From a finished run to mainline: what its change set is, what of it is approved, and what follows from a landing.

import { compareText } from "../../base/canonical.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import type { LandedInput, Refusal } from "../inputs.ts";
import { isGuarded } from "../landing/guarded.ts";
import { groupPaths } from "../landing/kin.ts";
import { decideShrink } from "../lease/lease-decide.ts";
import { familyOf } from "../lease/lease-state.ts";
import { builtIn, decideApproval, defaultRules, ruleFor } from "../policy/policy.ts";
import { foldsCase, goOn, moveFamily, moveRun } from "../run/run-flow.ts";
import type { Run } from "../run/run-state.ts";
import { policiesOf } from "../state.ts";
import { type OutsideScope, outsideScope } from "../task/scope.ts";
import type { Step } from "../step.ts";
import { hasAsides, isHeld } from "./set-aside.ts";
import { type Approved, type Chosen, keepsOwnSide, movesIn, type Work } from "./workspace-state.ts";

/** Why a run goes on after its approval, or after a part of it has landed (LD33). */
const lostLeases = "some of its changes have lost their leases, and are claimed again";

/**
 * Every path that is dirty and held: not the difference from mainline, which would show others' newer work (LD19). What
 * can only land together is in it together or not at all: a part of it may have lost its lease (LD24).
 */
export function changeSetOf(step: Step, run: Run): Work[] {
  const { dirty } = run.workspace;
  const held = new Set([...dirty.keys()].filter((path) => isHeld(step, run, path)));
  const groups = groupPaths(dirty.keys(), { foldCase: foldsCase(step.state, run) }, movesIn(run.workspace));
  const paths = groups.filter((group) => group.every((path) => held.has(path))).flat();
  return paths.toSorted(compareText).flatMap((path) => dirty.get(path) ?? []);
}

/** What a person named, if it is still what they were shown and whole (LD22–LD24); null names everything. */
export function checkApproval(
  step: Step,
  run: Run,
  asked: readonly Chosen[] | null,
): Result<readonly Approved[], Refusal> {
  const changes = new Map(changeSetOf(step, run).map((work) => [work.path, work]));
  const outside = firstOutside(
    step,
    run,
    (asked ?? [...changes.values()]).map(({ path }) => path),
  );
  if (outside !== undefined) return refuse(outside);
  if (asked === null) return ok([...changes.values()].map(({ path, base, work }) => ({ path, base, entry: work })));
  if (asked.length === 0 && changes.size > 0) return refuse({ code: "incomplete", paths: [...changes.keys()] });
  const named = new Set<string>();
  for (const { path, base, work } of asked) {
    const there = changes.get(path);
    if (there === undefined) return refuse({ code: "not-found", kind: "change", id: path });
    if (there.base !== base || there.work !== work || named.has(path)) return refuse({ code: "changed", path });
    named.add(path);
  }
  const rule = { foldCase: foldsCase(step.state, run) };
  for (const group of groupPaths(changes.keys(), rule, movesIn(run.workspace))) {
    const missing = group.filter((path) => !named.has(path));
    if (missing.length > 0 && missing.length < group.length) return refuse({ code: "incomplete", paths: missing });
  }
  const approved = asked.map(({ path, base, entry }) => ({ path, base, entry }));
  return ok(approved.toSorted((a, b) => compareText(a.path, b.path)));
}

/** The first of these paths that its task does not want changed: its scope may be another since the run changed them (TK9). */
function firstOutside(step: Step, run: Run, paths: readonly string[]): OutsideScope | undefined {
  for (const path of paths) {
    const outside = outsideScope(step.state, run, path);
    if (outside !== undefined) return outside;
  }
  return undefined;
}

/** The work was accepted, or nothing was to be tested: to a person if a policy says so, else straight to landing. */
export function afterValidation(step: Step, run: Run): void {
  const { state } = step;
  if (run.sub) {
    // A sub-run's work is part of its root's: it lands with that.
    moveRun(step, run, "landing", null);
    return moveRun(step, run, "done", null);
  }
  const family = familyOf(state.table, run.family);
  const policies = policiesOf(state, run);
  const changes = changeSetOf(step, run);
  const approval = decideApproval(
    policies,
    changes.map((work) => work.path),
    foldsCase(state, run),
  );
  step.emitAll(decideShrink(family));
  // There is nothing to look at and nothing to land, so nobody is asked, whatever the policies say (RN14).
  if (run.workspace.dirty.size === 0) return beginLanding(step, run, [], null);
  const guarded = changes.find((work) => isGuarded(work.path));
  // What others will execute or obey is looked at by a person, whatever the policies say.
  if (guarded !== undefined && !approval.needed)
    return toReview(step, run, `${guarded.path} is something that others execute or obey`, builtIn);
  const outside = firstOutside(
    step,
    run,
    changes.map((work) => work.path),
  );
  if (outside !== undefined) return toReview(step, run, `${outside.path} is outside the scope of its task`, builtIn);
  if (approval.needed) return toReview(step, run, whyAsked(run, changes), approval.policy);
  // It would only meet the same again, and come back for ever (LD31).
  const open = changes.filter((work) => run.workspace.conflicts.has(work.path)).map((work) => work.path);
  if (open.length > 0) return toReview(step, run, `it has not resolved ${open.join(", ")}`, null);
  const approved = changes.map(({ path, base, work }) => ({ path, base, entry: work }));
  beginLanding(step, run, approved, null, approval.policy === builtIn ? null : approval.policy);
}

/** What whoever is asked should know first. */
function whyAsked({ workspace, regains }: Run, changes: readonly Work[]): string {
  const kept = changes.map(({ path }) => path).filter((path) => keepsOwnSide(workspace, path));
  if (kept.length > 0) return `it keeps its own side whole over somebody's change: ${kept.join(", ")}`;
  return regains ? "others have worked on its paths since it was last looked at" : "a policy asks for approval";
}

/** Approval begins the landing in the same step, so that nothing yields between the two (LS38). */
export function beginLanding(
  step: Step,
  run: Run,
  approved: readonly Approved[],
  because: string | null,
  policy: string | null = null,
): void {
  if (approved.length === 0) {
    moveRun(step, run, "landing", because, policy);
    return moveRun(step, run, "done", whyNothing(step, run));
  }
  step.emit({ type: "run.approved", v: 1, run: run.id, approved });
  moveFamily(step, familyOf(step.state.table, run.family), "landing", null);
  moveRun(step, run, "landing", because, policy);
}

function whyNothing({ state }: Step, run: Run): string {
  if (!hasAsides(state, run)) return "it changed nothing";
  return run.landed === null ? "all that it changed was set aside" : "what had not landed of it was set aside";
}

/** Changes that have lost their leases are claimed again, and shown again: its runner is only woken if they met others' work (LD20, LD33). */
export function regain(step: Step, run: Run): void {
  goOn(step, run, lostLeases, { regains: true });
}

/** What became of a landing. */
export function afterLanding(step: Step, run: Run, input: LandedInput): void {
  const family = familyOf(step.state.table, run.family);
  if (input.how === "landed") {
    const { commit, entries, tested, merged, branch } = input;
    const landed = { run: run.id, project: run.project, commit, entries, tested, merged };
    step.emit({ type: "run.landed", v: 1, ...landed, ...(branch === undefined ? {} : { branch }) });
    if (run.workspace.dirty.size === 0) return moveRun(step, run, "done", null);
    if (changeSetOf(step, run).length > 0) return toReview(step, run, "not all of it was approved", null);
    moveFamily(step, family, "live", null);
    // What it has landed it holds for nothing; kept, it could stand in the way of whoever has the rest (LD20).
    step.emitAll(decideShrink(family));
    return regain(step, run);
  }
  if (input.how === "back") return toReview(step, run, input.message, null);
  step.emit({ type: "run.conflicted", v: 1, run: run.id, conflicts: input.conflicts });
  moveFamily(step, family, "live", null);
  const paths = input.conflicts.map((conflict) => conflict.path).join(", ");
  return goOn(
    step,
    run,
    `somebody else has changed ${paths} in the same place: look at their side, make one of both, and say that it is resolved`,
  );
}

/** To a person, with its leases, for as long as the policies say. */
export function toReview(step: Step, run: Run, because: string, policy: string | null): void {
  const patience = ruleFor(policiesOf(step.state, run), "holdPatienceMs");
  const patienceMs = patience === undefined ? defaultRules.holdPatienceMs : patience.value;
  const family = familyOf(step.state.table, run.family);
  moveFamily(step, family, "hold", patienceMs);
  // What has landed is clean, and others may have it (LD32).
  step.emitAll(decideShrink(family));
  moveRun(step, run, "review", because, policy);
}
