// Makes one layer: a folder with a whole tree, or with what makes one tree out of another beneath it, in the words of
// overlayfs. Bytes are those of the blobs; nothing is converted on the way.

import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  fchmodSync,
  fchownSync,
  lchownSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { link } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { blobOf, kindOf, modeOf } from "../../core/landing/entry.ts";
import type { TreeChange } from "../../ports/mainline.ts";
import { sync } from "../../os/durable-file.ts";
import { isErrno } from "../../os/errno.ts";
import { folderMode } from "./object-codec.ts";
import type { ObjectStore } from "./object-store.ts";
import { compare, itemAt, listPaths } from "./trees.ts";

export type Owner = { readonly uid: number; readonly gid: number };

const run = promisify(execFile);
const readsAtOnce = 256;
const syncsMax = 64;

export class LayerMaker {
  readonly #store: ObjectStore;
  readonly #folder: string;
  readonly #owner: Owner | null;
  readonly #made = new Set<string>([""]);
  readonly #files: string[] = [];
  #whiteout: string | null = null;

  /** The folder must be new: what lies in it is the layer. */
  constructor(store: ObjectStore, folder: string, owner: Owner | null) {
    this.#store = store;
    this.#folder = folder;
    this.#owner = owner;
    this.#own(folder, 0o755);
  }

  /** Both answer whether the layer is durable already. */
  async makeFull(tree: string): Promise<boolean> {
    await this.#write([...(await listPaths(this.#store, tree))]);
    return await this.#sync();
  }

  async makeDelta(tree: string, changes: readonly TreeChange[]): Promise<boolean> {
    await this.#write(changes.flatMap(({ path: file, after }) => (after === null ? [] : [[file, after]])));
    const gone = new Set<string>();
    for (const { path: file, after } of changes) {
      const place = after === null ? await this.#goneAt(tree, file) : null;
      if (place !== null) gone.add(place);
    }
    for (const place of [...gone].toSorted(compare)) await this.#whiteOut(place);
    return await this.#sync();
  }

  /**
   * Where to write that a path is gone: at the topmost folder that is gone with it. Null where a file stands in the way of
   * it anyway. Folders are thus never replaced in one step, and no layer needs to be opaque.
   */
  async #goneAt(tree: string, file: string): Promise<string | null> {
    const steps = file.split("/");
    for (let count = 1; count <= steps.length; count++) {
      const place = steps.slice(0, count).join("/");
      const item = await itemAt(this.#store, tree, place);
      if (item === undefined) return place;
      // A submodule is an empty folder here, so what was in a folder of that name is gone one by one.
      if (item.mode !== folderMode && item.mode !== "160000") return null;
    }
    return null;
  }

  async #write(entries: readonly (readonly [string, string])[]): Promise<void> {
    for (const [file] of entries) this.#makeFolder(path.posix.dirname(file));
    let next = 0;
    const work = async (): Promise<void> => {
      try {
        for (let entry = entries[next++]; entry !== undefined; entry = entries[next++])
          await this.#writeEntry(...entry);
      } finally {
        next = entries.length;
      }
    };
    // When one fails the others come to an end first: the folder is about to be removed.
    const ends = await Promise.allSettled(Array.from({ length: readsAtOnce }, work));
    for (const end of ends) if (end.status === "rejected") throw end.reason as Error;
  }

  async #writeEntry(file: string, entry: string): Promise<void> {
    const place = path.join(this.#folder, file);
    const kind = kindOf(entry);
    if (kind === "submodule") return this.#makeFolder(file);
    if (kind === "link") {
      symlinkSync(await this.#store.readBlob(blobOf(entry)), place);
      if (this.#owner !== null) lchownSync(place, this.#owner.uid, this.#owner.gid);
      return;
    }
    // Written where they arrive, in small steps: ten thousand handles and promises cost more than the bytes.
    let handle: number | null = null;
    const fd = (): number => (handle ??= openSync(place, "wx", 0o600));
    try {
      await this.#store.streamBlob(blobOf(entry), (chunk) => {
        for (let at = 0; at < chunk.byteLength;) at += writeSync(fd(), chunk, at);
      });
      fchmodSync(fd(), modeOf(entry) === "100755" ? 0o755 : 0o644);
      if (this.#owner !== null) fchownSync(fd(), this.#owner.uid, this.#owner.gid);
    } finally {
      if (handle !== null) closeSync(handle);
    }
    this.#files.push(place);
  }

  #makeFolder(folder: string): void {
    const name = folder === "." ? "" : folder;
    if (this.#made.has(name)) return;
    this.#makeFolder(path.posix.dirname(name));
    // Not recursive, and an error where something is there: a link must never be walked through.
    mkdirSync(path.join(this.#folder, name));
    this.#own(path.join(this.#folder, name), 0o755);
    this.#made.add(name);
  }

  /** Without privilege only mknod(1) makes the device that means "gone"; one is made, the others are names of it. */
  async #whiteOut(file: string): Promise<void> {
    this.#makeFolder(path.posix.dirname(file));
    const place = path.join(this.#folder, file);
    if (this.#whiteout !== null) {
      try {
        return await link(this.#whiteout, place);
      } catch (error) {
        if (!isErrno(error, "EMLINK")) throw error;
      }
    }
    await run("mknod", [place, "c", "0", "0"]);
    this.#whiteout = place;
  }

  #own(folder: string, mode: number): void {
    chmodSync(folder, mode);
    if (this.#owner !== null) chownSync(folder, this.#owner.uid, this.#owner.gid);
  }

  /** A few files are synced one by one. Many are not: whoever asked for them would wait for everybody's writes. */
  async #sync(): Promise<boolean> {
    const folders = [...this.#made].map((name) => path.join(this.#folder, name));
    const all = [...this.#files, ...folders];
    if (all.length > syncsMax) return false;
    for (const file of all) {
      await sync(file);
    }
    return true;
  }
}

/** Has everything written that the file system has; that may take long when others write much. */
export async function syncAll(folder: string): Promise<void> {
  await run("sync", ["-f", folder]);
}
