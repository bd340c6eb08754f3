// Slots: how many runs may be at work at once. A limit is a policy with a scope; a run needs room under every limit that
// speaks of it. Counts are kept per scope, so asking costs the number of limits, not of runs.

import { assert } from "../../base/assert.ts";
import type { Policy, PolicyScope, PolicySubject } from "../policy/policy.ts";
import { inScope } from "../policy/policy.ts";

export type SlotCounts = Map<string, number>;

/** The limit that has no room for this run, if any. */
export function fullLimit(
  counts: SlotCounts,
  policies: ReadonlyMap<string, Policy>,
  subject: PolicySubject,
): Policy | undefined {
  for (const policy of policies.values()) {
    const max = policy.rules.maxConcurrent;
    if (max === undefined || !policy.enabled || !inScope(policy.scope, subject)) continue;
    if ((counts.get(scopeName(policy.scope)) ?? 0) >= max) return policy;
  }
  return undefined;
}

export function takeSlot(counts: SlotCounts, subject: PolicySubject): void {
  for (const name of scopesOf(subject)) counts.set(name, (counts.get(name) ?? 0) + 1);
}

export function returnSlot(counts: SlotCounts, subject: PolicySubject): void {
  for (const name of scopesOf(subject)) {
    const count = counts.get(name);
    assert(count !== undefined && count > 0, `a slot of ${name} is returned once`);
    if (count === 1) counts.delete(name);
    else counts.set(name, count - 1);
  }
}

/** Every scope that a policy could name for this run: each field given or left out. */
function scopesOf(subject: PolicySubject): string[] {
  let scopes: PolicyScope[] = [{}];
  for (const field of ["project", "profile", "runner", "node"] as const) {
    const value = subject[field];
    if (value !== null) scopes = scopes.flatMap((scope) => [scope, { ...scope, [field]: value }]);
  }
  return scopes.map(scopeName);
}

function scopeName(scope: PolicyScope): string {
  return JSON.stringify([scope.project ?? null, scope.profile ?? null, scope.runner ?? null, scope.node ?? null]);
}
