// The two things that are ever written into the person's repository: objects, and the branch itself.

import type { OwnParts } from "./own-parts.ts";

type Place = { readonly gitDir: string };

/** Gives the person's repository the objects of mainline, without asking it to fetch: that would ask its configuration. */
export async function copyObjects(own: OwnParts, person: Place, tip: string | null, head: string): Promise<void> {
  const input = `${head}\n${tip === null ? "" : `^${tip}\n`}`;
  await own.git.pipe(
    [{ gitDir: own.gitDir }, ["pack-objects", "--quiet", "--revs", "--stdout"], { input }],
    [{ gitDir: person.gitDir }, ["unpack-objects", "-q"], { settings: ["core.fsyncMethod=batch"] }],
  );
}

/** Moves a branch, mainline's if none is named, if it still stands where it stood. */
export async function moveBranch(
  own: OwnParts,
  person: Place,
  from: string | null,
  to: string,
  branch = own.facts.branch,
): Promise<boolean> {
  const { git } = own;
  const place = { gitDir: person.gitDir };
  const ref = `refs/heads/${branch}`;
  // A branch that is only another name of a branch is nobody's to move from here.
  if ((await git.run(place, ["symbolic-ref", "--quiet", ref], { exits: [0, 1, 128] })).exit === 0) return false;
  const args = ["update-ref", "--no-deref", "-m", "signalbox: landed", ref, to, from ?? "0".repeat(to.length)];
  const { exit } = await git.run(place, args, { exits: [0, 1, 128] });
  return exit === 0;
}
