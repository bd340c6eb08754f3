// Which paths of a workspace its ignore files cover, each file read once.

import { closeSync, readSync } from "node:fs";
import { ignoreCharsMax, IgnoreRules, ignoreStepsMax } from "../../base/ignore-rules.ts";
import type { Tree } from "./tree.ts";

/** Of all files together. Whatever is read after so much has no rules. */
const bytesMax = 16 * 1024 * 1024;
/** For all names together, a second or two. A hundred thousand names among hundreds of usual rules take less than half of it. */
const lookStepsMax = 200 * ignoreStepsMax;

export class Ignores {
  readonly #tree: Pick<Tree, "standingAt">;
  readonly #rules = new Map<string, IgnoreRules>();
  #bytesLeft = bytesMax;
  #stepsLeft: number;

  constructor(tree: Pick<Tree, "standingAt">, { stepsMax = lookStepsMax }: { readonly stepsMax?: number } = {}) {
    this.#tree = tree;
    this.#stepsLeft = stepsMax;
  }

  /** Whether a path is ignored. Whoever walks has not gone into a folder that is. */
  covers(names: readonly string[], isFolder: boolean): boolean {
    const steps = Math.min(ignoreStepsMax, this.#stepsLeft);
    if (steps <= 0) return false;
    const work = { stepsLeft: steps };
    const isIgnored = this.#rulesIn(names.slice(0, -1)).ignores(names.at(-1) ?? "", isFolder, work);
    this.#stepsLeft -= steps - work.stepsLeft;
    return isIgnored;
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
      const size = Number(standing.stat.size);
      if (size > Math.min(ignoreCharsMax, this.#bytesLeft)) return "";
      this.#bytesLeft -= size;
      // No more than was counted, also where it has grown meanwhile.
      const bytes = Buffer.alloc(size);
      return bytes.toString("utf8", 0, readSync(standing.fd, bytes, 0, size, 0));
    } finally {
      closeSync(standing.fd);
    }
  }
}
