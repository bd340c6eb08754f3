// A branch of a run's own in the person's repository, for them to push (LD50). What it stands at is also a ref of ours, so
// that its objects stay.

import type { OwnParts } from "./own-parts.ts";
import { checkoutsOf, type PersonRepository, personTip } from "./person-repository.ts";
import { copyObjects, moveBranch } from "./person-writes.ts";

export type BranchMove = { readonly branch: string; readonly from: string | null; readonly to: string };

/** Where we remember what a run's branch stands at. */
export function runBranchRef(branch: string): string {
  return `refs/signalbox/branches/${branch}`;
}

/** Answers what is in the way, or null. */
export async function putRunBranch(
  own: OwnParts,
  person: PersonRepository,
  { branch, from, to }: BranchMove,
): Promise<string | null> {
  const { git, gitDir } = own;
  const tip = await personTip(git, person, branch);
  // Put there before a crash; somebody may have gone on from it since.
  if (tip !== null && (await isBeneath(own, person, to, tip))) return null;
  // A branch that was removed, as people do with what they have merged, is made anew.
  const since = tip === null ? null : from;
  if (tip !== since) return from === null ? `there is a branch ${branch} already` : `somebody has moved ${branch}`;
  const [checkout] = await checkoutsOf(git, person, branch);
  if (checkout !== undefined) return `${branch} is checked out in ${checkout.named}`;
  await git.run({ gitDir }, ["update-ref", "--no-deref", "-m", "signalbox: land", runBranchRef(branch), to]);
  await copyObjects(own, person, since, to);
  if (await moveBranch(own, person, since, to, branch)) return null;
  return (await personTip(git, person, branch)) === to ? null : `${branch} moved in this very moment`;
}

/** Whether a commit is a branch's tip or one of its ancestors, in the person's repository. */
async function isBeneath({ git }: OwnParts, person: PersonRepository, commit: string, tip: string): Promise<boolean> {
  if (commit === tip) return true;
  const args = ["merge-base", "--is-ancestor", commit, tip];
  return (await git.run({ gitDir: person.gitDir }, args, { exits: [0, 1, 128] })).exit === 0;
}
