// What a person took off their branch after it had landed: kept under the commit that had it and the one up to which their branch
// still has it, until mainline has it again (LD58).

import type { Mainline } from "../../ports/mainline.ts";

/** A commit that had it, and the last one before that is still on the branch; undefined where nobody noted that. */
export type Dropped = { readonly commit: string; readonly since: string | undefined };

export async function keepDropped(mainline: Mainline, published: string, theirs: string): Promise<void> {
  const gone = (await mainline.changesBetween(theirs, published)).flatMap(({ path, after }) =>
    after === null ? [] : [[path, after] as const],
  );
  const since = (await mainline.mergeBase(published, theirs)) ?? undefined;
  await mainline.keep(`dropped/${nameOf({ commit: published, since })}`, new Map(gone));
}

export async function droppedOf(mainline: Pick<Mainline, "keptUnder">): Promise<Dropped[]> {
  return (await mainline.keptUnder("dropped")).map(parseName);
}

/** Lets go of what a commit has all of again: nobody wants it back. */
export async function letGoRegained(mainline: Mainline, head: string): Promise<void> {
  const dropped = await droppedOf(mainline);
  const known = await mainline.factsOfAll(dropped.map(({ commit }) => commit));
  for (const each of dropped) {
    if (!known.has(each.commit)) continue;
    const since = each.since ?? (await mainline.mergeBase(each.commit, head));
    if (since === null) continue;
    const changes = await mainline.changesBetween(since, each.commit);
    const entries = await mainline.entriesAt(
      head,
      changes.map(({ path }) => path),
    );
    const isThere = changes.every(({ path, after }) => (entries.get(path) ?? null) === after);
    if (isThere) await mainline.letGo(`dropped/${nameOf(each)}`);
  }
}

function nameOf({ commit, since }: Dropped): string {
  return since === undefined ? commit : `${since}-${commit}`;
}

function parseName(name: string): Dropped {
  const at = name.indexOf("-");
  return at < 0 ? { commit: name, since: undefined } : { commit: name.slice(at + 1), since: name.slice(0, at) };
}
