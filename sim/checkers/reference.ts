// The rules of docs/spec/leases.md once more, as plainly as they can be written: lists, loops, and the whole graph built
// anew for each question.

import type { Policy, PolicyRules, PolicyScope } from "../../src/core/policy/policy.ts";
import type { Logged } from "../../src/core/events.ts";
import { conflict, type ModelUnit } from "../world/model-unit.ts";
import type { LogModel } from "../world/log-model.ts";
import type { ModelClaim, ModelFamily, ModelLease, ModelProject } from "../world/model-types.ts";
import { isAtWork, rootOf, type ModelRun } from "../world/run-model.ts";

export type Wanted = { readonly id: string; readonly family: string; readonly units: readonly ModelUnit[] };

export function wantsSame(a: readonly ModelUnit[], b: readonly ModelUnit[]): boolean {
  return a.some((unit) => b.some((other) => conflict(unit, other)));
}

/** The leases in the way of what somebody wants. */
export function leasesInTheWay(project: ModelProject, wanted: Wanted): ModelLease[] {
  return project.leases.filter((lease) => lease.family !== wanted.family && wantsSame(wanted.units, [lease.unit]));
}

/** A run that came back takes over the processes that it left behind; nobody else could have had them (LS32). */
export function inherits(event: Logged & { readonly type: "lease.granted" }): boolean {
  return event.arrival?.key === "left behind";
}

export type Graph = Map<string, Set<string>>;

/** Who waits for whom (LS23), with one project's queue as given. */
export function waitGraph(model: LogModel, of?: ModelProject, queue?: readonly Wanted[]): Graph {
  const graph: Graph = new Map();
  const add = (from: string, to: string): void => {
    const known = graph.get(from);
    if (known === undefined) graph.set(from, new Set([to]));
    else known.add(to);
  };
  for (const project of model.projects.values()) {
    const line: readonly Wanted[] = project === of && queue !== undefined ? queue : project.queue;
    line.forEach((claim, at) => {
      for (const lease of leasesInTheWay(project, claim)) add(claim.family, lease.family);
      for (const ahead of line.slice(0, at)) {
        if (ahead.family !== claim.family && wantsSame(ahead.units, claim.units)) add(claim.family, ahead.family);
      }
    });
  }
  for (const family of model.families.values()) for (const other of family.awaits) add(family.id, other);
  return graph;
}

/** Everyone that `from` waits for, directly or through others; `from` itself only when it waits in a circle. */
export function reached(graph: Graph, from: string): Set<string> {
  const found = new Set<string>();
  const open = [...(graph.get(from) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(graph.get(next) ?? []));
  }
  return found;
}

/** Everyone who waits for `to`, directly or through others. */
export function waitersFor(graph: Graph, to: string): Set<string> {
  return new Set([...graph.keys()].filter((from) => from !== to && reached(graph, from).has(to)));
}

export function isFamilyGrantable(family: ModelFamily): boolean {
  return family.life === "live" || family.life === "new";
}

/** Whether a hold would give this lease away now (LS35, LS36). */
export function wouldYield(model: LogModel, lease: ModelLease, nowMs: number): boolean {
  const family = model.family(lease.family);
  if (lease.unit.kind === "process" || (family.life !== "hold" && family.life !== "paused")) return false;
  if (family.patienceMs === null || family.contestedSinceMs === null) return false;
  return family.contestedSinceMs + family.patienceMs <= nowMs;
}

/** The same, but a hold without any patience is given until the next instant. */
export function mustYield(model: LogModel, lease: ModelLease, nowMs: number): boolean {
  return wouldYield(model, lease, nowMs) && (model.family(lease.family).contestedSinceMs ?? nowMs) < nowMs;
}

/** Whether a queued claim could be granted where it stands (LS16). */
export function isGrantable(
  model: LogModel,
  project: ModelProject,
  claim: ModelClaim,
  nowMs: number,
  yields = wouldYield,
): boolean {
  if (!isFamilyGrantable(model.family(claim.family))) return false;
  const place = project.queue.indexOf(claim);
  const ahead = project.queue.slice(0, place);
  if (ahead.some((other) => other.family !== claim.family && wantsSame(other.units, claim.units))) return false;
  if (!leasesInTheWay(project, claim).every((lease) => yields(model, lease, nowMs))) return false;
  return claim.slot === null || hasRoom(model, claim.slot);
}

/** The families that have a slot now, by their root run. */
export function slotHolders(model: LogModel): ModelRun[] {
  const roots = new Set<ModelRun>();
  for (const run of model.runs.values()) if (isAtWork(run)) roots.add(rootOf(model, run));
  return [...roots];
}

/** Whether a run could be at work under every limit (LS21). */
export function hasRoom(model: LogModel, id: string): boolean {
  const run = model.runs.get(id);
  if (run === undefined) return false;
  const root = rootOf(model, run);
  if (!hasAgent(model, root)) return false;
  const holders = slotHolders(model);
  if (holders.includes(root)) return true;
  return limitsOf(model, root).every((limit) => holders.filter(limit.isFor).length < limit.max);
}

/** Whether a run could be in its living agent: nobody else is, and it runs; or it is in it already, and the place is there. */
function hasAgent(model: LogModel, root: ModelRun): boolean {
  const agent = model.agents.get(root.agent ?? "");
  if (agent === undefined) return true;
  if (agent.run === root.id) return agent.isMade && agent.state !== "stopping";
  return agent.run === null && agent.state === "running";
}

export function limitsOf(
  model: LogModel,
  run: ModelRun,
): { name: string; max: number; isFor: (run: ModelRun) => boolean }[] {
  const limits = [];
  for (const { name, enabled, scope, rules } of model.policies.values()) {
    const isFor = (each: ModelRun): boolean => isInScope(scope, each);
    if (enabled && rules.maxConcurrent !== undefined && isFor(run))
      limits.push({ name, max: rules.maxConcurrent, isFor });
  }
  return limits;
}

/** Whether the most important policy that says something about runners denies this run its own (SC7). */
export function deniesRunner(model: LogModel, run: ModelRun): boolean {
  return ruleOf(model, run, "deniedRunners")?.includes(run.runner) === true;
}

/** Whether a policy keeps this run from a path. The worlds deny whole names only. */
export function deniesPath(model: LogModel, run: ModelRun, path: string): boolean {
  const denied = ruleOf(model, run, "deniedPaths") ?? [];
  return denied.some((name) => path === name || path.startsWith(`${name}/`));
}

/** What the most important policy that says something of this kind says of a run; undefined where none does. */
export function ruleOf<R extends keyof PolicyRules>(
  model: LogModel,
  run: ModelRun,
  rule: R,
): PolicyRules[R] | undefined {
  const stating = [...model.policies.values()].filter(
    ({ enabled, scope, rules }) => enabled && rules[rule] !== undefined && isInScope(scope, run),
  );
  const isBefore = (one: Policy, other: Policy): boolean =>
    one.priority > other.priority || (one.priority === other.priority && one.name < other.name);
  return stating.find((each) => stating.every((other) => other === each || isBefore(each, other)))?.rules[rule];
}

function isInScope({ project, profile, runner, node }: PolicyScope, run: ModelRun): boolean {
  return (
    (project ?? run.project) === run.project &&
    (profile ?? run.profile) === run.profile &&
    (runner ?? run.runner) === run.runner &&
    (node ?? run.node) === run.node
  );
}
