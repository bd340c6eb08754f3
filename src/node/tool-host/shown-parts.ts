// Which parts of mainline's side of a conflict a run was shown at its door. It is kept beside its calls, so that a daemon that comes
// after knows it too. Losing it costs the run another look, and nothing else.

import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Entry } from "../../core/landing/entry.ts";
import { type Lines, together, unreadOf } from "./unread-lines.ts";

type Part = { readonly path: string; readonly entry: Entry } & Lines;

export class ShownParts {
  readonly #file: string;
  /** By side of a path, in their order. */
  #known: Map<string, readonly Lines[]> | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  of(path: string, entry: Entry): readonly Lines[] {
    this.#known ??= read(this.#file);
    return this.#known.get(keyOf(path, entry)) ?? [];
  }

  note(path: string, entry: Entry, { from, to }: Lines): void {
    const known = this.of(path, entry);
    // What is shown again is known.
    if (unreadOf([{ from, to }], known).length === 0) return;
    this.#known?.set(keyOf(path, entry), together([...known, { from, to }]));
    const part: Part = { path, entry, from, to };
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      appendFileSync(this.#file, `${JSON.stringify(part)}\n`, { mode: 0o600 });
    } catch {
      // On a full disk this daemon still knows it.
    }
  }
}

function keyOf(path: string, entry: Entry): string {
  return JSON.stringify([path, entry]);
}

function read(file: string): Map<string, readonly Lines[]> {
  const parts = Map.groupBy(partsIn(file), ({ path, entry }) => keyOf(path, entry));
  return new Map([...parts].map(([key, lines]) => [key, together(lines)]));
}

function partsIn(file: string): Part[] {
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as Part];
    } catch {
      // The last line may have been cut off with its daemon.
      return [];
    }
  });
}
