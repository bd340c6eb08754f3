// Which parts of mainline's side of a conflict a run was shown at its door. It is kept beside its calls, so that a daemon that comes
// after knows it too. Losing it costs the run another look, and nothing else.

import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Entry } from "../../core/landing/entry.ts";
import type { Lines } from "./unread-lines.ts";

type Part = { readonly path: string; readonly entry: Entry } & Lines;

export class ShownParts {
  readonly #file: string;
  #known: Part[] | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  of(path: string, entry: Entry): readonly Lines[] {
    this.#known ??= read(this.#file);
    return this.#known.filter((part) => part.path === path && part.entry === entry);
  }

  note(path: string, entry: Entry, { from, to }: Lines): void {
    const part = { path, entry, from, to };
    if (to < from) return;
    this.#known ??= read(this.#file);
    this.#known.push(part);
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      appendFileSync(this.#file, `${JSON.stringify(part)}\n`, { mode: 0o600 });
    } catch {
      // On a full disk this daemon still knows it.
    }
  }
}

function read(file: string): Part[] {
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
