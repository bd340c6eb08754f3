// What a run has seen of files at its door: what it read, and what it wrote itself. It is kept beside its calls, so that a
// daemon that comes after knows it too. Losing it costs the run another look, and nothing else.

import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Entry } from "../../core/landing/entry.ts";

type Seen = { readonly path: string; readonly entry: Entry };

/** Whether a run has seen what stands somewhere, or something else, or nothing yet. */
export type Sight = "this" | "other" | "never";

export class SeenFiles {
  readonly #file: string;
  #last: Map<string, Entry> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  sightOf(path: string, entry: Entry): Sight {
    const last = this.lastOf(path);
    if (last === undefined) return "never";
    return last === entry ? "this" : "other";
  }

  /** What the run has seen of a path last; undefined where it has not seen it. */
  lastOf(path: string): Entry | undefined {
    return this.#known().get(path);
  }

  note(seen: readonly Seen[]): void {
    const known = this.#known();
    const news = seen.filter(({ path, entry }) => known.get(path) !== entry);
    if (news.length === 0) return;
    for (const { path, entry } of news) known.set(path, entry);
    const lines = news.map((each) => `${JSON.stringify([each.path, each.entry])}\n`).join("");
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      appendFileSync(this.#file, lines);
    } catch {
      // On a full disk this daemon still knows it. What was read or written stays so, and nobody is told that it was not.
    }
  }

  #known(): Map<string, Entry> {
    this.#last ??= read(this.#file);
    return this.#last;
  }
}

function read(file: string): Map<string, Entry> {
  const found = new Map<string, Entry>();
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return found;
  }
  for (const line of text.split("\n")) {
    try {
      const [path, entry] = JSON.parse(line) as [string, Entry];
      found.set(path, entry);
    } catch {
      // The last line may have been cut off with its daemon.
    }
  }
  return found;
}
