// Which paths of a workspace its ignore files cover, each file read once.

import { closeSync, readFileSync } from "node:fs";
import { IgnoreRules } from "../../base/ignore-rules.ts";
import type { Tree } from "./tree.ts";

const fileBytesMax = 1024 * 1024;

export class Ignores {
  readonly #tree: Tree;
  readonly #rules = new Map<string, IgnoreRules>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Whether a path is ignored. Whoever walks has not gone into a folder that is. */
  covers(names: readonly string[], isFolder: boolean): boolean {
    return this.#rulesIn(names.slice(0, -1)).ignores(names.at(-1) ?? "", isFolder);
  }

  /** Whether a folder is ignored, itself or with one that it is in. */
  coversWayTo(folder: readonly string[]): boolean {
    return folder.some((_, at) => this.covers(folder.slice(0, at + 1), true));
  }

  /** What the ignore files say on the way to a folder: of the workspace itself first, of the folder last. */
  textsTo(folder: readonly string[]): string[] {
    return Array.from({ length: folder.length + 1 }, (_, at) =>
      this.#read([...folder.slice(0, at), ".gitignore"].join("/")),
    );
  }

  /** The rules that hold in a folder: those of the folders above, then its own. */
  #rulesIn(names: readonly string[]): IgnoreRules {
    const key = names.join("/");
    const known = this.#rules.get(key);
    if (known !== undefined) return known;
    const text = this.#read([...names, ".gitignore"].join("/"));
    const name = names.at(-1);
    const rules = name === undefined ? IgnoreRules.forRoot(text) : this.#rulesIn(names.slice(0, -1)).within(name, text);
    this.#rules.set(key, rules);
    return rules;
  }

  #read(path: string): string {
    const standing = this.#tree.standingAt(path);
    if (standing.kind !== "file") return "";
    try {
      return standing.stat.size > fileBytesMax ? "" : readFileSync(standing.fd, "utf8");
    } finally {
      closeSync(standing.fd);
    }
  }
}
