// Mainline in memory, as plainly as possible: a commit is a map of paths. For tests; it has no layers. What a person does
// on their side is done through `person`.

import { readFile, writeFile } from "node:fs/promises";
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
import { encodeCommit, isFitPath, nameOf, unfitTree } from "./object-codec.ts";
import { compare } from "./trees.ts";

type Commit = CommitFacts & {
  readonly wallMs: number;
  readonly parents: readonly string[];
  readonly entries: ReadonlyMap<string, string>;
};

export class MemoryMainline implements Mainline {
  readonly objectsFolder = null;
  readonly folders = null;
  /** The person's branch: where it stands, and why it cannot be moved at present, if so. */
  readonly person: { tip: string | null; inTheWay: string | null; readonly branches: Map<string, string> } = {
    ...{ tip: null, inTheWay: null },
    branches: new Map(),
  };
  readonly #blobs = new Map<string, Uint8Array>();
  readonly #commits = new Map<string, Commit>();
  readonly #kept = new Map<string, ReadonlyMap<string, string>>();
  /** Since somebody last began to collect. */
  readonly #written = new Set<string>();
  readonly #start: string;
  #head: string;
  #published: string | null = null;

  constructor() {
    const author = { name: "Signalbox", email: "signalbox@localhost", atMs: 0 };
    this.#start = this.#make({ parents: [], changes: new Map(), message: "An empty project", author });
    this.#head = this.#start;
  }

  /** What is kept under a name. */
  kept(name: string): ReadonlyMap<string, string> | null {
    return this.#kept.get(name) ?? null;
  }

