// The objects of our repository: read through one lasting git, written as loose objects by ourselves. A write is synced
// before its name is answered; git itself would leave the folder's entry to chance.

import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, rename, rm, utimes } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import { Fault } from "../../base/fault.ts";
import { CatFile, type Sink } from "./cat-file.ts";
import { isErrno, sync, writeSynced } from "../durable.ts";
import type { GitRunner } from "./git-runner.ts";
import {
  encodeObject,
  isObjectName,
  nameOf,
  type ObjectFormat,
  type ObjectType,
  parseTree,
  type Tree,
  treeOfCommit,
} from "./object-codec.ts";

const deflateAsync = promisify(deflate);
const blobBytesMax = 512 * 1024 * 1024;
const treeBytesMax = 64 * 1024 * 1024;
const cachedItemsMax = 400_000;

export class ObjectStore {
  readonly format: ObjectFormat;
  readonly #gitDir: string;
  readonly #reader: CatFile;
  /** Trees never change, so they are read once; the longest unused go first. */
  readonly #trees = new Map<string, Tree>();
  #cachedItems = 0;
  /** What is written while somebody collects. */
  #noted: Set<string> | null = null;

  constructor(git: GitRunner, gitDir: string, format: ObjectFormat) {
    this.format = format;
    this.#gitDir = gitDir;
    this.#reader = new CatFile(git, { gitDir });
  }

  async close(): Promise<void> {
    await this.#reader.close();
  }

  /** The commit that a ref of ours stands at. */
  async commitAt(ref: string): Promise<string | null> {
    return (await this.#reader.read(`${ref}^{commit}`, treeBytesMax))?.id ?? null;
  }

  async has(id: string): Promise<boolean> {
    return isObjectName(id) && (await this.#reader.stream(id, () => undefined)) !== null;
  }

  async readBlob(id: string): Promise<Buffer> {
    return (await this.#must(id, "blob", blobBytesMax)).body;
  }

  /** Hands a blob's bytes on as they come; a sink that fails makes this fail. */
  async streamBlob(id: string, sink: Sink): Promise<void> {
    let failure: unknown = null;
    const found = await this.#reader.stream(id, (chunk) => {
      if (failure !== null) return;
      try {
        sink(chunk);
      } catch (error) {
        failure = error;
      }
    });
    if (failure !== null) throw failure as Error;
    if (found?.type !== "blob") throw missing("blob", id);
  }

  async treeOf(commit: string): Promise<string> {
    return treeOfCommit(commit, (await this.#must(commit, "commit", treeBytesMax)).body);
  }

  async readTree(id: string): Promise<Tree> {
    const cached = this.#trees.get(id);
    if (cached !== undefined) {
      this.#trees.delete(id);
      this.#trees.set(id, cached);
      return cached;
    }
    const tree = parseTree(this.format, id, (await this.#must(id, "tree", treeBytesMax)).body);
    this.#remember(id, tree);
    return tree;
  }

  /** Keeps an object for good and answers its name. */
  async write(type: ObjectType, body: Uint8Array): Promise<string> {
    const id = nameOf(this.format, type, body);
    // Before anybody looks whether it is there: from here on it is not collected.
    this.#noted?.add(id);
    const file = this.#fileOf(id);
    const folder = path.dirname(file);
    try {
      if (!(await isFreshened(file)))
        await this.#place(file, await deflateAsync(encodeObject(type, body), { level: 1 }));
      // Also where the file was there: whoever placed it may not have come to this yet.
      await sync(folder);
    } catch (cause) {
      const message = `an object could not be kept: ${cause instanceof Error ? cause.message : String(cause)}`;
      throw new Fault("store-unavailable", { retry: "later", message, cause });
    }
    return id;
  }

  /**
   * Does something about objects that are needed no more. Its `remove` leaves alone what was written since it began; it asks
   * and acts in one breath, so that no write can come in between.
   */
  async whileNoting<T>(
    act: (isNoted: (id: string) => boolean, remove: (id: string) => boolean) => Promise<T>,
  ): Promise<T> {
    const noted = (this.#noted ??= new Set());
    const remove = (id: string): boolean => {
      if (noted.has(id)) return false;
      rmSync(this.#fileOf(id), { force: true });
      this.#trees.delete(id);
      return true;
    };
    try {
      return await act((id) => noted.has(id), remove);
    } finally {
      this.#noted = null;
    }
  }

  #fileOf(id: string): string {
    return path.join(this.#gitDir, "objects", id.slice(0, 2), id.slice(2));
  }

  async #place(file: string, bytes: Uint8Array): Promise<void> {
    const folder = path.dirname(file);
    if ((await mkdir(folder, { recursive: true, mode: 0o755 })) !== undefined) await sync(path.dirname(folder));
    const aside = path.join(folder, `tmp_obj_${randomUUID()}`);
    try {
      await writeSynced(aside, bytes, 0o444);
      await rename(aside, file);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  async #must(id: string, type: ObjectType, bytesMax: number): Promise<{ body: Buffer }> {
    const found = isObjectName(id) ? await this.#reader.read(id, bytesMax) : null;
    if (found?.type !== type) throw missing(type, id);
    return found;
  }

  #remember(id: string, tree: Tree): void {
    this.#trees.set(id, tree);
    this.#cachedItems += tree.size + 1;
    for (const [oldest, { size }] of this.#trees) {
      if (this.#cachedItems <= cachedItemsMax) return;
      this.#trees.delete(oldest);
      this.#cachedItems -= size + 1;
    }
  }
}

function missing(type: ObjectType, id: string): Fault {
  return new Fault("blob-missing", {
    retry: "never",
    message: `there is no ${type} ${JSON.stringify(id)} in mainline's repository`,
  });
}

/** Whether it is there; then it counts as written now. */
async function isFreshened(file: string): Promise<boolean> {
  try {
    const now = new Date();
    await utimes(file, now, now);
    return true;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return false;
    throw error;
  }
}
