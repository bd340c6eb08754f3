// Folders with a project's dependencies, kept from runs that have landed, so that the next workspace with the same lock file
// can build at once. They lie beneath everything else, belong to no commit, and never change. What was kept by one run is
// executed by the next, so only some runs may keep, and only some get any: docs/decisions/0012-warm-dependencies.md.

import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename } from "node:fs/promises";
import { arch, platform } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { blobOf, type Entry } from "../../core/landing/entry.ts";
import type { Project } from "../../core/project/project.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { swapDurably } from "../../os/durable-file.ts";
import { removeTree } from "../../os/remove-tree.ts";
import type { GroundDisk } from "../disk/ground-disk.ts";
import type { Bases } from "./base-journal.ts";
import { folderBeside, type LockFolder, lockFoldersAt } from "./lock-folders.ts";

/** What a warm folder was made by: the lock file with its content, where the folder stands, and on which system. */
type Kept = LockFolder & { readonly image?: string };

const factsName = "kept.json";
const keptMax = 4;
const temporary = "tmp-";
/** Its run has not ended before it is copied: it takes no longer than this, nor the room that whoever begins next needs. */
const [copyMsMax, copyBytesMax, spareTimes] = [60_000, 4 * 1024 ** 3, 2];

type WarmDisk = Pick<GroundDisk, "space" | "measure" | "freeBytesMin">;

export class WarmStore {
  readonly #folder: string;
  readonly #disk: WarmDisk;
  readonly #inUse: () => Promise<ReadonlySet<string>>;
  /** Folders that are just being made or removed. Any other one of such a name was left by a daemon that died over it. */
  readonly #under = new Set<string>();

  /** `inUse` names the folders that some workspace stands on. */
  constructor(folder: string, inUse: () => Promise<ReadonlySet<string>>, disk: WarmDisk) {
    this.#disk = disk;
    this.#folder = folder;
    this.#inUse = inUse;
  }

  /** The folders to put beneath a workspace: those of its system whose lock file is there with the same content. */
  async layersFor(project: Project, { mainline, commit, image }: Beginning): Promise<string[]> {
    const found = await this.#list(this.folderOf(project));
    const entries = await mainline.entriesAt(
      commit,
      found.map(({ kept }) => kept.lock),
    );
    const isMeant = (kept: Kept): boolean =>
      folderBeside(project, kept.lock) === kept.folder && (kept.image ?? null) === image;
    const fitting = found.filter(({ kept }) => entries.get(kept.lock) === kept.entry && isMeant(kept));
    return fitting.map(({ path }) => join(path, "files"));
  }

  /** Takes the dependency folders out of a workspace that is clean and about to go. */
  async keep(project: Project, { files, mainline, bases: { commit, own }, image, how }: Leaving): Promise<void> {
    // Clean, so it is what its base is.
    const entryOf = (lock: string, entry: Entry): Entry => (Object.hasOwn(own, lock) ? (own[lock] ?? null) : entry);
    for (const each of await lockFoldersAt(project, { mainline, commit }, entryOf))
      await this.#take(project, { files, how }, { ...each, ...(image === null ? {} : { image }) });
    await this.#thin(this.folderOf(project), keptMax);
  }

  /** Lets go of all that nobody stands on, and answers how many those are. */
  async prune(): Promise<number> {
    const names = await readdir(this.#folder).catch((): string[] => []);
    let count = 0;
    for (const name of names) count += await this.#thin(join(this.#folder, name), 0);
    return count;
  }

  async #take(project: Project, { files, how }: Pick<Leaving, "files" | "how">, kept: Kept): Promise<void> {
    const source = join(files, kept.folder);
    const path = join(this.folderOf(project), nameOf(kept));
    if (!(await isPlainWay(files, kept.folder)) || (await lstat(path).catch(() => undefined)) !== undefined) return;
    await this.#withTemporary(this.folderOf(project), async (aside) => {
      const to = join(aside, "files", kept.folder);
      await mkdir(dirname(to), { recursive: true, mode: 0o755 });
      if (how.is === "copied") {
        // It is only quicker with it.
        if (!(await this.#hasRoomFor(source)) || !(await copyTree(source, to))) return removeTree(aside);
      } else {
        await how.take(join(path, "files"));
        await rename(source, to);
      }
      await swapDurably(join(aside, factsName), JSON.stringify(kept));
      return rename(aside, path);
    });
  }