  head(): Promise<string> {
    return Promise.resolve(this.#head);
  }

  async entriesAt(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, Entry>> {
    const { entries } = await this.#mustHave(commit);
    return new Map(paths.map((path) => [path, entries.get(path) ?? null]));
  }

  async listTree(commit: string, under = ""): Promise<ReadonlyMap<string, string>> {
    const { entries } = await this.#mustHave(commit);
    const inside = [...entries].filter(([path]) => under === "" || path.startsWith(`${under}/`));
    return new Map(inside.toSorted(([a], [b]) => compare(a, b)));
  }

  async changesBetween(from: string, to: string): Promise<readonly TreeChange[]> {
    const [before, after] = [(await this.#mustHave(from)).entries, (await this.#mustHave(to)).entries];
    return [...new Set([...before.keys(), ...after.keys()])]
      .toSorted(compare)
      .map((path) => ({ path, before: before.get(path) ?? null, after: after.get(path) ?? null }))
      .filter((change) => change.before !== change.after);
  }

  readBlob(blob: string): Promise<Uint8Array> {
    const bytes = this.#blobs.get(blob);
    return bytes === undefined ? Promise.reject(missing(blob)) : Promise.resolve(Uint8Array.from(bytes));
  }

  async copyBlob(blob: string, file: string): Promise<void> {
    await writeFile(file, await this.readBlob(blob), { flag: "wx", mode: 0o600 });
  }

  async lendBlob(blob: string, file: string): Promise<void> {
    await writeFile(file, await this.readBlob(blob), { flag: "wx", mode: 0o644 });
  }

  blobSizes(blobs: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const sizes = blobs.map((blob) => [blob, this.#blobs.get(blob)?.byteLength] as const);
    return Promise.resolve(new Map(sizes.flatMap(([blob, size]) => (size === undefined ? [] : [[blob, size]]))));
  }

  sizeOf(blobs: readonly string[]): Promise<number> {
    return Promise.resolve(
      [...new Set(blobs)].reduce((sum, blob) => sum + (this.#blobs.get(blob)?.byteLength ?? 0), 0),
    );
  }

  nameOfBlob(bytes: Uint8Array): string {
    return nameOf("sha1", "blob", bytes);
  }

  writeBlob(bytes: Uint8Array): Promise<string> {
    const blob = this.nameOfBlob(bytes);
    this.#blobs.set(blob, Uint8Array.from(bytes));
    this.#written.add(blob);
    return Promise.resolve(blob);
  }

  async writeBlobFrom(file: string): Promise<string> {
    return this.writeBlob(await readFile(file));
  }

  freshen(blobs: readonly string[]): Promise<ReadonlySet<string>> {
    const kept = blobs.filter((blob) => this.#blobs.has(blob));
    for (const blob of kept) this.#written.add(blob);
    return Promise.resolve(new Set(kept));
  }

  async keep(name: string, entries: ReadonlyMap<string, string>): Promise<void> {
    await Promise.resolve();
    this.#mustHaveBlobs(entries);
    this.#kept.set(name, new Map(entries));
  }

  keptUnder(word: string): Promise<readonly string[]> {
    const names = [...this.#kept.keys()].filter((name) => name.startsWith(`${word}/`));
    return Promise.resolve(names.map((name) => name.slice(word.length + 1)).toSorted(compare));
  }

  letGo(name: string): Promise<void> {
    this.#kept.delete(name);
    return Promise.resolve();
  }

  async commit(order: CommitOrder): Promise<string> {
    for (const parent of order.parents) await this.#mustHave(parent);
    return this.#make(order);
  }

  async swap(from: string, to: string): Promise<boolean> {
    await this.#mustHave(to);
    if (this.#head !== from) return false;
    this.#head = to;
    return true;
  }

  /** Without a diff: every line comes from the commit that last touched the file. */
  async linesOf(path: string, commit: string): Promise<readonly LineOrigin[]> {
    const entry = (await this.#mustHave(commit)).entries.get(path);
    if (entry === undefined) return [];
    let origin = commit;
    for (let parent = this.#parentOf(origin); parent !== undefined; parent = this.#parentOf(origin)) {
      if ((await this.#mustHave(parent)).entries.get(path) !== entry) break;
      origin = parent;
    }
    const text = Buffer.from(await this.readBlob(blobOf(entry))).toString();
    const count = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    return Array.from({ length: count }, (_, at) => ({ line: at + 1, commit: origin, path, lineThere: at + 1 }));
  }

  /** By first parents alone: a merge counts as what changed it. */
  async changesOf(path: string, { commit: from, count, skip }: PastOrder): Promise<readonly PastChange[]> {
    const changes: PastChange[] = [];
    for (let commit: string | undefined = from; commit !== undefined; commit = this.#parentOf(commit)) {
      const { author, message, wallMs, entries } = await this.#mustHave(commit);
      const before = this.#commits.get(this.#parentOf(commit) ?? "")?.entries.get(path) ?? null;
      const after = entries.get(path) ?? null;
      if (before !== after) changes.push({ commit, wallMs, author, message, before, after });
    }
    return changes.slice(skip, skip + count);
  }

  async factsOf(commit: string): Promise<CommitFacts> {
    const { author, message } = await this.#mustHave(commit);
    return { author, message };
  }

  factsOfAll(commits: readonly string[]): Promise<ReadonlyMap<string, CommitFacts>> {
    const known = [...this.#commits].toReversed().filter(([commit]) => commits.includes(commit));
    return Promise.resolve(new Map(known.map(([commit, { author, message }]) => [commit, { author, message }])));
  }

  async isAncestor(commit: string, of: string): Promise<boolean> {
    await this.#mustHave(commit);
    return commit === this.#start || this.#ancestorsOf(of).includes(commit);
  }

  mergeBase(a: string, b: string): Promise<string | null> {
    const ofA = new Set(this.#ancestorsOf(a));
    const common = this.#ancestorsOf(b).filter((commit) => ofA.has(commit));
    const best = common.find((commit) => common.every((other) => this.#ancestorsOf(commit).includes(other)));
    const beganEmpty = [...ofA, ...this.#ancestorsOf(b)].includes(this.#start);
    return Promise.resolve(best ?? common[0] ?? (beganEmpty ? this.#start : null));
  }

  fetchPersons(): Promise<string | null> {
    return Promise.resolve(this.person.tip);
  }

  published(): Promise<string | null> {
    return Promise.resolve(this.#published);
  }

  async publish(): Promise<PublishOutcome> {
    const outcome = await this.#bring();
    if (outcome.published) this.#published = outcome.commit;
    return outcome;
  }

  async #bring(): Promise<PublishOutcome> {
    const [commit, { tip, inTheWay }] = [this.#head, this.person];
    const not = (why: string): PublishOutcome => ({ published: false, commit, why, how: "git pull" });
    if (tip === commit) return { published: true, commit };
    if (tip !== null && !(await this.isAncestor(tip, commit))) return not("the branch has commits of its own");
    if (inTheWay !== null) return not(inTheWay);
    this.person.tip = commit;
    return { published: true, commit };
  }

  putBranch(branch: string, from: string | null, to: string): Promise<string | null> {
    const tip = this.person.branches.get(branch) ?? null;
    if (tip !== null && tip !== to && tip !== from) return Promise.resolve(`there is a branch ${branch} already`);
    this.person.branches.set(branch, to);
    return Promise.resolve(null);
  }

  layersFor(): Promise<readonly string[]> {
    return Promise.reject(new Fault("workspace-unavailable", { retry: "never", message: "memory has no folders" }));
  }

  indexFor(): Promise<null> {
    return Promise.resolve(null);
  }

  releaseLayers(): Promise<void> {
    return Promise.resolve();
  }

  /** Everything is old here; what is written meanwhile is not. */
  async collect({ kept, dryRun }: CollectOrder): Promise<Collected> {
    const before = new Set(this.#blobs.keys());
    this.#written.clear();
    const { commits, blobs } = await kept();
    const needed = new Set([...blobs, ...this.#written, ...[...this.#kept.values()].flatMap(blobsIn)]);
    for (const tip of [this.#head, this.person.tip, ...commits])
      for (const id of tip === null ? [] : this.#ancestorsOf(tip))
        for (const blob of blobsIn(this.#commits.get(id)?.entries ?? new Map())) needed.add(blob);
    const gone = [...before].filter((blob) => !needed.has(blob));
    const bytes = gone.reduce((sum, blob) => sum + (this.#blobs.get(blob)?.byteLength ?? 0), 0);
    for (const blob of dryRun ? [] : gone) this.#blobs.delete(blob);
    return { objects: gone.length, bytes };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #parentOf(commit: string): string | undefined {
    return this.#commits.get(commit)?.parents[0];
  }

  #make(order: CommitOrder): string {
    this.#mustHaveBlobs(order.changes);
    const entries = new Map(this.#commits.get(order.parents[0] ?? "")?.entries);
    for (const [path, entry] of order.changes) {
      if (!isFitPath(path)) throw unfitTree(`${JSON.stringify(path)} cannot be a path`);
      if (entry === null) entries.delete(path);
      else entries.set(path, entry);
    }
    for (const path of entries.keys()) {
      const above = path.split("/").map((_, at, steps) => steps.slice(0, at).join("/"));
      const both = above.find((folder) => entries.has(folder));
      if (both !== undefined) throw unfitTree(`${JSON.stringify(both)} would be both a file and a folder`);
    }
    const content = JSON.stringify([...entries].toSorted(([a], [b]) => compare(a, b)));
    const id = nameOf("sha1", "commit", encodeCommit(nameOf("sha1", "tree", Buffer.from(content)), order));
    const { author, message, parents } = order;
    const facts = { author: author.name, message: message.trimEnd(), wallMs: Math.floor(author.atMs / 1000) * 1000 };
    this.#commits.set(id, { ...facts, parents: [...parents], entries });
    return id;
  }

  #mustHaveBlobs(entries: ReadonlyMap<string, Entry>): void {
    for (const [path, entry] of entries) {
      if (entry === null || kindOf(entry) === "submodule" || this.#blobs.has(blobOf(entry))) continue;
      throw unfitTree(`${JSON.stringify(path)} would have the content ${blobOf(entry)}, which nobody has written`);
    }
  }

  #mustHave(commit: string): Promise<Commit> {
    const found = this.#commits.get(commit);
    return found === undefined ? Promise.reject(missing(commit)) : Promise.resolve(found);
  }

  /** A commit and all before it, each after those that came later. */
  #ancestorsOf(commit: string): string[] {
    const found = new Set<string>();
    let next = [commit];
    while (next.length > 0) {
      for (const id of next) {
        found.delete(id);
        found.add(id);
      }
      next = next.flatMap((id) => this.#commits.get(id)?.parents ?? []);
    }
    return [...found];
  }
}

function blobsIn(entries: ReadonlyMap<string, string>): string[] {
  return [...entries.values()].map(blobOf);
}

function missing(name: string): Fault {
  return new Fault("blob-missing", { retry: "never", message: `there is nothing called ${JSON.stringify(name)}` });
}
