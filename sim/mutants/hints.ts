// Which world caught which planted bug last. It is tried first, so that a search that took a thousand worlds once takes one the
// next time. It is a hint and no more: when the code has changed, the same number makes another world.

import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { compareText } from "../../src/base/canonical.ts";
import type { MutantRun } from "./try-mutants.ts";

const file = fileURLToPath(new URL("hints.json", import.meta.url));

export function readHints(): Readonly<Record<string, number>> {
  return fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, number>) : {};
}

/** Writes down what is new. One that was not caught keeps its hint: the machine may only have been too busy. */
export function keepHints(runs: readonly MutantRun[]): void {
  const found = runs.flatMap(({ mutant, seed }) => (seed === undefined ? [] : [[mutant.name, seed] as const]));
  const all = Object.entries({ ...readHints(), ...Object.fromEntries(found) }).toSorted(([a], [b]) =>
    compareText(a, b),
  );
  fs.writeFileSync(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