  async #hasRoomFor(source: string): Promise<boolean> {
    const { freeBytes } = await this.#disk.space();
    const bytes = (await this.#disk.measure([source])).get(source) ?? Infinity;
    return bytes <= copyBytesMax && freeBytes - bytes >= spareTimes * this.#disk.freeBytesMin;
  }

  async #thin(folder: string, max: number): Promise<number> {
    let count = 0;
    const used = await this.#inUse();
    const byAge = (await this.#list(folder)).toSorted((a, b) => b.madeMs - a.madeMs);
    for (const { path } of byAge.slice(max)) {
      if (used.has(join(path, "files"))) continue;
      await this.#withTemporary(folder, async (gone) => {
        await rename(path, gone);
        await removeTree(gone);
      });
      count++;
    }
    await this.#tidy(folder);
    return count;
  }

  async #withTemporary(folder: string, act: (path: string) => Promise<void>): Promise<void> {
    const path = join(folder, `${temporary}${randomUUID()}`);
    this.#under.add(path);
    try {
      await act(path);
    } finally {
      this.#under.delete(path);
    }
  }

  /** A large folder takes a while to be copied or removed, and whoever dies over it leaves as much behind. */
  async #tidy(folder: string): Promise<void> {
    for (const name of await readdir(folder).catch((): string[] => [])) {
      const path = join(folder, name);
      if (name.startsWith(temporary) && !this.#under.has(path)) await removeTree(path);
    }
  }

  /** Where a project's are. */
  folderOf(project: Pick<Project, "id">): string {
    return join(this.#folder, project.id);
  }

  async #list(folder: string): Promise<{ readonly path: string; readonly kept: Kept; readonly madeMs: number }[]> {
    const names = await readdir(folder).catch((): string[] => []);
    const found = [];
    for (const name of names.filter((each) => !each.startsWith(temporary)).toSorted()) {
      const path = join(folder, name);
      const kept = JSON.parse(await readFile(join(path, factsName), "utf8")) as Kept;
      found.push({ path, kept, madeMs: (await lstat(join(path, factsName))).mtimeMs });
    }
    return found;
  }
}

/** A workspace that is made, with the id of its image; null is the machine's own system. */
type Beginning = { readonly mainline: Mainline; readonly commit: string; readonly image: string | null };

/** A workspace of a run that has landed. */
type Leaving = Pick<Beginning, "mainline" | "image"> & {
  readonly files: string;
  readonly bases: Bases;
  /** Moved, after it was said where to; or copied, and it stays with its workspace. */
  readonly how: { readonly is: "moved"; readonly take: (path: string) => Promise<void> } | { readonly is: "copied" };
};

/** Links are copied as links. Says whether all of it was, in the time that its run may take to end. */
async function copyTree(from: string, to: string): Promise<boolean> {
  const argv = ["-a", "--reflink=auto", "--", from, to];
  return promisify(execFile)("cp", argv, { env: { PATH: "/usr/bin:/bin" }, timeout: copyMsMax }).then(
    () => true,
    () => false,
  );
}

/** Whether folders and nothing else lead to a place: the agent may have left links. Nothing of it lives any more. */
async function isPlainWay(root: string, way: string): Promise<boolean> {
  let at = root;
  for (const name of way.split("/")) {
    at = join(at, name);
    if ((await lstat(at).catch(() => undefined))?.isDirectory() !== true) return false;
  }
  return true;
}

/** The same lock file on another kind of machine, or in another image, means other files. */
function nameOf({ lock, entry, folder, image }: Kept): string {
  const facts = JSON.stringify([
    lock,
    blobOf(entry),
    folder,
    platform(),
    arch(),
    ...(image === undefined ? [] : [image]),
  ]);
  return createHash("sha256").update(facts).digest("hex").slice(0, 24);
}
