// For how long is kept what runs that are over have said: what their commands put out, and what models were asked. Policies say so for a project, by days and by
// bytes, as they do of recordings; those that a model may set do not count. What a run has published is no part of it, nor what leave was asked for.

import { refuse, type Result } from "../../base/result.ts";
import { agentSubject } from "../egress/egress.ts";
import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { applicable, defaultRules, ruleFor } from "../policy/policy.ts";
import { rootOf, type State } from "../state.ts";
import { compareIds, type Step } from "../step.ts";
import { needsOf } from "./needs.ts";
import type { Run } from "./run-state.ts";
import { isOver } from "./run-states.ts";

/** What runs that are over have said was kept long enough, or took too much, and goes. */
export type OutputsForgotten = {
  readonly type: "outputs.forgotten";
  readonly v: 1;
  readonly run: string;
  readonly because: "age" | "size";
  /** How many files, and what they took. */
  readonly files: number;
  readonly bytes: number;
};

export type ForgetOutputs = Omit<OutputsForgotten, "type" | "v"> & { readonly type: "outputs.forget" };

const dayMs = 86_400_000;
/** What of a failure nobody has seen goes last, where it takes no more than one of so many parts of what there may be. */
const unseenParts = 4;

/** Whose outputs are kept no longer, with these sizes, the oldest first (RN50). */
export function outputsToForget(
  state: State,
  bytesOf: ReadonlyMap<string, number>,
  nowMs: number,
): Pick<OutputsForgotten, "run" | "because">[] {
  const needed = neededTrees(state);
  const retried = new Set([...state.runs.values()].map(({ retryOf }) => retryOf));
  const runs = [...state.runs.values()].filter(({ id }) => (bytesOf.get(id) ?? 0) > 0);
  const places = group(runs, ({ project, node }) => `${project} ${node}`);
  const isUnseen = (run: Run): boolean =>
    needsOf(rootOf(state, run), retried.has(rootOf(state, run).id)).some(({ kind }) => kind === "failure");
  return [...places.values()].flatMap((those) => {
    const { days, bytes } = keptOf(state, those[0]);
    const oldestFirst = those
      .filter((run) => mayGo(state, run, needed))
      .toSorted((a, b) => a.sinceMs - b.sinceMs || compareIds(a.id, b.id));
    const old = new Set(oldestFirst.filter(({ sinceMs }) => nowMs - sinceMs > days * dayMs));
    const trees = new OutputTrees(bytesOf);
    for (const run of those) if (!old.has(run)) trees.add(run);
    const left = oldestFirst.filter((run) => !old.has(run));
    const late = new Set(left.filter((run) => isUnseen(run) && trees.bytesOf(run) <= bytes / unseenParts));
    const early = left.filter((run) => !late.has(run));
    const tooMuch = new Set([...trees.shrink(early, bytes, late), ...trees.shrink([...late], bytes)]);
    return oldestFirst.flatMap((run): Pick<OutputsForgotten, "run" | "because">[] => {
      if (old.has(run)) return [{ run: run.id, because: "age" }];
      return tooMuch.has(run) ? [{ run: run.id, because: "size" }] : [];
    });
  });
}

/** What all that stem from one run have: whoever has most makes room first, so that a flood pushes out nobody else's. */
class OutputTrees {
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #bytes = new Map<string, number>();

  constructor(sizes: ReadonlyMap<string, number>) {
    this.#sizes = sizes;
  }

  add(run: Run): void {
    this.#bytes.set(run.tree, this.bytesOf(run) + this.#sizeOf(run));
  }

  bytesOf({ tree }: Run): number {
    return this.#bytes.get(tree) ?? 0;
  }

