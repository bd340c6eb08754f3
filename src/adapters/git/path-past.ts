// Which commits changed what stands at a path.

import type { Entry } from "../../core/landing/entry.ts";
import type { PastChange, PastOrder } from "../../ports/mainline.ts";
import type { GitRunner } from "./git-runner.ts";

type Entries = (commit: string, paths: readonly string[]) => Promise<ReadonlyMap<string, Entry>>;

const fieldsOfCommit = 5;

/** A merge is among them only where it made something that no side had; it is compared with its first parent. */
export async function changesOf(
  { git, gitDir, entriesAt }: { readonly git: GitRunner; readonly gitDir: string; readonly entriesAt: Entries },
  path: string,
  { commit: from, count, skip }: PastOrder,
): Promise<PastChange[]> {
  const how = ["--no-notes", "--no-renames", `--max-count=${count}`, `--skip=${skip}`];
  const format = "--format=%H%x00%P%x00%ct%x00%an%x00%B%x00";
  const { out } = await git.run({ gitDir }, ["log", ...how, format, from, "--", path]);
  const parts = out.toString().split("\0");
  const changes: PastChange[] = [];
  for (let at = 0; at + fieldsOfCommit - 1 < parts.length; at += fieldsOfCommit) {
    const [name = "", parents = "", seconds = "", author = "", message = ""] = parts.slice(at, at + fieldsOfCommit);
    const commit = name.trim();
    const [parent = ""] = parents.split(" ");
    const before = parent === "" ? null : await entryAt(parent);
    changes.push({
      commit,
      wallMs: Number(seconds) * 1000,
      author,
      message: message.trimEnd(),
      before,
      after: await entryAt(commit),
    });
  }
  return changes;

  async function entryAt(commit: string): Promise<Entry> {
    return (await entriesAt(commit, [path])).get(path) ?? null;
  }
}
