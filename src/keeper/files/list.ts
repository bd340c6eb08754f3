// The names in a folder of the workspace and below, nearest first, up to a depth and a number.

import { closeSync, lstatSync, type Dirent } from "node:fs";
import { Fault } from "../../base/fault.ts";
import type { ListAnswer, ListedPath } from "../../protocol/keeper/keeper-wire.ts";
import { entriesIn, folderNamesOf, type Tree, within } from "./tree.ts";

const ownNames = new Set([".git", ".signalbox-stage"]);

export function listPaths(tree: Tree, path: string, depth: number, limit: number): ListAnswer {
  const start = folderNamesOf(path);
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
          if (paths.length >= limit) return { paths, more: true };
          const each = [...names, entry.name];
          paths.push(toListed(folder, entry, each.join("/")));
          if (entry.isDirectory()) next.push(each);
        }
      } finally {
        closeSync(folder);
      }
    }
    level = next;
  }
  return { paths, more: false };
}

function toListed(folder: number, entry: Dirent, path: string): ListedPath {
  if (entry.isDirectory()) return { path, kind: "folder", size: 0 };
  if (!entry.isFile()) return { path, kind: entry.isSymbolicLink() ? "link" : "other", size: 0 };
  const size = lstatSync(within(folder, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return { path, kind: "file", size };
}
