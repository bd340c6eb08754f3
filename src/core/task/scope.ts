// Within which paths a run may change anything: what its task says now, and what bound the run that started it then. A path
// of a scope is a file or a folder with all that is in it.

import { compareText } from "../../base/canonical.ts";
import { mustGet } from "../../base/assert.ts";
import { ok, refuse, type Result } from "../../base/result.ts";
import { type BadUnit, isBeneath, parseUnit, type Unit, type UnitRule } from "../lease/unit.ts";
import type { State } from "../state.ts";

/** What a scope is read off: a run, or what is to become one. */
export type Bound = {
  readonly project: string;
  readonly task: string;
  /** The scope of the run that started it, as it was then. */
  readonly within: readonly string[] | null;
};

export type OutsideScope = {
  readonly code: "outside-scope";
  readonly path: string;
  readonly scope: readonly string[];
};

/** A path that no scope can have. */
export type BadScope = { readonly code: "bad-scope"; readonly path: string; readonly why: string };

/** The paths in their normal form, each once. */
export function parseScope(paths: readonly string[], rule: UnitRule): Result<readonly string[], BadScope> {
  const found = new Set<string>();
  for (const path of paths) {
    const unit = parseUnit(`dir:${path}`, rule, "");
    if (!unit.ok) return refuse({ code: "bad-scope", path: path.slice(0, 200), why: unit.refusal.why });
    found.add(pathOf(unit.value));
  }
  return ok([...found].toSorted(compareText));
}

/** Why a run may not change a path; undefined where it may. */
export function outsideScope(state: State, bound: Bound, path: string): OutsideScope | undefined {
  return outsideOf(scopesOf(state, bound), path, ruleIn(state, bound.project));
}

/** The first of these scopes that a path is not in. */
export function outsideOf(
  scopes: readonly (readonly string[] | null)[],
  path: string,
  rule: UnitRule,
): OutsideScope | undefined {
  const scope = scopes.find((each) => each !== null && !isIn(each, path, rule));
  return scope === undefined || scope === null ? undefined : { code: "outside-scope", path, scope };
}

/** Why a scope may not be that of a run which another one starts: it has more than that one. */
export function exceeds(
  scope: readonly string[] | null,
  within: readonly string[] | null,
  rule: UnitRule,
): OutsideScope | undefined {
  if (scope === null || within === null) return undefined;
  const path = scope.find((each) => !isIn(within, each, rule));
  return path === undefined ? undefined : { code: "outside-scope", path, scope: within };
}

/** What binds whoever is started by this run: its own scope, within that of the one that started it. */
export function scopeFor(state: State, bound: Bound | undefined): readonly string[] | null {
  if (bound === undefined) return null;
  const [first = null, second = null] = scopesOf(state, bound);
  if (first === null || second === null) return first;
  const rule = ruleIn(state, bound.project);
  const both = [
    ...first.filter((path) => isIn(second, path, rule)),
    ...second.filter((path) => isIn(first, path, rule)),
  ];
  return [...new Set(both)].toSorted(compareText);
}

function scopesOf({ tasks }: State, { task, within }: Bound): (readonly string[])[] {
  return [tasks.get(task)?.scope ?? null, within].filter((scope) => scope !== null);
}

function isIn(scope: readonly string[], path: string, rule: UnitRule): boolean {
  const inner = parseUnit(`dir:${path}`, rule, "");
  return inner.ok && scope.some((each) => contains(parseUnit(`dir:${each}`, rule, ""), inner.value));
}

function contains(outer: Result<Unit, BadUnit>, inner: Unit): boolean {
  return outer.ok && (outer.value.key === inner.key || isBeneath(inner, outer.value));
}

function ruleIn({ table }: State, project: string): UnitRule {
  return mustGet(table.projects, project, "project").rule;
}

function pathOf(unit: Unit): string {
  return unit.text.slice(unit.text.indexOf(":") + 1);
}
