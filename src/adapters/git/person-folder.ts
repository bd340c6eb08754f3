// A project that is a plain folder: our repository is its history. What a person changed there by hand becomes a commit,
// and what lands is put into the folder, as long as everything it replaces is still as we know it.

import { stat } from "node:fs/promises";
import { userInfo } from "node:os";
import path from "node:path";
import type { PublishOutcome } from "../../ports/mainline.ts";
import { isErrno } from "../../os/errno.ts";
import type { GitPlace } from "./git-runner.ts";
import { encodeCommit } from "./object-codec.ts";
import type { ObjectStore } from "./object-store.ts";
import { type OwnParts, personRef, quote } from "./own-parts.ts";
import { unfit } from "./person-repository.ts";
import { InTheWay, Placing } from "./place-files.ts";
import { diffTrees } from "./trees.ts";

/** The trees of the last scans. */
const scanned = new WeakMap<ObjectStore, { readonly tree: string; readonly stamp: string }>();

type OwnSide = Pick<OwnParts, "git" | "gitDir" | "store">;

/** The folder's content as a tree. Files are read again only when they look different from the last time. */
export async function scanFolder(own: OwnSide, root: string, { isFirst = false } = {}): Promise<string> {
  const place = indexPlace(own, root);
  const list = async (...args: string[]): Promise<string[]> =>
    (await own.git.run(place, args)).out
      .toString()
      .split("\0")
      .filter((name) => name !== "");
  // Side by side: both only look.
  const [others, changed] = await Promise.all([
    list("ls-files", "-z", "--others", "--exclude-standard"),
    list("diff-files", "-z", "--name-only", "--ignore-submodules=all"),
  ]);
  const nested = others.find((name) => name.endsWith("/"));
  if (isFirst && nested !== undefined) {
    throw unfit(`${root} is no repository, and has one in it: ${path.join(root, nested)}. Name that folder instead.`);
  }
  const input = [...changed, ...others.filter((name) => !name.endsWith("/"))].map((name) => `${name}\0`).join("");
  const args = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
  if (input !== "") await own.git.run(place, args, { input, settings: ["core.fsyncMethod=batch"] });
  const known = scanned.get(own.store);
  if (known !== undefined && known.stamp === (await stampOf(place.indexFile))) return known.tree;
  const { text: tree } = await own.git.run(place, ["write-tree"]);
  scanned.set(own.store, { tree, stamp: await stampOf(place.indexFile) });
  return tree;
}

/** Which version of the index a tree was written from: an index is never changed, another one takes its place. */
async function stampOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found === undefined ? "none" : `${found.ino} ${found.mtimeNs} ${found.ctimeNs} ${found.size}`;
}

/** Makes a commit of what the folder has, after what it had. */
export async function commitFolder(own: OwnSide, tree: string, parents: readonly string[]): Promise<string> {
  const { username } = userInfo();
  const author = { name: username, email: `${username}@localhost`, atMs: Date.now() };
  const message = parents.length === 0 ? "The folder as it was found" : "Edited by hand";
  return await own.store.write("commit", encodeCommit(tree, { parents, message, author }));
}

export async function fetchFolder(own: OwnParts, root: string, head: string): Promise<string> {
  const known = await own.store.commitAt(personRef(own.facts));
  await finishFolder(own, root, known);
  const tree = await scanFolder(own, root);
  if (known !== null && tree === (await own.store.treeOf(known))) return known;
  const isMainline = tree === (await own.store.treeOf(head));
  const now = isMainline ? head : await commitFolder(own, tree, [known ?? own.facts.start]);
  await remember(own, now);
  return now;
}

export async function publishFolder(own: OwnParts, root: string, head: string): Promise<PublishOutcome> {
  const known = await fetchFolder(own, root, head);
  const how = `git --git-dir ${quote(own.gitDir)} diff ${known} ${head}`;
  const not = (why: string): PublishOutcome => ({ published: false, commit: head, why, how });
  if (known === head) return { published: true, commit: head };
  if (!(await own.isAncestor(known, head)))
    return not(`${root} was edited by hand; the next landing takes that along, and then it is published`);
  const { store } = own;
  const [before, after] = [await store.treeOf(known), await store.treeOf(head)];
  const journal = { from: known, to: head, changes: await diffTrees(store, before, after), lock: null };
  const placing = placingIn(own, root);
  try {
    await placing.place(journal, store);
  } catch (error) {
    const kept = await placing.undo(journal);
    if (isErrno(error, "EXDEV", "EPERM", "EACCES", "EROFS", "EBUSY"))
      return not(`the files in ${root} cannot be replaced: ${String(error)}`);
    if (!(error instanceof InTheWay)) throw error;
    return not(
      `${error.path} in ${root} has changes of its own${kept === null ? "" : `; what was there is kept in ${kept}`}`,
    );
  }
  // What landed is known from now on, also where the folder's own rules would ignore it.
  await own.git.run(indexPlace(own, root), ["read-tree", "-m", "-i", before, after]);
  await remember(own, head);
  await placing.finish(journal);
  return { published: true, commit: head };
}

async function remember(own: OwnParts, commit: string): Promise<void> {
  await own.git.run({ gitDir: own.gitDir }, [
    "update-ref",
    "--create-reflog",
    "-m",
    "signalbox: seen",
    personRef(own.facts),
    commit,
  ]);
}

/** Ends what a publishing left behind when the daemon was killed in the middle of it. */
async function finishFolder(own: OwnParts, root: string, known: string | null): Promise<void> {
  const placing = placingIn(own, root);
  const journal = await placing.leftBehind();
  if (journal === null) return;
  if (journal.to === known) await placing.finish(journal);
  else await placing.undo(journal);
}

function indexPlace(own: OwnSide, root: string): GitPlace & { readonly indexFile: string } {
  return { gitDir: own.gitDir, workTree: root, indexFile: path.join(own.gitDir, "folder-index") };
}

function placingIn(own: OwnParts, root: string): Placing {
  return new Placing(root, path.join(root, ".signalbox-publish"), own.facts.format);
}
