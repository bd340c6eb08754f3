// People commit on their own branch whenever they like. Before each landing their commits become part of mainline: as they
// are where mainline has nothing newer, else by a merge that nobody has to look at, else not at all (LD42, LD43).

import { Fault } from "../../base/fault.ts";
import { refuse, ok, type Result } from "../../base/result.ts";
import type { Entry } from "../../core/landing/entry.ts";
import { planCandidate, settleCandidate } from "../../core/landing/candidate.ts";
import type { MergedText } from "../../core/landing/conflict.ts";
import type { NameRule } from "../../core/landing/kin.ts";
import type { CommitOrder, Mainline } from "../../ports/mainline.ts";
import { isOfTheWorld } from "../is-of-the-world.ts";
import { keepDropped, letGoRegained } from "./dropped.ts";
import { mergeBlobs } from "./merge-blobs.ts";
import { namesNear } from "./names-near.ts";

export type Brought = { readonly from: string; readonly to: string };
export type Diverged = { readonly code: "diverged"; readonly paths: readonly string[] };

/** Answers how mainline moved, null when it did not. */
export async function bringPersons(
  mainline: Mainline,
  rule: NameRule,
  author: CommitOrder["author"],
): Promise<Result<Brought | null, Diverged>> {
  for (;;) {
    const theirs = await mainline.fetchPersons();
    const head = await mainline.head();
    if (theirs === null || theirs === head || (await mainline.isAncestor(theirs, head))) return ok(null);
    const to = await standAt(mainline, head, theirs, rule, author);
    if (typeof to !== "string") return refuse(to);
    if (!(await mainline.swap(head, to))) continue;
    // Mainline has moved, whatever becomes of this; the next time looks again.
    await letGoRegained(mainline, to).catch((error: unknown) => {
      if (!(error instanceof Fault) && !isOfTheWorld(error)) throw error;
    });
    return ok({ from: head, to });
  }
}

/**
 * Where mainline is to stand. Whoever amends or drops what was published on their branch, and goes on from there, has taken it
 * away: it is their edit, and a merge from where both began would bring it back (LD42).
 */
async function standAt(
  mainline: Mainline,
  head: string,
  theirs: string,
  rule: NameRule,
  author: CommitOrder["author"],
): Promise<string | Diverged> {
  if (await mainline.isAncestor(head, theirs)) return theirs;
  const published = await mainline.published();
  const isRewritten =
    published !== null &&
    (await mainline.isAncestor(published, head)) &&
    !(await mainline.isAncestor(published, theirs));
  if (!isRewritten)
    return await mergeBoth(mainline, await mainline.mergeBase(head, theirs), { head, theirs }, rule, author);
  // Where nothing has landed since, their branch is what there is. What it does not have any more can be had again (LD58).
  const to = published === head ? theirs : await mergeBoth(mainline, published, { head, theirs }, rule, author);
  if (typeof to === "string") await keepDropped(mainline, published, theirs);
  return to;
}

/** A commit with what both sides did since `base`, or the paths on which they met. */
async function mergeBoth(
  mainline: Mainline,
  base: string | null,
  { head, theirs }: { readonly head: string; readonly theirs: string },
  rule: NameRule,
  author: CommitOrder["author"],
): Promise<string | Diverged> {
  if (base === null) return { code: "diverged", paths: [] };
  const changes = await mainline.changesBetween(base, theirs);
  const changed = changes.map(({ path }) => path);
  const heads = await mainline.entriesAt(head, changed);
  const approvals = changes.map(({ path, before, after }) => ({ path, base: before, approved: after }));
  const plan = planCandidate(approvals, (path) => heads.get(path) ?? null);
  const merged = new Map<string, MergedText>();
  for (const { path, blobs } of plan.merges) merged.set(path, await mergeBlobs(mainline, blobs));
  const paths = await namesNear(mainline, head, changed, rule);
  const settled = settleCandidate(plan, merged, { paths, rule });
  if (!settled.ok) {
    const { conflicts, clashes } = settled.refusal;
    return { code: "diverged", paths: [...conflicts.map(({ path }) => path), ...clashes.map(({ fresh }) => fresh)] };
  }
  const message = "Merge the person's commits into mainline\n";
  const order: CommitOrder = {
    parents: [head, theirs],
    changes: new Map<string, Entry>(settled.value),
    message,
    author,
  };
  return mainline.commit(order);
}
