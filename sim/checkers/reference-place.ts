// Where LS14 puts a claim, found by trying every place.

import type { LogModel } from "../world/log-model.ts";
import type { ModelClaim, ModelProject } from "../world/model-types.ts";
import { leasesInTheWay, reached, waitersFor, waitGraph, wantsSame, type Graph, type Wanted } from "./reference.ts";

export const passesMax = 8;

export type ReferencePlace =
  | { readonly deadlock: true }
  | {
      readonly deadlock: false;
      readonly after: string | null;
      readonly moved: readonly string[];
      readonly passed: readonly string[];
      /** Claims of others that stay ahead of it and want the same. */
      readonly ahead: readonly string[];
      readonly waiters: ReadonlySet<string>;
      /** Whether a better place was given up, and why. */
      readonly stoppedBy: "passes" | "cycle" | null;
    };

export function findPlace(
  model: LogModel,
  project: ModelProject,
  wanted: Wanted & { readonly priority: number },
): ReferencePlace {
  const graph = waitGraph(model);
  const waiters = waitersFor(graph, wanted.family);
  const holders = leasesInTheWay(project, wanted);
  if (holders.some((lease) => waiters.has(lease.family))) return { deadlock: true };
  const rivals = project.queue.filter(
    (claim) => claim.family !== wanted.family && wantsSame(claim.units, wanted.units),
  );
  if (holders.length === 0 && rivals.length === 0) {
    const after = project.queue.findLast((claim) => claim.priority >= wanted.priority)?.id ?? null;
    return { deadlock: false, after, moved: [], passed: [], ahead: [], waiters, stoppedBy: null };
  }
  const rest = project.queue.filter((claim) => !waiters.has(claim.family));
  const moved = project.queue.filter((claim) => waiters.has(claim.family));
  let stoppedBy: "passes" | "cycle" | null = null;
  const first = rest.findLastIndex((claim) => claim.priority >= wanted.priority) + 1;
  for (let place = first; place <= rest.length; place++) {
    const queue: Wanted[] = [...rest.slice(0, place), wanted, ...rest.slice(place), ...moved];
    const behind = rest.slice(place);
    const passed = newWaiters(model, project, graph, waiters, wanted, behind);
    if (passed.some((claim) => claim.passes >= passesMax)) {
      stoppedBy = "passes";
      continue;
    }
    if (reached(waitGraph(model, project, queue), wanted.family).has(wanted.family)) {
      stoppedBy = "cycle";
      continue;
    }
    const ahead = rest.slice(0, place).filter((claim) => rivals.includes(claim));
    return {
      deadlock: false,
      after: rest[place - 1]?.id ?? null,
      // Who stands at the end already does not move.
      moved: project.queue.slice(rest.length).every((claim) => waiters.has(claim.family))
        ? []
        : moved.map((claim) => claim.id),
      passed: passed.map((claim) => claim.id),
      ahead: ahead.map((claim) => claim.id),
      waiters,
      stoppedBy,
    };
  }
  return { deadlock: true };
}

/** The claims that newly wait for one that stands ahead of `behind`, directly or through others (LS15). */
export function newWaiters(
  model: LogModel,
  project: ModelProject,
  graph: Graph,
  waiters: ReadonlySet<string>,
  wanted: Wanted,
  behind: readonly ModelClaim[],
): ModelClaim[] {
  const direct = behind.filter((claim) => claim.family !== wanted.family && wantsSame(claim.units, wanted.units));
  const slowed = new Set<string>();
  for (const { family } of direct) {
    slowed.add(family);
    for (const waiter of waitersFor(graph, family)) slowed.add(waiter);
  }
  return project.queue.filter((claim, at) => {
    if (direct.includes(claim)) return true;
    if (claim.family === wanted.family || waiters.has(claim.family) || !slowed.has(claim.family)) return false;
    const ahead = project.queue.slice(0, at).filter((other) => wantsSame(other.units, claim.units));
    const inTheWay = [...leasesInTheWay(project, claim), ...ahead].map(({ family }) => family);
    return inTheWay.some((family) => family !== claim.family && slowed.has(family));
  });
}
