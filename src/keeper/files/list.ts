// The names in a folder of the workspace and below, nearest first, up to a depth and a number. What the project ignores would
// bury the rest, so it is left out and counted.

import { closeSync, lstatSync, type Dirent } from "node:fs";
import { Fault } from "../../base/fault.ts";
import type { KeeperOp, ListAnswer, ListedPath } from "../../protocol/keeper/keeper-wire.ts";
import { Ignores } from "./ignores.ts";
import { entriesIn, folderNamesOf, type Tree, within } from "./tree.ts";

const ownNames = new Set([".git", ".signalbox-stage"]);

export type ListWish = Omit<Extract<KeeperOp, { op: "list" }>, "op">;

export function listPaths(tree: Tree, { path, depth, limit, all = false }: ListWish): ListAnswer {
  const start = folderNamesOf(path);
  const rules = new Ignores(tree);
  // Whoever asks for an ignored folder wants to see it.
  const ignores = all || rules.coversWayTo(start) ? undefined : rules;
  let ignored = 0;
  const paths: ListedPath[] = [];
  let level: (readonly string[])[] = [start];
  for (let at = 0; at < depth && level.length > 0; at++) {
    const next: (readonly string[])[] = [];
    for (const names of level) {
      const folder = tree.openFolder(names, { make: false });
      if (folder === undefined && at === 0) {
        throw new Fault("not-a-folder", { retry: "never", message: `${path} is not a folder` });
      }
      if (folder === undefined) continue;
      try {
        for (const entry of entriesIn(folder)) {
          if (names.length === 0 && ownNames.has(entry.name)) continue;
          const each = [...names, entry.name];
          if (ignores?.covers(each, entry.isDirectory()) === true) {
            ignored++;
            continue;
          }
          if (paths.length >= limit) return { paths, more: true, ignored };
          paths.push(toListed(folder, entry, each.join("/")));
          if (entry.isDirectory()) next.push(each);
        }
      } finally {
        closeSync(folder);
      }
    }
    level = next;
  }
  return { paths, more: false, ignored };
}

function toListed(folder: number, entry: Dirent, path: string): ListedPath {
  if (entry.isDirectory()) return { path, kind: "folder", size: 0 };
  if (!entry.isFile()) return { path, kind: entry.isSymbolicLink() ? "link" : "other", size: 0 };
  const size = lstatSync(within(folder, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return { path, kind: "file", size };
}
