// A file cannot stand where a folder with other things in it does, nor below something that is no folder. Seen before
// anything is changed; what the same set of changes takes away is in nobody's way.

import { closeSync } from "node:fs";
import type { PlaceChange } from "../../protocol/keeper/keeper-wire.ts";
import { entriesIn, namesOf, openIn, type Tree } from "./tree.ts";

export type Obstacle = { readonly path: string; readonly why: string };

export function findObstacle(tree: Tree, changes: readonly PlaceChange[]): Obstacle | undefined {
  const leaving = new Set(changes.filter(({ to }) => to === null).map(({ path }) => path));
  for (const { path, to } of changes) {
    if (to === null) continue;
    const obstacle = obstacleAbove(tree, path, leaving) ?? obstacleAt(tree, path, leaving);
    if (obstacle !== undefined) return obstacle;
  }
  return undefined;
}

function obstacleAbove(tree: Tree, path: string, leaving: ReadonlySet<string>): Obstacle | undefined {
  const names = namesOf(path);
  for (let depth = 1; depth < names.length; depth++) {
    const above = names.slice(0, depth).join("/");
    const kind = kindAt(tree, above);
    if (kind === "nothing") return undefined;
    if (kind === "folder") continue;
    if ((kind === "file" || kind === "link") && leaving.has(above)) return undefined;
    return { path: above, why: `${above} is no folder, so nothing can stand below it` };
  }
  return undefined;
}

function obstacleAt(tree: Tree, path: string, leaving: ReadonlySet<string>): Obstacle | undefined {
  const kind = kindAt(tree, path);
  if (kind === "other") return { path, why: `${path} is neither a file nor a link` };
  if (kind !== "folder") return undefined;
  const folder = tree.openFolder(namesOf(path), { make: false });
  if (folder === undefined) return undefined;
  try {
    const staying = firstStaying(folder, path, leaving);
    return staying === undefined ? undefined : { path: staying, why: `${path} is a folder that holds ${staying}` };
  } finally {
    closeSync(folder);
  }
}

function firstStaying(folder: number, path: string, leaving: ReadonlySet<string>): string | undefined {
  for (const entry of entriesIn(folder)) {
    const each = `${path}/${entry.name}`;
    if (entry.isDirectory()) {
      const below = openIn(folder, entry.name);
      if (below === undefined) return each;
      try {
        const staying = firstStaying(below, each, leaving);
        if (staying !== undefined) return staying;
      } finally {
        closeSync(below);
      }
    } else if (!leaving.has(each)) {
      return each;
    }
  }
  return undefined;
}

function kindAt(tree: Tree, path: string): string {
  const standing = tree.standingAt(path);
  if (standing.kind === "file") closeSync(standing.fd);
  return standing.kind;
}
