// The names of a commit that could be in the way of others (LD28): of a large project these are few, and nobody waits for a
// list of it all.

import type { NameRule } from "../../core/landing/kin.ts";
import type { Mainline } from "../../ports/mainline.ts";

/** Names that can be spelled in another way: what is not ASCII, and those of its letters that others are composed into. */
const twins = /[^\0-\x7F]|[K;`]/;

/** Those of a commit's paths that are among these, on the way to one of them or beneath one. */
export async function namesNear(
  mainline: Pick<Mainline, "entriesAt" | "listTree">,
  commit: string,
  paths: readonly string[],
  { foldCase }: NameRule,
): Promise<ReadonlySet<string>> {
  if (foldCase || paths.some((path) => twins.test(path))) return new Set((await mainline.listTree(commit)).keys());
  const entries = await mainline.entriesAt(commit, [...new Set(paths.flatMap(wayTo))]);
  const near = new Set([...entries].flatMap(([path, entry]) => (entry === null ? [] : path)));
  for (const path of paths) {
    if (near.has(path)) continue;
    for (const beneath of (await mainline.listTree(commit, path)).keys()) near.add(beneath);
  }
  return near;
}

/** A path and the folders that it is in. */
function wayTo(path: string): string[] {
  const names = path.split("/");
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}
