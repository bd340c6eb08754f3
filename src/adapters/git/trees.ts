// Reading and changing trees: only the folders on the way to a changed path are read, and only those are written.

import { type Entry, blobOf, entryOf, modeOf } from "../../core/landing/entry.ts";
import type { TreeChange } from "../../ports/mainline.ts";
import { encodeTree, folderMode, isFitPath, type Tree, type TreeItem, unfitTree } from "./object-codec.ts";
import type { ObjectStore } from "./object-store.ts";

const empty: Tree = new Map();
const fileModes = new Set(["100644", "100755", "120000", "160000"]);

export async function entriesIn(
  store: ObjectStore,
  tree: string,
  paths: readonly string[],
): Promise<Map<string, Entry>> {
  const found = await Promise.all(paths.map(async (path) => [path, toEntry(await itemAt(store, tree, path))] as const));
  return new Map(found);
}

/** Every path beneath a tree, sorted. */
export async function listPaths(store: ObjectStore, tree: string, under = ""): Promise<Map<string, string>> {
  const root = under === "" ? { mode: folderMode, id: tree } : await itemAt(store, tree, under);
  const found: [string, string][] = [];
  const walk = async (id: string, prefix: string): Promise<void> => {
    const folders: Promise<void>[] = [];
    for (const [name, item] of await store.readTree(id)) {
      if (isFolder(item)) folders.push(walk(item.id, `${prefix}${name}/`));
      else found.push([prefix + name, entryOf(item.mode, item.id)]);
    }
    await Promise.all(folders);
  };
  if (isFolder(root)) await walk(root.id, under === "" ? "" : `${under}/`);
  return new Map(found.toSorted(([a], [b]) => compare(a, b)));
}

/** What differs between two trees, sorted by path. Folders that are equal are not even read. */
export async function diffTrees(store: ObjectStore, from: string, to: string): Promise<TreeChange[]> {
  const changes: TreeChange[] = [];
  const walk = async (before: TreeItem | undefined, after: TreeItem | undefined, prefix: string): Promise<void> => {
    const [old, fresh] = await Promise.all([childrenOf(store, before), childrenOf(store, after)]);
    const folders: Promise<void>[] = [];
    for (const name of new Set([...old.keys(), ...fresh.keys()])) {
      const [a, b] = [old.get(name), fresh.get(name)];
      if (a?.id === b?.id && a?.mode === b?.mode) continue;
      const [left, right] = [toEntry(a), toEntry(b)];
      if (left !== right) changes.push({ path: prefix + name, before: left, after: right });
      if (isFolder(a) || isFolder(b)) folders.push(walk(a, b, `${prefix}${name}/`));
    }
    await Promise.all(folders);
  };
  if (from !== to) await walk({ mode: folderMode, id: from }, { mode: folderMode, id: to }, "");
  return changes.toSorted((a, b) => compare(a.path, b.path));
}

/** Writes the tree that another one becomes by these changes, and answers its name. */
export async function changeTree(
  store: ObjectStore,
  tree: string | null,
  changes: ReadonlyMap<string, Entry>,
): Promise<string> {
  for (const [path, entry] of changes) {
    if (!isFitPath(path)) throw unfitTree(`${JSON.stringify(path)} cannot be a path`);
    if (entry !== null && !fileModes.has(modeOf(entry)))
      throw unfitTree(`${path} cannot have the mode ${modeOf(entry)}`);
  }
  const plan = new Map([...changes].map(([path, entry]) => [path.split("/"), entry]));
  const id = await changeFolder(store, tree === null ? empty : await store.readTree(tree), plan, "");
  return id ?? (await store.write("tree", encodeTree(empty)));
}

/** Answers null where nothing is left: git has no empty folders. */
async function changeFolder(
  store: ObjectStore,
  tree: Tree,
  plan: ReadonlyMap<readonly string[], Entry>,
  prefix: string,
): Promise<string | null> {
  const items = new Map(tree);
  const beneath = new Map<string, Map<readonly string[], Entry>>();
  for (const [[name = "", ...rest], entry] of plan) {
    const within = beneath.get(name) ?? new Map<readonly string[], Entry>();
    within.set(rest, entry);
    beneath.set(name, within);
  }
  const written = [...beneath].map(async ([name, within]) => {
    const item = await changeItem(store, tree.get(name), within, prefix + name);
    if (item === null) items.delete(name);
    else items.set(name, item);
  });
  await Promise.all(written);
  return items.size === 0 ? null : await store.write("tree", encodeTree(items));
}

async function changeItem(
  store: ObjectStore,
  item: TreeItem | undefined,
  plan: ReadonlyMap<readonly string[], Entry>,
  path: string,
): Promise<TreeItem | null> {
  let own: Entry | undefined;
  const beneath = new Map<readonly string[], Entry>();
  for (const [rest, entry] of plan) {
    if (rest.length === 0) own = entry;
    else beneath.set(rest, entry);
  }
  const grows = [...beneath.values()].some((entry) => entry !== null);
  const fileAfter = own === undefined ? (item !== undefined && !isFolder(item) ? item : null) : toItem(own);
  if (fileAfter !== null && grows) throw unfitTree(`${JSON.stringify(path)} would be both a file and a folder`);
  const folder = isFolder(item) ? await store.readTree(item.id) : empty;
  const id = beneath.size === 0 && isFolder(item) ? item.id : await changeFolder(store, folder, beneath, `${path}/`);
  if (fileAfter === null) return id === null ? null : { mode: folderMode, id };
  if (id !== null) throw unfitTree(`${JSON.stringify(path)} would be both a file and a folder`);
  return fileAfter;
}

/** What a tree has at a path: a folder too. */
export async function itemAt(store: ObjectStore, tree: string, path: string): Promise<TreeItem | undefined> {
  let item: TreeItem | undefined = { mode: folderMode, id: tree };
  for (const name of path.split("/")) {
    if (!isFolder(item)) return undefined;
    item = (await store.readTree(item.id)).get(name);
  }
  return item;
}

async function childrenOf(store: ObjectStore, item: TreeItem | undefined): Promise<Tree> {
  return isFolder(item) ? await store.readTree(item.id) : empty;
}

function isFolder(item: TreeItem | undefined): item is TreeItem & { readonly mode: typeof folderMode } {
  return item?.mode === folderMode;
}

function toEntry(item: TreeItem | undefined): Entry {
  return item === undefined || isFolder(item) ? null : entryOf(item.mode, item.id);
}

function toItem(entry: Entry): TreeItem | null {
  return entry === null ? null : { mode: modeOf(entry), id: blobOf(entry) };
}

export function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
