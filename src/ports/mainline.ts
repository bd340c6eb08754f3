import type { Entry } from "../core/landing/entry.ts";

/**
 * A project's history in a repository that only the daemon owns. Mainline is one ref of it; it moves by compare-and-swap
 * and by nothing else. Nothing that an agent or the project's own repository could configure is ever executed.
 *
 * Commits and blobs are named by 40 or 64 hex digits; a name that nobody made is a Fault `blob-missing`. A path that has a
 * name which is not UTF-8, or that cannot stand in a tree (`.git`, `..`, a file that is also a folder), is `unfit-tree`.
 * Whatever git itself refuses is `git-failed`; a project that we cannot work with is `not-a-repository`.
 */
export interface Mainline {
  /** The folder of its objects, for whoever borrows them read-only; null where there is none. */
  readonly objectsFolder: string | null;
  /** What it has on the disk; null where there is nothing. */
  readonly folders: { readonly repository: string; readonly layers: string } | null;
  /** The commit that mainline stands at. A project without commits begins at one without files, the ancestor of all. */
  head(): Promise<string>;
  /** What a commit's tree has at these paths: null also for folders and for what cannot be a path. */
  entriesAt(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, Entry>>;
  /** Every path of a commit's tree, sorted, optionally only beneath a folder. Submodules are entries, folders are not. */
  listTree(commit: string, under?: string): Promise<ReadonlyMap<string, string>>;
  /** The paths that differ between two commits, sorted. */
  changesBetween(from: string, to: string): Promise<readonly TreeChange[]>;
  /** All bytes of a blob, in memory: whoever asks knows that they are not too many. */
  readBlob(blob: string): Promise<Uint8Array>;
  /** Writes the bytes of a blob into a file that is new, however many they are. */
  copyBlob(blob: string, file: string): Promise<void>;
  /** The same for others to read, in a folder of theirs: what they put in its place meanwhile is not touched. */
  lendBlob(blob: string, file: string): Promise<void>;
  /** How many bytes blobs have; such that are not there are left out. */
  blobSizes(blobs: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** What blobs take on the disk, in bytes; such that are not there take nothing. */
  sizeOf(blobs: readonly string[]): Promise<number>;
  /** The blob name that bytes have, whether they are kept or not. */
  nameOfBlob(bytes: Uint8Array): string;
  /** Keeps bytes durably and answers their blob name. */
  writeBlob(bytes: Uint8Array): Promise<string>;
  /** The same with what a file has, however much that is. It must not change meanwhile. */
  writeBlobFrom(file: string): Promise<string>;
  /** Which of these blobs are kept durably, and count as written now. One that is left out may be kept all the same. */
  freshen(blobs: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Sees to it that these blobs are never collected: they belong to a snapshot, a checkpoint or the trash. The name is made
   * of words with slashes between; keeping under the same name again replaces.
   */
  keep(name: string, entries: ReadonlyMap<string, string>): Promise<void>;
  letGo(name: string): Promise<void>;
  /** What is kept under names that begin with a word and a slash: the rest of them, sorted. */
  keptUnder(word: string): Promise<readonly string[]>;
  /**
   * Makes a commit: the first parent's tree with these paths replaced (null removes). Moves no ref. The same order makes the
   * same commit, so making it again after a crash is harmless (LD37).
   */
  commit(order: CommitOrder): Promise<string>;
  /** Moves mainline from one commit to another; false when it does not stand at `from` any more. */
  swap(from: string, to: string): Promise<boolean>;
  /** Which commit each line of a file comes from, as far back as its history goes. */
  linesOf(path: string, commit: string): Promise<readonly LineOrigin[]>;
  /** Which commits changed what stands at a path, the newest first. What it was called before is another path. */
  changesOf(path: string, order: PastOrder): Promise<readonly PastChange[]>;
  factsOf(commit: string): Promise<CommitFacts>;
  /** The same of many at once, the newest first. One that is not there any more is left out. */
  factsOfAll(commits: readonly string[]): Promise<ReadonlyMap<string, CommitFacts>>;
  isAncestor(commit: string, of: string): Promise<boolean>;
  mergeBase(a: string, b: string): Promise<string | null>;
  /**
   * Brings the person's branch into our repository and answers its commit; null where there is no such branch. Of a plain
   * folder, what was edited by hand since we last looked becomes a commit.
   */
  fetchPersons(): Promise<string | null>;
  /** What the person's branch had of mainline when the two were last the same; null where that is not known. */
  published(): Promise<string | null>;
  /** Brings mainline to the person's branch where that disturbs nobody (LD43). */
  publish(): Promise<PublishOutcome>;
  /**
   * Puts a commit on a branch of its own in the person's repository, which must be new (null) or stand at `from`, and be
   * checked out nowhere. Doing it again changes nothing. Answers what is in the way, or null.
   */
  putBranch(branch: string, from: string | null, to: string): Promise<string | null>;
  /**
   * Folders to stack as a read-only view of a commit's tree, topmost first. They never change, and they stay until `user`
   * lets go of all that it asked for, also across restarts. One whole folder for whoever cannot stack them.
   */
  layersFor(commit: string, user: string, how?: { readonly isWhole: boolean }): Promise<readonly string[]>;
  releaseLayers(user: string): Promise<void>;
  /** A file with git's index of a commit's tree, to be copied at once; null where there are no files. */
  indexFor(commit: string): Promise<string | null>;
  /**
   * Lets go of objects that nothing needs: that no ref reaches and nobody keeps, and that were not written lately. What is
   * written while it looks is kept, so nobody has to wait for it.
   */
  collect(order: CollectOrder): Promise<Collected>;
  close(): Promise<void>;
}

export type CollectOrder = {
  /** What is needed besides what refs reach: commits with all they have, and blobs. Asked for once, after it has begun. */
  readonly kept: () => Promise<{ readonly commits: Iterable<string>; readonly blobs: Iterable<string> }>;
  /** What was written within this time stays: whoever wrote it may not have said so yet. */
  readonly youngMs: number;
  /** Only says what would go. */
  readonly dryRun: boolean;
};

export type Collected = { readonly objects: number; readonly bytes: number };

/** Where a line of a file comes from. */
export type LineOrigin = {
  readonly line: number;
  readonly commit: string;
  /** The path and the line that it had there. */
  readonly path: string;
  readonly lineThere: number;
};

/** Which part of a path's past: seen from a commit, so many, after leaving out so many of the newest. */
export type PastOrder = { readonly commit: string; readonly count: number; readonly skip: number };

/** One change of a path: what stood there before and after its commit. */
export type PastChange = CommitFacts & {
  readonly commit: string;
  /** When it was committed, by the clock of whoever did. */
  readonly wallMs: number;
  readonly before: Entry;
  readonly after: Entry;
};

export type CommitFacts = { readonly author: string; readonly message: string };

export type TreeChange = { readonly path: string; readonly before: Entry; readonly after: Entry };

export type CommitOrder = {
  readonly parents: readonly string[];
  readonly changes: ReadonlyMap<string, Entry>;
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string; readonly atMs: number };
};

export type PublishOutcome =
  | { readonly published: true; readonly commit: string }
  /** Why not, as a sentence, and how to get it. */
  | { readonly published: false; readonly commit: string; readonly why: string; readonly how: string };
