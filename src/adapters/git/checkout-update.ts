// Brings a clean checkout of the person's branch to mainline: files, index and branch, all or nothing. The person's index is
// locked meanwhile, the way git itself does it, so that no commit or checkout of theirs can come in between; work on the
// index happens in a copy, under our own repository's configuration.

import { randomUUID } from "node:crypto";
import { copyFile, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { kindOf } from "../../core/landing/entry.ts";
import type { TreeChange } from "../../ports/mainline.ts";
import { isErrno } from "../../os/errno.ts";
import type { GitPlace } from "./git-runner.ts";
import { IndexLock } from "./index-lock.ts";
import type { OwnParts } from "./own-parts.ts";
import { checkoutsOf, type PersonRepository, personTip } from "./person-repository.ts";
import { copyObjects, moveBranch } from "./person-writes.ts";
import { InTheWay, Placing } from "./place-files.ts";
import { diffTrees } from "./trees.ts";

type Update = {
  readonly person: PersonRepository;
  readonly root: string;
  readonly gitDir: string;
  readonly tip: string | null;
  readonly head: string;
};

/** Answers null when it is done, or else why not. */
export async function publishToCheckout(own: OwnParts, update: Update): Promise<string | null> {
  const changes = await diffTrees(own.store, await treeBefore(own, update.tip), await own.store.treeOf(update.head));
  const unfit = await whyNotOurs(own, update, changes);
  if (unfit !== null) return unfit;
  await copyObjects(own, update, update.tip, update.head);
  const lock = await IndexLock.take(update.gitDir, own.gitDir);
  if (lock === null) return `another git is at work in ${update.root} (${path.join(update.gitDir, "index.lock")})`;
  try {
    return await replaceAll(own, update, changes, lock);
  } catch (error) {
    if (isErrno(error, "EXDEV", "EPERM", "EACCES", "EROFS", "EBUSY"))
      return `the files in ${update.root} cannot be replaced: ${String(error)}`;
    throw error;
  } finally {
    await lock.release();
  }
}

/** Ends what an update left behind when the daemon was killed in the middle of it. */
export async function finishCheckout(own: OwnParts, { root, gitDir }: { root: string; gitDir: string }): Promise<void> {
  const placing = placingIn(own, { root, gitDir });
  const journal = await placing.leftBehind();
  await IndexLock.dropStale(gitDir, own.gitDir, journal?.lock ?? null);
  if (journal === null) return;
  const tip = await personTip(own.git, { gitDir }, own.facts.branch);
  if (tip !== journal.to) {
    await placing.undo(journal, { onlyMissing: tip !== journal.from });
    return;
  }
  const lock = await IndexLock.take(gitDir, own.gitDir);
  if (lock === null) return;
  try {
    const place = await copyIndex(own, { root, gitDir });
    if (await isStaged(own, place, journal.from === "" ? null : journal.from))
      await lock.install(await toIndex(own, place, journal));
    await placing.finish(journal);
  } finally {
    await lock.release();
  }
}

async function replaceAll(
  own: OwnParts,
  update: Update,
  changes: readonly TreeChange[],
  lock: IndexLock,
): Promise<string | null> {
  const { root, tip, head, person } = update;
  // From here on no git of the person can write the index; what was looked at before is looked at again.
  const [checkout, ...others] = await checkoutsOf(own.git, person, own.facts.branch);
  if (checkout?.gitDir !== update.gitDir || checkout.busyWith !== null || others.length > 0)
    return `somebody is at work in ${root}`;
  if ((await personTip(own.git, update, own.facts.branch)) !== tip)
    return `${own.facts.branch} moved in this very moment`;
  const place = await copyIndex(own, update);
  const journal = { from: tip ?? "", to: head, changes, lock: lock.inode };
  const placing = placingIn(own, update);
  let why: string | null = null;
  try {
    why = await whyNotClean(own, place, root, tip);
    if (why !== null) return why;
    await placing.place(journal, own.store);
    await lock.fill(await toIndex(own, place, journal));
    if (!(await moveBranch(own, update, tip, head))) why = `${own.facts.branch} moved in this very moment`;
  } catch (error) {
    const kept = await placing.undo(journal);
    if (!(error instanceof InTheWay)) throw error;
    return `${error.path} in ${root} has changes of its own${kept === null ? "" : `; what was there is kept in ${kept}`}`;
  } finally {
    await rm(place.indexFile, { force: true });
  }
  if (why === null) {
    await lock.install();
    await placing.finish(journal);
  } else {
    await placing.undo(journal);
  }
  return why;
}

/** What only the person's own git can check out as they have set it up: converted files, submodules. */
async function whyNotOurs(
  own: OwnParts,
  { root, gitDir }: Update,
  changes: readonly TreeChange[],
): Promise<string | null> {
  const isSubmodule = ({ before, after }: TreeChange): boolean =>
    [before, after].some((entry) => entry !== null && kindOf(entry) === "submodule");
  const submodule = changes.find(isSubmodule);
  if (submodule !== undefined) return `it changes the submodule ${submodule.path}`;
  const rules = changes.find(({ path: file }) => file === ".gitattributes" || file.endsWith("/.gitattributes"));
  if (rules !== undefined) return `it changes ${rules.path}, by which git converts files`;
  const config = await own.git.run({ gitDir }, ["config", "--includes", "--get-regexp", "^core\\.(autocrlf|eol)$"], {
    exits: [0, 1],
  });
  if (/^core\.autocrlf (?!input|false|no|off|0)|^core\.eol crlf/m.test(config.text))
    return `git converts line ends in ${root}`;
  const input = changes.map(({ path: file }) => `${file}\0`).join("");
  const attributes = ["filter", "ident", "working-tree-encoding", "eol"];
  const { out } = await own.git.run({ gitDir, workTree: root }, ["check-attr", "-z", "--stdin", ...attributes], {
    input,
  });
  const words = out.toString().split("\0");
  for (let at = 0; at + 2 < words.length; at += 3) {
    const [file = "", attribute = "", value = ""] = words.slice(at, at + 3);
    if (!["unspecified", "unset", "lf"].includes(value)) return `git converts ${file} (${attribute}=${value})`;
  }
  return null;
}

async function whyNotClean(own: OwnParts, place: GitPlace, root: string, tip: string | null): Promise<string | null> {
  const refresh = await own.git.run(place, ["update-index", "-q", "--ignore-submodules", "--refresh"], {
    exits: [0, 1, 128],
  });
  if (refresh.exit === 128) return `the index of ${root} is of a kind that only its own git can read`;
  if (!(await isStaged(own, place, tip))) return `${root} has changes that are staged`;
  const { exit } = await own.git.run(place, ["diff-files", "--quiet", "--ignore-submodules=all"], { exits: [0, 1] });
  return exit === 0 ? null : `${root} has changes that are not committed`;
}

/** Whether the index is exactly the tree of a commit. */
async function isStaged(own: OwnParts, place: GitPlace, commit: string | null): Promise<boolean> {
  const tree = await treeBefore(own, commit);
  const { exit } = await own.git.run(
    place,
    ["diff-index", "--cached", "--quiet", "--ignore-submodules=all", tree, "--"],
    { exits: [0, 1] },
  );
  return exit === 0;
}

/** Moves a copy of the index from one commit to the other; files that did not change keep what git knows of them. */
async function toIndex(own: OwnParts, place: IndexPlace, { from, to }: { from: string; to: string }): Promise<string> {
  const trees = [await treeBefore(own, from === "" ? null : from), await own.store.treeOf(to)];
  await own.git.run(place, ["read-tree", "-m", "-i", ...trees]);
  await own.git.run(place, ["update-index", "-q", "--ignore-submodules", "--refresh"], { exits: [0, 1] });
  return place.indexFile;
}

type IndexPlace = GitPlace & { readonly indexFile: string };

async function copyIndex(own: OwnParts, { root, gitDir }: { root: string; gitDir: string }): Promise<IndexPlace> {
  const [index, indexFile] = [path.join(gitDir, "index"), path.join(own.gitDir, "tmp", `index-${randomUUID()}`)];
  try {
    await copyFile(index, indexFile);
    // Git trusts an entry that is older than the index. The copy must not look younger than what it was made from.
    const atMs = (await stat(index)).mtimeMs - 1000;
    await utimes(indexFile, atMs / 1000, atMs / 1000);
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
  }
  return { gitDir: own.gitDir, workTree: root, indexFile };
}

async function treeBefore(own: OwnParts, commit: string | null): Promise<string> {
  return await own.store.treeOf(commit ?? own.facts.start);
}

function placingIn(own: OwnParts, { root, gitDir }: { root: string; gitDir: string }): Placing {
  return new Placing(root, path.join(gitDir, "signalbox-publish"), own.facts.format);
}
