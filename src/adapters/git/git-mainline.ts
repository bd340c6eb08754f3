// A project's mainline in a repository of our own, with real git. Objects and trees are handled in `object-store.ts` and
// `trees.ts`, the person's side in `person-….ts`, views of commits in `layer-store.ts`.

import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { assert } from "../../base/assert.ts";
import { Fault } from "../../base/fault.ts";
import { blobOf, type Entry, kindOf } from "../../core/landing/entry.ts";
import type {
  Collected,
  CollectOrder,
  CommitFacts,
  CommitOrder,
  LineOrigin,
  Mainline,
  PastChange,
  PastOrder,
  PublishOutcome,
  TreeChange,
} from "../../ports/mainline.ts";
import { linesOf } from "./blame.ts";
import { finishCheckout } from "./checkout-update.ts";
import { collectObjects } from "./collect.ts";
import { sync } from "../../os/durable-file.ts";
import { GitRunner, gitFailed } from "./git-runner.ts";
import { IndexStore } from "./index-store.ts";
import { type LayerOptions, LayerStore } from "./layer-store.ts";
import { encodeCommit, encodeTree, isObjectName, nameOf, unfitTree } from "./object-codec.ts";
import { ObjectStore } from "./object-store.ts";
import { type OwnParts, publishedRef, quote } from "./own-parts.ts";
import { checkGit, makeOwnRepository, type OwnFacts, readOwnFacts } from "./own-repository.ts";
import { changesOf } from "./path-past.ts";
import { fetchBranch, publishBranch, unmovedTip } from "./person-branch.ts";
import { commitFolder, fetchFolder, publishFolder, scanFolder } from "./person-folder.ts";
import {
  checkBranchName,
  checkoutsOf,
  currentBranch,
  findPersonRepository,
  type PersonRepository,
  personTip,
  unfit,
} from "./person-repository.ts";
import { putRunBranch, runBranchRef } from "./run-branch.ts";
import { changeTree, diffTrees, entriesIn, listPaths } from "./trees.ts";

export type GitMainlineOptions = {
  /** The person's folder: the top of a checkout, or a plain folder. */
  readonly root: string;
  /** Our bare repository. It is made when it is not there. */
  readonly repository: string;
  readonly layers: LayerOptions;
  /** The branch to follow. Without it, the one that is checked out when the repository is made. */
  readonly branch?: string;
  readonly program?: string;
};

const ancestorsMax = 100;

export class GitMainline implements Mainline {
  /** The branch that mainline is, under the same name here and at the person's. */
  readonly branch: string;
  readonly #own: OwnParts;
  readonly folders: { readonly repository: string; readonly layers: string };
  readonly #root: string;
  readonly #layers: LayerStore;
  readonly #indexes: IndexStore;
  /** The last ancestor that was asked for, by commit. */
  readonly #ancestors = new Map<string, string>();
  #line: Promise<unknown> = Promise.resolve();

  private constructor(git: GitRunner, facts: OwnFacts, root: string, options: GitMainlineOptions) {
    const gitDir = options.repository;
    const store = new ObjectStore(git, gitDir, facts.format);
    this.#own = { git, gitDir, facts, store, isAncestor: async (commit, of) => await this.isAncestor(commit, of) };
    this.#root = root;
    this.#layers = new LayerStore({ git, gitDir, store }, options.layers);
    this.#indexes = new IndexStore(git, gitDir);
    this.folders = { repository: gitDir, layers: options.layers.folder };
    this.branch = facts.branch;
  }

