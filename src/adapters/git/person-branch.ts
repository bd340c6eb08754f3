// The person's branch: fetched from, and moved forward where that disturbs nobody (LD43).

import type { PublishOutcome } from "../../ports/mainline.ts";
import { finishCheckout, publishToCheckout } from "./checkout-update.ts";
import { type OwnParts, personRef, publishedRef, quote } from "./own-parts.ts";
import { type Checkout, checkoutsOf, type PersonRepository, personTip, readTip } from "./person-repository.ts";
import { copyObjects, moveBranch } from "./person-writes.ts";

/**
 * Where the branch stands, if that is where it stood when its commits were last fetched: then there is nothing to fetch, and
 * whoever begins need not wait for git. Null where it has moved, or where only git can tell.
 */
export async function unmovedTip({ facts, store }: OwnParts, root: string): Promise<string | null> {
  const tip = await readTip(root, facts.branch);
  return tip !== null && tip === (await store.commitAt(personRef(facts))) ? tip : null;
}

/** Brings the branch's commits into our repository, and answers where it stands. */
export async function fetchBranch(own: OwnParts, person: PersonRepository): Promise<string | null> {
  const { git, gitDir, facts, store } = own;
  const tip = await personTip(git, person, facts.branch);
  const ref = personRef(facts);
  if (tip === null || tip === (await store.commitAt(ref))) return tip;
  const flags = [
    "--quiet",
    "--force",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--update-shallow",
  ];
  const args = ["fetch", ...flags, "--end-of-options", person.commonDir, `+refs/heads/${facts.branch}:${ref}`];
  await git.run({ gitDir }, args, { mayReadOthers: true, timeMsMax: 60 * 60_000 });
  return await store.commitAt(ref);
}

export async function publishBranch(own: OwnParts, person: PersonRepository, head: string): Promise<PublishOutcome> {
  const outcome = await bringBranch(own, person, head);
  const ref = publishedRef(own.facts);
  if (outcome.published && (await own.store.commitAt(ref)) !== head)
    await own.git.run({ gitDir: own.gitDir }, ["update-ref", "--no-deref", "-m", "signalbox: published", ref, head]);
  return outcome;
}

async function bringBranch(own: OwnParts, person: PersonRepository, head: string): Promise<PublishOutcome> {
  const { git, facts } = own;
  const not = (why: string, command: readonly string[] = ["pull", "--ff-only"]): PublishOutcome => {
    const words = ["git", "-C", person.root, ...command, own.gitDir, facts.branch];
    return { published: false, commit: head, why, how: words.map(quote).join(" ") };
  };
  const checkouts = await checkoutsOf(git, person, facts.branch);
  for (const { root, gitDir } of checkouts) if (root !== null) await finishCheckout(own, { root, gitDir });
  const tip = await personTip(git, person, facts.branch);
  if (tip === head) return { published: true, commit: head };
  if (tip !== null && !(await own.store.has(tip)))
    return not(`${facts.branch} has commits that mainline does not have yet`, ["pull", "--no-rebase"]);
  if (tip !== null && !(await own.isAncestor(tip, head)))
    return not(`${facts.branch} has commits that mainline does not contain`, ["pull", "--no-rebase"]);
  if (tip !== null && (await wasMovedBack(own, tip)))
    return not(`${facts.branch} was moved back behind what had landed on it, and nobody undoes that for you`);
  const [checkout, second] = checkouts;
  if (second !== undefined)
    return not(`${facts.branch} is checked out in several folders: ${checkouts.map(({ named }) => named).join(", ")}`);
  if (checkout === undefined) return await publishUnseen(own, person, { tip, head, not });
  const { root, busyWith, named, gitDir } = checkout;
  if (busyWith !== null) return not(`somebody is in the middle of ${busyWith} in ${named}`);
  if (root === null)
    return not(
      `${facts.branch} is checked out in ${named}, which cannot be reached (git worktree prune, if it is gone)`,
    );
  const why = await publishToCheckout(own, { person, root, gitDir, tip, head });
  return why === null ? { published: true, commit: head } : not(why);
}

/** Whoever takes their branch back behind what was on it means it (LD42). */
async function wasMovedBack(own: OwnParts, tip: string): Promise<boolean> {
  const published = await own.store.commitAt(publishedRef(own.facts));
  return published !== null && published !== tip && (await own.isAncestor(tip, published));
}

/** Nobody has the branch checked out: moving it changes no file. */
async function publishUnseen(
  own: OwnParts,
  person: PersonRepository,
  { tip, head, not }: { tip: string | null; head: string; not: (why: string) => PublishOutcome },
): Promise<PublishOutcome> {
  await copyObjects(own, person, tip, head);
  if (!(await moveBranch(own, person, tip, head))) return not(`${own.facts.branch} moved in this very moment`);
  // Somebody may have checked it out between our look and the move. Then their files are those of before.
  const now = await checkoutsOf(own.git, person, own.facts.branch);
  for (const checkout of now) {
    if (tip === null || !(await standsAt(own, checkout, tip))) continue;
    if (await moveBranch(own, person, head, tip))
      return not(`${own.facts.branch} was checked out in ${checkout.named} in this very moment`);
  }
  return { published: true, commit: head };
}

async function standsAt(own: OwnParts, { gitDir }: Checkout, commit: string): Promise<boolean> {
  const { exit } = await own.git.run(
    { gitDir },
    ["diff-index", "--cached", "--quiet", "--ignore-submodules=all", commit, "--"],
    { exits: [0, 1, 128] },
  );
  return exit === 0;
}
