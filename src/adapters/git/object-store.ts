// The objects of our repository: read through one lasting git, written as loose objects by ourselves. A write is synced
// before its name is answered; git itself would leave the folder's entry to chance.

import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, rmSync } from "node:fs";
import { access, mkdir, open, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { constants, createDeflate, deflate, inflateSync } from "node:zlib";
import { Fault } from "../../base/fault.ts";
import { CatFile, type Sink } from "./cat-file.ts";
import { sync, writeSynced } from "../../os/durable-file.ts";
import { isErrno } from "../../os/errno.ts";
import type { GitRunner } from "./git-runner.ts";
import {
  encodeObject,
  encodeHead,
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
const pieceBytes = 1024 * 1024;
/** Up to here a blob may be in memory whole. */
const smallBytesMax = 4 * 1024 * 1024;
/** How the names of objects begin that are not whole yet. */
export const tornPrefix = "tmp_obj_";
/** Enough of a compressed object to know its size by. */
const headBytesMax = 128;
const yesOrNo = [() => true, () => false] as const;
const cachedCommitsMax = 1000;

export class ObjectStore {
  readonly format: ObjectFormat;
  readonly #git: GitRunner;
  readonly #gitDir: string;
  readonly #reader: CatFile;
  /** Trees never change, so they are read once; the longest unused go first. */
  readonly #trees = new Map<string, Tree>();
  #cachedItems = 0;
  /** The trees of commits, which never change either. */
  readonly #treesOf = new Map<string, string>();
  /** What is written while somebody collects. */
  #noted: Set<string> | null = null;

  constructor(git: GitRunner, gitDir: string, format: ObjectFormat) {
    this.format = format;
    this.#git = git;
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
    if (!isObjectName(id)) return false;
    // Where it lies by itself nobody has to read it for that.
    const isLoose = await access(this.#fileOf(id)).then(...yesOrNo);
    return isLoose || (await this.#reader.stream(id, () => undefined)) !== null;
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

  /** Writes a blob into a new file, `forAll` to read or with a mode that our umask bounds. A large one comes by a git of its own: whoever asks for something small does not wait for it. */
  async copyBlob(
    id: string,
    file: string,
    mode = 0o600,
    { forAll = false }: { readonly forAll?: boolean } = {},
  ): Promise<void> {
    const size = (await this.sizes([id])).get(id);
    if (size === undefined) throw missing("blob", id);
    const target = await open(file, "wx", mode);
    try {
      if (forAll) await target.chmod(0o644);
      if (size <= smallBytesMax) await target.writeFile(await this.readBlob(id));
      else await this.#git.runInto({ gitDir: this.#gitDir }, ["cat-file", "blob", id], target.createWriteStream());
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    } finally {
      await target.close();
    }
  }

  /** How many bytes objects have; such that are not there are left out. */
  async sizes(ids: readonly string[]): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    const others: string[] = [];
    for (const id of new Set(ids.filter(isObjectName))) {
      const size = await this.#looseSize(id);
      if (size === undefined) others.push(id);
      else sizes.set(id, size);
    }
    if (others.length === 0) return sizes;
    const args = ["cat-file", "--batch-check=%(objectname) %(objectsize)"];
    const { text } = await this.#git.run({ gitDir: this.#gitDir }, args, { input: `${others.join("\n")}\n` });
    for (const line of text.split("\n")) {
      const [id = "", size = ""] = line.split(" ");
      if (/^\d+$/.test(size)) sizes.set(id, Number(size));
    }
    return sizes;
  }

  async treeOf(commit: string): Promise<string> {
    const known = this.#treesOf.get(commit);
    if (known !== undefined) return known;
    const tree = treeOfCommit(commit, (await this.#must(commit, "commit", treeBytesMax)).body);
    if (this.#treesOf.size >= cachedCommitsMax) this.#treesOf.clear();
    this.#treesOf.set(commit, tree);
    return tree;
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
      throw notKept(cause);
    }
    return id;
  }

  /** Keeps what a file has as a blob, piece by piece, and answers its name. */
  async writeFrom(file: string): Promise<string> {
    try {
      return await this.#placeFrom(file);
    } catch (cause) {
      throw notKept(cause);
    }
  }

  /** Which of these lie here by themselves, durably; they count as written now. */
  async freshen(ids: readonly string[]): Promise<Set<string>> {
    const fresh = new Set<string>();
    const folders = new Set<string>();
    for (const id of new Set(ids.filter(isObjectName))) {
      this.#noted?.add(id);
      const file = this.#fileOf(id);
      if (!(await isFreshened(file))) continue;
      fresh.add(id);
      folders.add(path.dirname(file));
    }
    for (const folder of folders) await sync(folder);
    return fresh;
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
      this.#treesOf.delete(id);
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
    const aside = await this.#asideOf(file);
    try {
      await writeSynced(aside, bytes, 0o444);
      await rename(aside, file);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  /** Its name is known once all of it was read. */
  async #placeFrom(source: string): Promise<string> {
    const aside = path.join(this.#gitDir, "objects", `${tornPrefix}${randomUUID()}`);
    const hash = createHash(this.format);
    const { size } = await stat(source);
    try {
      await pipeline(
        async function* () {
          const head = encodeHead("blob", size);
          hash.update(head);
          yield head;
          // No more than was there, whoever goes on writing.
          const end = Math.max(0, size - 1);
          for await (const piece of createReadStream(source, { end, highWaterMark: pieceBytes })) {
            hash.update(piece as Buffer);
            yield piece as Buffer;
          }
        },
        createDeflate({ level: 1, chunkSize: pieceBytes }),
        createWriteStream(aside, { flags: "wx", mode: 0o444 }),
      );
      await sync(aside);
      const id = hash.digest("hex");
      this.#noted?.add(id);
      const file = this.#fileOf(id);
      await this.#asideOf(file);
      await rename(aside, file);
      await sync(path.dirname(file));
      return id;
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  }

  /** A name beside a file that is to be, in a folder that is there. */
  async #asideOf(file: string): Promise<string> {
    const folder = path.dirname(file);
    if ((await mkdir(folder, { recursive: true, mode: 0o755 })) !== undefined) await sync(path.dirname(folder));
    return path.join(folder, `${tornPrefix}${randomUUID()}`);
  }

  /** What an object that lies by itself says at its beginning; undefined where it does not lie there. */
  async #looseSize(id: string): Promise<number | undefined> {
    const file = await open(this.#fileOf(id), "r").catch(() => undefined);
    if (file === undefined) return undefined;
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytesMax), 0, headBytesMax, 0);
      const head = inflateSync(buffer.subarray(0, bytesRead), { finishFlush: constants.Z_SYNC_FLUSH });
      const size = /^\w+ (\d+)\0/.exec(head.toString("latin1", 0, headBytesMax))?.[1];
      return size === undefined ? undefined : Number(size);
    } catch {
      return undefined;
    } finally {
      await file.close();
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

/** What git would call the content of a file, which is read piece by piece. */
export async function nameOfFile(format: ObjectFormat, file: string): Promise<string> {
  const hash = createHash(format).update(encodeHead("blob", (await stat(file)).size));
  for await (const piece of createReadStream(file, { highWaterMark: pieceBytes })) hash.update(piece as Buffer);
  return hash.digest("hex");
}

function notKept(cause: unknown): Fault {
  const message = `an object could not be kept: ${cause instanceof Error ? cause.message : String(cause)}`;
  return new Fault("store-unavailable", { retry: "later", message, cause });
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