  get objectsFolder(): string {
    return path.join(this.#own.gitDir, "objects");
  }

  /** Whether the person's folder is a repository, or versioned by us alone. */
  get kind(): "git" | "folder" {
    return this.#own.facts.kind;
  }

  static async open(options: GitMainlineOptions): Promise<GitMainline> {
    const git = new GitRunner(options.program);
    await checkGit(git);
    const root = await realRoot(options.root);
    const facts = (await readOwnFacts(options.repository)) ?? (await make(git, root, options));
    if (options.branch !== undefined && options.branch !== facts.branch)
      throw unfit(`mainline of ${root} is ${facts.branch}, not ${options.branch}`);
    const mainline = new GitMainline(git, facts, root, options);
    if (facts.kind === "git") await mainline.#finishCheckouts();
    return mainline;
  }

  async head(): Promise<string> {
    const head = await this.#own.store.commitAt(this.#ref());
    if (head === null)
      throw gitFailed(["rev-parse"], `mainline's branch ${this.branch} is gone from ${this.#own.gitDir}`);
    return head;
  }

  async entriesAt(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, Entry>> {
    return await entriesIn(this.#own.store, await this.#own.store.treeOf(commit), paths);
  }

  async listTree(commit: string, under?: string): Promise<ReadonlyMap<string, string>> {
    return await listPaths(this.#own.store, await this.#own.store.treeOf(commit), under);
  }

  async changesBetween(from: string, to: string): Promise<readonly TreeChange[]> {
    const { store } = this.#own;
    return await diffTrees(store, await store.treeOf(from), await store.treeOf(to));
  }

  async readBlob(blob: string): Promise<Uint8Array> {
    return await this.#own.store.readBlob(blob);
  }

  async copyBlob(blob: string, file: string): Promise<void> {
    await this.#own.store.copyBlob(blob, file);
  }

  async lendBlob(blob: string, file: string): Promise<void> {
    await this.#own.store.copyBlob(blob, file, 0o600, { forAll: true });
  }

  async blobSizes(blobs: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return await this.#own.store.sizes(blobs);
  }

  async sizeOf(blobs: readonly string[]): Promise<number> {
    const { git, gitDir } = this.#own;
    const input = [...new Set(blobs)].filter(isObjectName).join("\n");
    if (input === "") return 0;
    const { text } = await git.run({ gitDir }, ["cat-file", "--batch-check=%(objectsize:disk)"], { input });
    return text.split("\n").reduce((sum, line) => sum + (/^\d+$/.test(line) ? Number(line) : 0), 0);
  }

  nameOfBlob(bytes: Uint8Array): string {
    return nameOf(this.#own.facts.format, "blob", bytes);
  }

  async writeBlob(bytes: Uint8Array): Promise<string> {
    return await this.#own.store.write("blob", bytes);
  }

  async writeBlobFrom(file: string): Promise<string> {
    return await this.#own.store.writeFrom(file);
  }

  async freshen(blobs: readonly string[]): Promise<ReadonlySet<string>> {
    return await this.#own.store.freshen(blobs);
  }

  async keep(name: string, entries: ReadonlyMap<string, string>): Promise<void> {
    await this.#mustHave(entries);
    const blobs = [...entries.values()].filter((entry) => kindOf(entry) !== "submodule").map(blobOf);
    // By their own names and flat: what is kept together need not fit into one tree of paths.
    const tree = encodeTree(new Map(blobs.map((id) => [id, { mode: "100644", id }])));
    await this.#git("update-ref", "-m", "signalbox: keep", keptRef(name), await this.#own.store.write("tree", tree));
    await this.#syncRefs(keptRef(name));
  }

  async keptUnder(word: string): Promise<readonly string[]> {
    const { git, gitDir } = this.#own;
    const under = `${keptRef(word)}/`;
    const { text } = await git.run({ gitDir }, ["for-each-ref", "--format=%(refname)", under]);
    return text.split("\n").flatMap((ref) => (ref === "" ? [] : ref.slice(under.length)));
  }

  async letGo(name: string): Promise<void> {
    await this.#git("update-ref", "--no-deref", "-d", keptRef(name));
  }

  async commit(order: CommitOrder): Promise<string> {
    await this.#mustHave(order.changes);
    const { store } = this.#own;
    const [parent] = order.parents;
    for (const other of order.parents.slice(1)) await store.treeOf(other);
    const tree = await changeTree(store, parent === undefined ? null : await store.treeOf(parent), order.changes);
    return await store.write("commit", encodeCommit(tree, order));
  }

  async swap(from: string, to: string): Promise<boolean> {
    assert(isObjectName(from) && isObjectName(to), "mainline moves from a commit to a commit");
    await this.#own.store.treeOf(to);
    try {
      await this.#git("update-ref", "--no-deref", "--create-reflog", "-m", "signalbox: land", this.#ref(), to, from);
    } catch (error) {
      if ((await this.head()) !== from) return false;
      throw error;
    }
    await this.#syncRefs(this.#ref());
    return true;
  }

  async isAncestor(commit: string, of: string): Promise<boolean> {
    assert(isObjectName(commit) && isObjectName(of), "ancestors are commits");
    if (commit === of || commit === this.#own.facts.start || this.#ancestors.get(of) === commit) return true;
    const args = ["merge-base", "--is-ancestor", commit, of];
    const { exit } = await this.#own.git.run({ gitDir: this.#own.gitDir }, args, { exits: [0, 1] });
    // Only a yes is for good: what a shallow repository lacks may come later.
    if (exit === 0) this.#remember(commit, of);
    return exit === 0;
  }

  async mergeBase(a: string, b: string): Promise<string | null> {
    assert(isObjectName(a) && isObjectName(b), "commits have merge bases");
    const { git, gitDir, facts } = this.#own;
    const { exit, text } = await git.run({ gitDir }, ["merge-base", a, b], { exits: [0, 1] });
    if (exit === 0) return text;
    // Everything grew out of nothing: where an empty project began twice, nothing is what both have in common.
    return (await this.#beganEmpty(a)) || (await this.#beganEmpty(b)) ? facts.start : null;
  }

  async fetchPersons(): Promise<string | null> {
    return await this.#inLine(async () => {
      const { kind } = this.#own.facts;
      if (kind === "folder") return await fetchFolder(this.#own, this.#root, await this.head());
      return (await unmovedTip(this.#own, this.#root)) ?? (await fetchBranch(this.#own, await this.#person()));
    });
  }

  async published(): Promise<string | null> {
    const { facts, store } = this.#own;
    return facts.kind === "folder" ? null : await store.commitAt(publishedRef(facts));
  }

  async publish(): Promise<PublishOutcome> {
    return await this.#inLine(async () => {
      const head = await this.head();
      if (!(await isFolder(this.#root))) return this.#gone(head);
      if (this.#own.facts.kind === "folder") return await publishFolder(this.#own, this.#root, head);
      return await publishBranch(this.#own, await this.#person(), head);
    });
  }

  async putBranch(branch: string, from: string | null, to: string): Promise<string | null> {
    assert(isObjectName(to) && (from === null || isObjectName(from)), "a branch moves from a commit to a commit");
    return await this.#inLine(async () => {
      if (this.#own.facts.kind === "folder") return "the project is a folder, which has no branches";
      await this.#own.store.treeOf(to);
      const why = await putRunBranch(this.#own, await this.#person(), { branch, from, to });
      if (why === null) await this.#syncRefs(runBranchRef(branch));
      return why;
    });
  }

  async layersFor(commit: string, user: string, how?: { readonly isWhole: boolean }): Promise<readonly string[]> {
    return await this.#layers.stackFor(await this.#own.store.treeOf(commit), user, how?.isWhole);
  }

  async indexFor(commit: string): Promise<string | null> {
    return await this.#indexes.of(await this.#own.store.treeOf(commit));
  }

  async releaseLayers(user: string): Promise<void> {
    await this.#layers.release(user);
  }

  /** In line with what git itself writes here for the person's side: that is not noted as our own writes are. */
  async collect(order: CollectOrder): Promise<Collected> {
    return await this.#inLine(async () => await collectObjects(this.#own, order, () => this.#layers.trees()));
  }

  /** Waits until no layer is being made or removed in the background. */
  async settle(): Promise<void> {
    await this.#layers.settle();
  }

  /** Which commit each line of a file comes from. */
  async linesOf(file: string, commit: string): Promise<readonly LineOrigin[]> {
    assert(isObjectName(commit), "lines are those of a commit");
    return await linesOf(this.#own.git, this.#own.gitDir, file, commit);
  }

  async changesOf(path: string, order: PastOrder): Promise<readonly PastChange[]> {
    assert(isObjectName(order.commit), "a past is seen from a commit");
    const { git, gitDir } = this.#own;
    return await changesOf({ git, gitDir, entriesAt: (commit, paths) => this.entriesAt(commit, paths) }, path, order);
  }

  async factsOf(commit: string): Promise<CommitFacts> {
    assert(isObjectName(commit), "facts are those of a commit");
    const { git, gitDir } = this.#own;
    const { out } = await git.run({ gitDir }, ["show", "--no-patch", "--no-notes", "--format=%an%x00%B", commit]);
    const [author = "", message = ""] = out.toString().split("\0");
    return { author, message: message.trimEnd() };
  }

  async factsOfAll(commits: readonly string[]): Promise<ReadonlyMap<string, CommitFacts>> {
    assert(commits.every(isObjectName), "facts are those of commits");
    if (commits.length === 0) return new Map();
    const { git, gitDir } = this.#own;
    const how = ["--ignore-missing", "--no-walk", "--no-notes", "--format=%H%x00%an%x00%B%x00", "--stdin"];
    const { out } = await git.run({ gitDir }, ["log", ...how], { input: `${commits.join("\n")}\n` });
    const parts = out.toString().split("\0");
    const facts = new Map<string, CommitFacts>();
    for (let at = 0; at + 2 < parts.length; at += 3) {
      const [commit = "", author = "", message = ""] = parts.slice(at, at + 3);
      facts.set(commit.trim(), { author, message: message.trimEnd() });
    }
    return facts;
  }

  async close(): Promise<void> {
    await this.#line.catch(() => undefined);
    await this.#layers.close();
    await this.#own.store.close();
  }

  #remember(commit: string, of: string): void {
    if (this.#ancestors.size >= ancestorsMax) this.#ancestors.clear();
    this.#ancestors.set(of, commit);
  }

  async #beganEmpty(commit: string): Promise<boolean> {
    const { git, gitDir, facts } = this.#own;
    if (commit === facts.start) return true;
    return (
      (await git.run({ gitDir }, ["merge-base", "--is-ancestor", facts.start, commit], { exits: [0, 1] })).exit === 0
    );
  }

  async #finishCheckouts(): Promise<void> {
    const person = await this.#person();
    for (const { root, gitDir } of await checkoutsOf(this.#own.git, person, this.branch)) {
      if (root !== null) await finishCheckout(this.#own, { root, gitDir });
    }
  }

  /** The person's folder is not there any more. What it had of mainline can be had again. */
  #gone(head: string): PublishOutcome {
    const { gitDir, facts } = this.#own;
    const [from, to, branch] = [quote(gitDir), quote(this.#root), quote(facts.branch)];
    const clone = `git clone --branch ${branch} ${from} ${to}`;
    const unpack = `mkdir -p ${to} && git --git-dir ${from} archive ${branch} | tar -x -C ${to}`;
    const why = `the folder ${this.#root} is not there any more`;
    return { published: false, commit: head, why, how: facts.kind === "git" ? clone : unpack };
  }

  async #person(): Promise<PersonRepository> {
    const person = await findPersonRepository(this.#own.git, this.#root);
    if (person === null) throw unfit(`${this.#root} was a repository, and is none any more`);
    if (person.format !== this.#own.facts.format) throw unfit(`${this.#root} has changed its object format`);
    return person;
  }

  async #mustHave(entries: ReadonlyMap<string, Entry>): Promise<void> {
    const check = async ([file, entry]: [string, Entry]): Promise<void> => {
      if (entry === null || kindOf(entry) === "submodule" || (await this.#own.store.has(blobOf(entry)))) return;
      throw unfitTree(`${JSON.stringify(file)} would have the content ${blobOf(entry)}, which nobody has written`);
    };
    await Promise.all([...entries].map(check));
  }

  async #git(...args: string[]): Promise<void> {
    await this.#own.git.run({ gitDir: this.#own.gitDir }, args);
  }

  /** Git syncs the file of a ref, and not the folder that has its name. */
  async #syncRefs(ref: string): Promise<void> {
    for (let at = path.dirname(ref); at !== "."; at = path.dirname(at)) await sync(path.join(this.#own.gitDir, at));
  }

  #ref(): string {
    return `refs/heads/${this.branch}`;
  }

  /** One at a time with the person's side: two publishings would be in each other's way. */
  async #inLine<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#line.then(act);
    this.#line = turn.catch(() => undefined);
    return await turn;
  }
}

async function make(git: GitRunner, root: string, options: GitMainlineOptions): Promise<OwnFacts> {
  if (options.branch !== undefined) await checkBranchName(git, options.branch);
  const person = await findPersonRepository(git, root);
  if (person === null) {
    const wanted = { kind: "folder", branch: options.branch ?? "main", format: "sha1" } as const;
    return await makeOwnRepository(git, options.repository, wanted, async (gitDir, store) => {
      const tree = await scanFolder({ git, gitDir, store }, root, { isFirst: true });
      const first = await commitFolder({ git, gitDir, store }, tree, []);
      await git.run({ gitDir }, [
        "update-ref",
        "--create-reflog",
        "-m",
        "signalbox: seen",
        `refs/signalbox/person/${wanted.branch}`,
        first,
      ]);
      return first;
    });
  }
  const branch = options.branch ?? (await currentBranch(git, person));
  if (options.branch !== undefined && (await personTip(git, person, branch)) === null)
    throw unfit(`${root} has no branch ${branch}. Make it first: git branch ${quote(branch)}`);
  const wanted = { kind: "git", branch, format: person.format } as const;
  return await makeOwnRepository(git, options.repository, wanted, async (gitDir, store) => {
    const facts: OwnFacts = { v: 1, ...wanted, start: "" };
    return await fetchBranch({ git, gitDir, store, facts, isAncestor: () => Promise.resolve(false) }, person);
  });
}

async function isFolder(root: string): Promise<boolean> {
  const there = await stat(root).catch(() => null);
  return there?.isDirectory() === true;
}

async function realRoot(root: string): Promise<string> {
  if (await isFolder(root)) return await realpath(root);
  throw new Fault("not-a-folder", { retry: "never", message: `${root} is not a folder that is there` });
}

function keptRef(name: string): string {
  const isFit = /^[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)*$/i.test(name) && !/\.\.|\.lock(?:\/|$)|\.(?:\/|$)/.test(name);
  assert(isFit, `${JSON.stringify(name)} cannot be the name of what is kept`);
  return `refs/signalbox/kept/${name}`;
}
