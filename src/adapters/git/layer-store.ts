// Folders to stack as a view of a tree. The first is a whole checkout, later ones hold what changed since; when a stack
// grows tall a whole checkout is made in the background and the next ones stand on that. A layer never changes, and goes
// only when nobody uses it.

import { randomUUID } from "node:crypto";
import { renameSync, rmSync } from "node:fs";
import { chown, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { mustGet } from "../../base/assert.ts";
import { Fault } from "../../base/fault.ts";
import { readIfThere, sync, writeSynced } from "../../os/durable-file.ts";
import type { GitRunner } from "./git-runner.ts";
import { LayerMaker, type Owner, syncAll } from "./layer-maker.ts";
import { ObjectStore } from "./object-store.ts";
import { diffTrees } from "./trees.ts";

export type LayerOptions = {
  readonly folder: string;
  /** Whose the files are: an overlay in a user namespace can only copy up what belongs to whom it maps. */
  readonly owner?: Owner;
  /** False where nothing can be stacked: then every layer is a whole checkout. */
  readonly stacked?: boolean;
  /** Above this many layers a whole checkout is made. */
  readonly heightMax?: number;
};

type Layer = {
  readonly v: 1;
  readonly tree: string;
  readonly below: string | null;
  readonly height: number;
  /** Layers are numbered as they are made; the newest is what the next one stands on. */
  readonly number: number;
  /** The boot it was made under. Until it is synced, it is worth nothing under another. */
  readonly boot: string;
};

type Leaving = { readonly users: Set<string>; readonly done: Promise<void> };

type Parts = { readonly git: GitRunner; readonly gitDir: string; readonly store: ObjectStore };

const heightMax = 8;
const heightWorst = 24;
const changesMax = 5000;
const syncedFile = "synced";

export class LayerStore {
  readonly #parts: Parts;
  readonly #options: LayerOptions;
  readonly #layers = new Map<string, Layer>();
  readonly #uses = new Map<string, Set<string>>();
  /** Who leaves next, until somebody else comes: whoever comes back later has to be there afterwards. */
  #leaving: Leaving | null = null;
  #base: string | null = null;
  #count = 0;
  #flattening: Promise<void> | null = null;
  readonly #syncing = new Set<Promise<unknown>>();
  #boot = "";
  #line: Promise<unknown> = Promise.resolve();
  #loaded = false;
  #closed = false;

  constructor(parts: Parts, options: LayerOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** The stack of a tree, topmost first, in use by `user` until that lets go; of one layer for whoever cannot stack them. */
  async stackFor(tree: string, user: string, isWhole = false): Promise<readonly string[]> {
    this.#leaving = null;
    return await this.#inLine(async () => {
      const isStacked = this.#options.stacked !== false && !isWhole;
      const name = this.#find(tree, isStacked) ?? (await (isStacked ? this.#make(tree) : this.#makeFull(tree)));
      const stack = this.#stackOf(name);
      await this.#use(stack, user);
      if (stack.length > (this.#options.heightMax ?? heightMax)) this.#flatten(tree);
      return stack.map((layer) => path.join(this.#options.folder, layer, "files"));
    });
  }

  async #use(stack: readonly string[], user: string): Promise<void> {
    const before = this.#uses.get(user);
    if (before !== undefined && stack.every((layer) => before.has(layer))) return;
    this.#uses.set(user, new Set([...(before ?? []), ...stack]));
    try {
      await this.#writeUses();
    } catch (error) {
      // Whoever asks again has it written down again.
      if (before === undefined) this.#uses.delete(user);
      else this.#uses.set(user, before);
      throw error;
    }
  }

  /** Those who leave one right after the other are written down together. */
  release(user: string): Promise<void> {
    this.#leaving ??= this.#leaveTogether();
    this.#leaving.users.add(user);
    return this.#leaving.done;
  }

  #leaveTogether(): Leaving {
    const users = new Set<string>();
    const done = this.#inLine(async () => {
      if (this.#leaving?.users === users) this.#leaving = null;
      const gone = [...users].filter((user) => this.#uses.delete(user));
      if (gone.length === 0) return;
      await this.#writeUses();
      await this.#sweep();
    });
    return { users, done };
  }

  /** The trees that layers were made of. */
  async trees(): Promise<readonly string[]> {
    return await this.#inLine(async () => [...this.#layers.values()].map(({ tree }) => tree));
  }

  /** Waits for what goes on in the background. */
  async settle(): Promise<void> {
    await this.#flattening;
    await this.#line.catch(() => undefined);
    await Promise.all(this.#syncing);
  }

  /** Does not wait for the disk: what is not synced then is only doubtful, should the machine go down. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#flattening;
    await this.#line.catch(() => undefined);
  }

  async #load(): Promise<void> {
    const { folder, owner } = this.#options;
    // An attempt that failed may have read a part.
    this.#layers.clear();
    this.#base = null;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
    this.#boot = ((await readIfThere("/proc/sys/kernel/random/boot_id")) ?? "").trim();
    const doubtful: string[] = [];
    for (const name of await readdir(folder)) {
      // What was being made or removed when the daemon ended.
      if (name.startsWith("tmp-")) await rm(path.join(folder, name), { recursive: true, force: true });
      if (!/^[fd]-/.test(name)) continue;
      const layer = JSON.parse(await readFile(path.join(folder, name, "layer.json"), "utf8")) as Layer;
      this.#add(name, layer);
      const isSynced = (await readIfThere(path.join(folder, name, syncedFile))) !== null;
      if (!isSynced && layer.boot !== this.#boot) doubtful.push(name);
    }
    const uses = JSON.parse((await readIfThere(path.join(folder, "uses.json"))) ?? "{}") as Record<string, string[]>;
    for (const [user, layers] of Object.entries(uses)) this.#uses.set(user, new Set(layers));
    for (const name of doubtful) await this.#makeAgain(name);
  }

  /** The machine went down before a layer was synced, so nobody can have it mounted. It is made anew under its name. */
  async #makeAgain(name: string): Promise<void> {
    const { folder } = this.#options;
    const layer = mustGet(this.#layers, name, "the layer");
    await rename(path.join(folder, name), path.join(folder, `tmp-gone-${name}`));
    await rm(path.join(folder, `tmp-gone-${name}`), { recursive: true, force: true });
    await this.#install(name, { ...layer, boot: this.#boot });
  }

  #find(tree: string, isStacked: boolean): string | null {
    const names = isStacked ? [fullName(tree), deltaName(tree)] : [fullName(tree)];
    return names.find((name) => this.#layers.get(name)?.tree === tree) ?? null;
  }

  async #make(tree: string): Promise<string> {
    const below = this.#base === null ? undefined : this.#layers.get(this.#base);
    if (below === undefined || below.height >= heightWorst) return await this.#makeFull(tree);
    const changes = await diffTrees(this.#parts.store, below.tree, tree);
    if (changes.length > changesMax) return await this.#makeFull(tree);
    return await this.#install(deltaName(tree), { ...this.#next(tree), below: this.#base, height: below.height + 1 });
  }

  async #makeFull(tree: string): Promise<string> {
    return await this.#install(fullName(tree), this.#next(tree));
  }

  #next(tree: string): Layer {
    return { v: 1, tree, below: null, height: 1, number: 0, boot: this.#boot };
  }

  /** A layer is made aside and then given its name: whatever has a name is whole. */
  async #install(name: string, draft: Layer): Promise<string> {
    const { folder, owner } = this.#options;
    const aside = path.join(folder, `tmp-${name}-${randomUUID()}`);
    try {
      await mkdir(path.join(aside, "files"), { recursive: true, mode: 0o755 });
      if (owner !== undefined) await chown(aside, owner.uid, owner.gid);
      const isSynced = await this.#fill(path.join(aside, "files"), draft);
      // Numbered when it is done: the next layer shall stand on what was flattened, not on what was made meanwhile.
      const layer = { ...draft, number: draft.number === 0 ? ++this.#count : draft.number };
      await writeSynced(path.join(aside, "layer.json"), JSON.stringify(layer), 0o600);
      if (isSynced) await writeSynced(path.join(aside, syncedFile), "", 0o600);
      await sync(aside);
      await rename(aside, path.join(folder, name));
      await sync(folder);
      if (!isSynced) this.#syncLater(path.join(folder, name));
      this.#add(name, layer);
      return name;
    } catch (error) {
      await rm(aside, { recursive: true, force: true });
      throw error;
    }
  }

  async #fill(folder: string, { tree, below }: Layer): Promise<boolean> {
    const { git, gitDir, store } = this.#parts;
    const owner = this.#options.owner ?? null;
    if (below !== null) {
      const changes = await diffTrees(store, mustGet(this.#layers, below, "the layer").tree, tree);
      return await new LayerMaker(store, folder, owner).makeDelta(tree, changes);
    }
    // With a reader of its own: a whole checkout must not keep others from reading one file.
    const reader = new ObjectStore(git, gitDir, store.format);
    try {
      return await new LayerMaker(reader, folder, owner).makeFull(tree);
    } finally {
      await reader.close();
    }
  }

  #syncLater(folder: string): void {
    // Failing is harmless: the layer stays doubtful, and is made again should the machine go down.
    const sync = syncAll(folder).then(() => writeSynced(path.join(folder, syncedFile), "", 0o600));
    const quiet = sync.catch(() => undefined).finally(() => this.#syncing.delete(quiet));
    this.#syncing.add(quiet);
  }

  #add(name: string, layer: Layer): void {
    this.#layers.set(name, layer);
    this.#count = Math.max(this.#count, layer.number);
    const base = this.#base === null ? undefined : this.#layers.get(this.#base);
    if (base === undefined || layer.number > base.number) this.#base = name;
  }

  #flatten(tree: string): void {
    if (this.#flattening !== null || this.#closed || this.#layers.has(fullName(tree))) return;
    this.#flattening = (async () => {
      try {
        await this.#makeFull(tree);
        await this.#inLine(async () => await this.#sweep());
      } catch {
        // The tall stack still works, and the next one that is asked for tries again.
      } finally {
        this.#flattening = null;
      }
    })();
  }

  async #sweep(): Promise<void> {
    const kept = new Set([...this.#uses.values()].flatMap((layers) => [...layers]));
    if (this.#base !== null) for (const name of this.#stackOf(this.#base)) kept.add(name);
    for (const name of this.#layers.keys()) {
      if (kept.has(name)) continue;
      const gone = path.join(this.#options.folder, `tmp-gone-${name}`);
      this.#layers.delete(name);
      await rename(path.join(this.#options.folder, name), gone);
      await rm(gone, { recursive: true, force: true });
    }
  }

  #stackOf(top: string): string[] {
    const stack: string[] = [];
    for (let name: string | null = top; name !== null; name = mustGet(this.#layers, name, "the layer").below)
      stack.push(name);
    return stack;
  }

  async #writeUses(): Promise<void> {
    const file = path.join(this.#options.folder, "uses.json");
    const uses = Object.fromEntries([...this.#uses].map(([user, layers]) => [user, [...layers]]));
    rmSync(`${file}.new`, { force: true });
    await writeSynced(`${file}.new`, JSON.stringify(uses), 0o600);
    renameSync(`${file}.new`, file);
    await sync(this.#options.folder);
  }

  async #inLine<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#line.then(async () => {
      if (!this.#loaded) await this.#load();
      this.#loaded = true;
      return await act();
    });
    this.#line = turn.catch(() => undefined);
    try {
      return await turn;
    } catch (cause) {
      if (cause instanceof Fault) throw cause;
      const message = `the files of a commit could not be laid out: ${cause instanceof Error ? cause.message : String(cause)}`;
      throw new Fault("workspace-unavailable", { retry: "later", message, cause });
    }
  }
}

function fullName(tree: string): string {
  return `f-${tree.slice(0, 20)}`;
}

function deltaName(tree: string): string {
  return `d-${tree.slice(0, 20)}`;
}
