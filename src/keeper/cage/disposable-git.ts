// A `.git` for the agent alone, so that git and what builds on it work. It borrows its objects, has no remotes, no hooks but
// the agent's own and no credentials, and nobody outside ever reads it: what is committed there carries no authority. It is written by hand,
// through open folders; git itself runs only inside the cage.

import { closeSync, copyFileSync, mkdirSync } from "node:fs";
import { Fault } from "../../base/fault.ts";
import type { GitOrder } from "../../protocol/keeper/keeper-wire.ts";
import { type Tree, within } from "../files/tree.ts";
import { isErrno } from "../os/errno.ts";

/** Where the cage shows the borrowed objects. */
export const cageObjects = "/run/signalbox/objects";

export type GitNeeds = {
  readonly git: GitOrder;
  readonly hash: "sha1" | "sha256";
  readonly agent: string;
  /** Where commands see the objects. */
  readonly objects: string;
};

/** What git calls a commit by. */
export function isCommit(name: unknown): boolean {
  return typeof name === "string" && /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(name);
}

/** Writes the `.git`, unless there is one. Says whether an index has yet to be made, by git in the cage. */
export function makeDisposableGit(
  tree: Tree,
  { git, hash, agent, objects }: GitNeeds,
): { readonly isNew: boolean; readonly needsIndex: boolean } {
  if (!isCommit(git.commit) || !isBranch(git.branch)) {
    throw new Fault("bad-request", { retry: "never", message: "the commit or the branch of the workspace is no name" });
  }
  const known = tree.openFolder([".git"], { make: false });
  if (known !== undefined) {
    closeSync(known);
    return { isNew: false, needsIndex: false };
  }
  const folder = tree.openFolder([".git"], { make: true });
  if (folder === undefined) return { isNew: false, needsIndex: false };
  try {
    const format = hash === "sha256" ? ["[extensions]", "\tobjectFormat = sha256"] : [];
    for (const name of ["objects", "objects/info", "refs", "refs/heads", "refs/tags", "info", "hooks"]) {
      mkdirSync(within(folder, name), { mode: 0o755 });
    }
    const write = (name: string, lines: readonly string[]): void =>
      tree.writeNew(folder, name, `${lines.join("\n")}\n`);
    write("config", [
      "[core]",
      `\trepositoryformatversion = ${hash === "sha256" ? 1 : 0}`,
      ...["\tfilemode = true", "\tbare = false", "\tlogallrefupdates = true"],
      // The index was made elsewhere: inodes and devices differ here, sizes and times do not.
      ...["\tcheckStat = minimal", "\ttrustctime = false"],
      ...["[gc]", "\tauto = 0", "[maintenance]", "\tauto = false"],
      ...["[user]", `\tname = ${agent}`, `\temail = ${agent}@signalbox.invalid`],
      ...format,
    ]);
    write("HEAD", [`ref: refs/heads/${git.branch}`]);
    const refs = [`refs/heads/${git.branch}`, "refs/signalbox/base"].map((name) => `${git.commit} ${name}`);
    write("packed-refs", ["# pack-refs with: peeled fully-peeled sorted ", ...refs]);
    write("info/exclude", ["/.signalbox-stage/"]);
    // As in our own repository, the bytes of a blob are the bytes of the file: a checkout must not look like a change.
    write("info/attributes", ["* -text -ident -filter !eol !working-tree-encoding"]);
    write("objects/info/alternates", [objects]);
    return { isNew: true, needsIndex: git.index === undefined || !isCopied(git.index, within(folder, "index")) };
  } finally {
    closeSync(folder);
  }
}

/** The daemon keeps a few of them; one that nobody wanted for a while is gone. */
function isCopied(index: string, to: string): boolean {
  try {
    copyFileSync(index, to);
    return true;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    throw error;
  }
}

// As git's own check of names, only stricter.
function isBranch(name: string): boolean {
  const parts = name.split("/");
  return (
    name.length <= 200 && parts.every((part) => /^[\w][\w.@+=-]*$/.test(part) && !/\.\.|@\{|\.lock$|\.$/.test(part))
  );
}