  /**
   * Takes away of these, who are in the order of their ends, until there are no more bytes than that. What cannot go is charged to its own tree:
   * for more of it than the largest of the others has, none of them gives way. What goes later counts in full.
   */
  shrink(oldestFirst: readonly Run[], bytesMax: number, later: ReadonlySet<Run> = new Set()): Run[] {
    const givers = [...group(oldestFirst, ({ tree }) => tree)].map(([tree, runs], at) => ({
      tree,
      runs,
      at,
      next: 0,
    }));
    const sizeOf = ({ tree }: { readonly tree: string }): number => this.#bytes.get(tree) ?? 0;
    type Giver = (typeof givers)[number];
    // The largest stands last, and of two the one whose first run ended first.
    const compare = (a: Giver, b: Giver): number => sizeOf(a) - sizeOf(b) || b.at - a.at;
    const order = givers.toSorted(compare);
    const whole = new Set([...givers, ...later].map(({ tree }) => tree));
    const others = [...this.#bytes].flatMap(([tree, bytes]) => (whole.has(tree) ? [] : [bytes]));
    let left = [...whole].reduce((sum, tree) => sum + sizeOf({ tree }), 0);
    const gone: Run[] = [];
    for (let giver = order.pop(); giver !== undefined; giver = order.pop()) {
      const largest = sizeOf(giver);
      const next = giver.runs[giver.next++];
      const total = left + others.reduce((sum, bytes) => sum + Math.min(bytes, largest), 0);
      if (next === undefined || total <= bytesMax) return gone;
      this.#bytes.set(giver.tree, largest - this.#sizeOf(next));
      left -= this.#sizeOf(next);
      gone.push(next);
      if (giver.next < giver.runs.length) order.splice(placeIn(order, giver, compare), 0, giver);
    }
    return gone;
  }

  #sizeOf({ id }: Run): number {
    return this.#sizes.get(id) ?? 0;
  }
}

/** In the order in which they come. */
function group(runs: readonly Run[], keyOf: (run: Run) => string): Map<string, Run[]> {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const key = keyOf(run);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [run]);
    else known.push(run);
  }
  return groups;
}

/** Where it belongs among what is in order already. */
function placeIn<T>(sorted: readonly T[], one: T, compare: (a: T, b: T) => number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = sorted[middle];
    if (at !== undefined && compare(at, one) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function forgetOutputs(step: Step, { run: id, because, files, bytes }: ForgetOutputs): Result<Later, Refusal> {
  const run = step.state.runs.get(id);
  if (run === undefined) return refuse({ code: "not-found", kind: "run", id });
  if (!mayForget(step.state, run))
    return refuse({ code: "in-use", kind: "outputs of", id, by: "runs that are not over" });
  step.emit({ type: "outputs.forgotten", v: 1, run: id, because, files, bytes });
  return done();
}

/** Whether nobody may ask any more for what it has said. */
export function mayForget(state: State, run: Run): boolean {
  return mayGo(state, run, neededTrees(state));
}

/** Not while its own family, or anybody who stems from the same run or waits for it, may ask for it. */
function mayGo(state: State, run: Run, needed: ReadonlySet<string>): boolean {
  return isOver(run.state) && isStill(rootOf(state, run)) && !needed.has(run.tree);
}

/** Whether nothing of it runs any more, as far as anything ever did. */
function isStill({ stopped, startedAtMs }: Run): boolean {
  return stopped || startedAtMs === null;
}

function neededTrees(state: State): Set<string> {
  const needed = new Set<string>();
  for (const { tree, dependsOn, state: its } of state.runs.values()) {
    if (isOver(its)) continue;
    needed.add(tree);
    for (const id of dependsOn) needed.add(state.runs.get(id)?.tree ?? id);
  }
  return needed;
}

function keptOf(state: State, of: Run | undefined): { readonly days: number; readonly bytes: number } {
  const policies =
    of === undefined ? [] : applicable(state.policies, agentSubject(of)).filter(({ priority }) => priority >= 0);
  return {
    days: ruleFor(policies, "outputDays")?.value ?? defaultRules.outputDays,
    bytes: ruleFor(policies, "outputBytes")?.value ?? defaultRules.outputBytes,
  };
}
