// Names that cannot stand beside each other in one tree (LD5): a file and what lies beneath it, and names that a project
// takes for the same. It looks at names only; what is at them is for others to know.

import { compareText } from "../../base/canonical.ts";
import { nameKey } from "../lease/unit.ts";

/** How a project compares names. */
export type NameRule = { readonly foldCase: boolean };

/** The two ends of a `move`. */
export type Move = { readonly from: string; readonly to: string };

/** Two paths that no tree can have together; `fresh` is the one that came. */
export type Clash = {
  readonly kind: "file-and-folder" | "same-key";
  readonly fresh: string;
  readonly other: string;
};

// oxlint-disable-next-line no-control-regex -- everything beyond plain ASCII is what this finds
const beyondAscii = /[^\u0000-\u007f]/;

/** What is compared of a path: its names' keys. */
export function pathKey(path: string, { foldCase }: NameRule): string {
  if (!beyondAscii.test(path)) return foldCase ? path.toLowerCase() : path;
  return path
    .split("/")
    .map((name) => nameKey(name, foldCase))
    .join("/");
}

/**
 * The paths in groups that only change together: connected by kinship, or as the two ends of a move. Every path is in
 * exactly one group; groups and their members are sorted.
 */
export function groupPaths(paths: Iterable<string>, rule: NameRule, moves: readonly Move[] = []): string[][] {
  const sorted = [...new Set(paths)].toSorted(compareText);
  const groups = new Groups(sorted);
  const names = new NameTable(rule);
  for (const path of sorted) names.add(path);
  for (const path of sorted) for (const kin of names.linksOf(path)) groups.join(path, kin);
  for (const { from, to } of moves) if (groups.has(from) && groups.has(to)) groups.join(from, to);
  return groups.toLists();
}

/** Every pair of a fresh path and another one, fresh or not, that no tree can have together. */
export function findClashes(fresh: Iterable<string>, others: Iterable<string>, rule: NameRule): Clash[] {
  const names = new NameTable(rule);
  const added = [...new Set(fresh)].toSorted(compareText);
  for (const path of added) names.add(path);
  const clashes = added.flatMap((path) => names.clashesOf(path).filter(({ other }) => other < path));
  const isAdded = new Set(added);
  for (const other of others) {
    if (isAdded.has(other)) continue;
    for (const clash of names.clashesOf(other)) clashes.push({ ...clash, fresh: clash.other, other });
  }
  return clashes.toSorted((a, b) => compareText(a.fresh, b.fresh) || compareText(a.other, b.other));
}

/** The paths beneath a folder's key, by how they spell it. */
type Folder = Map<string, string[]>;

/** Paths by their keys, and by the keys of the folders they are in. */
class NameTable {
  readonly #rule: NameRule;
  readonly #paths = new Map<string, string[]>();
  readonly #folders = new Map<string, Folder>();

  constructor(rule: NameRule) {
    this.#rule = rule;
  }

  add(path: string): void {
    const key = pathKey(path, this.#rule);
    const same = this.#paths.get(key);
    if (same === undefined) this.#paths.set(key, [path]);
    else same.push(path);
    for (const [folderKey, spelling] of foldersOf(key, path)) {
      let folder = this.#folders.get(folderKey);
      if (folder === undefined) this.#folders.set(folderKey, (folder = new Map<string, string[]>()));
      const beneath = folder.get(spelling);
      if (beneath === undefined) folder.set(spelling, [path]);
      else beneath.push(path);
    }
  }

  /** Enough kin of a path to connect it with all others. */
  *linksOf(path: string): Iterable<string> {
    const key = pathKey(path, this.#rule);
    yield* this.#paths.get(key)?.slice(0, 1) ?? [];
    for (const [folderKey] of foldersOf(key, path)) {
      yield* this.#paths.get(folderKey)?.slice(0, 1) ?? [];
      const folder = this.#folders.get(folderKey);
      // Half of a folder under each spelling is one folder to some machines: all of it belongs together.
      if (folder !== undefined && folder.size > 1) for (const [first] of folder.values()) yield first ?? path;
    }
  }

  /** Everything here that cannot stand beside this path. */
  clashesOf(path: string): Clash[] {
    const key = pathKey(path, this.#rule);
    const clashes = new Map<string, Clash>();
    const found = (kind: Clash["kind"], other: string): void => {
      if (other !== path && !clashes.has(other)) clashes.set(other, { kind, fresh: path, other });
    };
    for (const other of this.#paths.get(key) ?? []) found("same-key", other);
    for (const beneath of this.#folders.get(key)?.values() ?? []) {
      for (const other of beneath) found("file-and-folder", other);
    }
    for (const [folderKey, spelling] of foldersOf(key, path)) {
      for (const other of this.#paths.get(folderKey) ?? []) found("file-and-folder", other);
      for (const [otherSpelling, beneath] of this.#folders.get(folderKey) ?? []) {
        if (otherSpelling !== spelling) for (const other of beneath) found("same-key", other);
      }
    }
    return [...clashes.values()];
  }
}

/** The key and the spelling of each folder above a path. A key has as many slashes as its path. */
function* foldersOf(key: string, path: string): Iterable<[key: string, spelling: string]> {
  let inPath = path.indexOf("/");
  for (let inKey = key.indexOf("/"); inKey >= 0; inKey = key.indexOf("/", inKey + 1)) {
    yield [key.slice(0, inKey), path.slice(0, inPath)];
    inPath = path.indexOf("/", inPath + 1);
  }
}

/** Who belongs together: each points towards one that speaks for all. */
class Groups {
  readonly #speaker: Map<string, string>;

  constructor(members: readonly string[]) {
    this.#speaker = new Map(members.map((member) => [member, member]));
  }

  has(member: string): boolean {
    return this.#speaker.has(member);
  }

  join(a: string, b: string): void {
    const [first, second] = [this.#find(a), this.#find(b)];
    if (first !== second) this.#speaker.set(first < second ? second : first, first < second ? first : second);
  }

  toLists(): string[][] {
    const lists = new Map<string, string[]>();
    for (const member of this.#speaker.keys()) {
      const speaker = this.#find(member);
      const list = lists.get(speaker);
      if (list === undefined) lists.set(speaker, [member]);
      else list.push(member);
    }
    return [...lists.values()];
  }

  #find(member: string): string {
    let at = member;
    for (let next = this.#speaker.get(at); next !== undefined && next !== at; next = this.#speaker.get(at)) {
      this.#speaker.set(at, this.#speaker.get(next) ?? next);
      at = next;
    }
    return at;
  }
}
