// For how long is kept what runs that are over have said: what their commands put out, and what models were asked. Policies say so for a project, by days and by
// bytes, as they do of recordings; those that a model may set do not count. What a run has published is no part of it, nor what leave was asked for.

import { refuse, type Result } from "../../base/result.ts";
import { agentSubject } from "../egress/egress.ts";
import type { Refusal } from "../inputs.ts";
import { done, type Later } from "../later.ts";
import { applicable, defaultRules, ruleFor } from "../policy/policy.ts";
import { rootOf, type State } from "../state.ts";
import { compareIds, type Step } from "../step.ts";
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

/** Whose outputs are kept no longer, with these sizes, the oldest first (RN50). */
export function outputsToForget(
  state: State,
  bytesOf: ReadonlyMap<string, number>,
  nowMs: number,
): Pick<OutputsForgotten, "run" | "because">[] {
  const needed = neededTrees(state);
  const runs = [...state.runs.values()].filter(({ id }) => (bytesOf.get(id) ?? 0) > 0);
  const places = new Map<string, Run[]>();
  for (const run of runs) {
    const key = `${run.project} ${run.node}`;
    places.set(key, [...(places.get(key) ?? []), run]);
  }
  return [...places.values()].flatMap((those) => {
    const { days, bytes } = keptOf(state, those[0]);
    let total = those.reduce((sum, { id }) => sum + (bytesOf.get(id) ?? 0), 0);
    const oldestFirst = those
      .filter((run) => mayGo(state, run, needed))
      .toSorted((a, b) => a.sinceMs - b.sinceMs || compareIds(a.id, b.id));
    return oldestFirst.flatMap(({ id, sinceMs }) => {
      const isOld = nowMs - sinceMs > days * dayMs;
      if (!isOld && total <= bytes) return [];
      total -= bytesOf.get(id) ?? 0;
      return [{ run: id, because: isOld ? ("age" as const) : ("size" as const) }];
    });
  });
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
