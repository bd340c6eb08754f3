// Takes a workspace back to an earlier step (LD34). What stands there now is safe and recorded before anything replaces it;
// bases stay where they are.

import type { MergedText } from "../../core/landing/conflict.ts";
import type { NameRule } from "../../core/landing/kin.ts";
import { planRewind, settleRewind, type RewindPath } from "../../core/landing/rewind.ts";
import { isDirty, type Work } from "../../core/workspace/workspace-state.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { mergeBlobs } from "../landing/merge-blobs.ts";
import type { Workspace } from "./workspace.ts";

export type RewindOrder = {
  /** What was changed by then; everything else was as its base had it. */
  readonly wanted: readonly Work[];
  readonly isCovered: (path: string) => boolean;
  readonly rule: NameRule;
  /** Records what stands in the workspace now. False: nobody wants it to go back any more. */
  readonly found: (works: readonly Work[]) => Promise<boolean>;
};

export type WorkspaceRewound = {
  readonly works: readonly Work[];
  /** Paths that stayed as they were. */
  readonly stayed: readonly string[];
  readonly refused: string | null;
};

const clean = { base: null, work: null } as const;

export async function rewindWorkspace(
  workspace: Workspace,
  mainline: Mainline,
  { wanted, isCovered, rule, found }: RewindOrder,
): Promise<WorkspaceRewound | undefined> {
  const now = new Map((await workspace.works()).map((work) => [work.path, work]));
  for (const work of await workspace.bringHome([...now.values()].filter(isDirty))) now.set(work.path, work);
  if (!(await found([...now.values()].filter(isDirty)))) return undefined;
  const old = new Map(wanted.map((work) => [work.path, work]));
  const paths: RewindPath[] = [];
  for (const path of [...new Set([...now.keys(), ...old.keys()])].toSorted()) {
    const base = now.get(path)?.base ?? (await workspace.baseOf(path));
    const work = now.has(path) ? (now.get(path)?.work ?? null) : base;
    paths.push({ path, old: old.get(path) ?? clean, now: { base, work }, isCovered: isCovered(path) });
  }

  const steps = planRewind(paths);
  const merged = new Map<string, MergedText>();
  for (const step of steps) if (step.kind === "merge") merged.set(step.path, await mergeBlobs(mainline, step.blobs));
  const settled = settleRewind(steps, merged, rule);
  if (!settled.ok) {
    const names = settled.refusal.clashes.map(({ fresh, other }) => `${fresh} and ${other}`).join(", ");
    return { works: [], stayed: [], refused: `these cannot stand beside each other: ${names}` };
  }
  const { puts, conflicts } = settled.value;
  const present = new Map(paths.map((each) => [each.path, each.now]));
  await workspace.replace(puts.map(({ path, work }) => ({ path, from: present.get(path)?.work ?? null, to: work })));
  const works = puts.map(({ path, work }) => ({ path, base: present.get(path)?.base ?? null, work }));
  return { works, stayed: conflicts.map(({ path }) => path), refused: null };
}
