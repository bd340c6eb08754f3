// What a simulated runner does, step by step. Numbered steps are calls; the same number again is the same call.

import type { Prng } from "../../src/base/prng.ts";

export type Step =
  | { readonly do: "claim"; readonly units: readonly string[] }
  | {
      readonly do: "write";
      readonly unit: string;
      readonly bytes: number;
      readonly thinkMs?: number;
      /** Removes the file instead. */
      readonly remove?: true;
    }
  /** Writes to whatever it likes, without a lease. */
  | { readonly do: "command"; readonly paths: readonly string[]; readonly ms: number }
  | { readonly do: "process"; readonly unit: string; readonly ms: number }
  | { readonly do: "sleep"; readonly ms: number }
  /** Reads a file: recorded in one step where its run is at work. */
  | { readonly do: "look"; readonly path: string }
  | { readonly do: "say" | "ask" | "fail" }
  | { readonly do: "release"; readonly units: readonly string[] | null; readonly setAside: boolean }
  /** Starts a run: a sub-run in the same family, or a separate one. */
  | {
      readonly do: "start";
      readonly sub: boolean;
      /** Whether it has assistants that take over from each other. */
      readonly team: boolean;
      readonly plan: readonly string[];
      readonly steps: readonly Step[];
    }
  /** Waits for the run that the step at this index started. */
  | { readonly do: "wait"; readonly of: number };

export const processUnits = ["process:test", "process:build", "process:own"] as const;

const manyPaths = [
  ...[
    "file:src/a",
    "file:src/b",
    "file:src/sub/c",
    "file:doc",
    "file:lib/x",
    "file:lib/x/y",
    "file:lib/x/z",
    "file:SRC/A",
  ],
  ...["dir:src", "dir:src/sub", "dir:lib", "dir:lib/x"],
];
// A file where others see a folder: what a hold yields takes its kin along.
const fewPaths = ["file:src/a", "file:src/a/x", "file:src/a/y", "dir:src", "dir:src/a", "file:doc"];

export function pathPool(few: boolean): readonly string[] {
  return few ? fewPaths : manyPaths;
}

export function pickUnits(prng: Prng, paths: readonly string[], max: number): string[] {
  const units = new Set<string>();
  for (let left = prng.between(1, max); left > 0; left--) {
    units.add(prng.chance(0.15) ? prng.pick(processUnits) : prng.pick(paths));
  }
  return [...units];
}

export function makeScript(prng: Prng, paths: readonly string[], depth: number): Step[] {
  const steps: Step[] = [];
  const files = paths.filter((unit) => unit.startsWith("file:"));
  for (let left = prng.between(1, 6); left > 0; left--) {
    const roll = prng.unit();
    if (roll < 0.18) steps.push({ do: "claim", units: pickUnits(prng, paths, 3) });
    else if (roll < 0.4) {
      const remove = prng.chance(0.12) ? ({ remove: true } as const) : {};
      const write: Step = { do: "write", unit: prng.pick(files), bytes: prng.between(1, 900), ...remove };
      // Some do the same again and again.
      for (let times = prng.chance(0.1) ? 4 : 1; times > 0; times--) steps.push(write);
    } else if (roll < 0.47) {
      const paths = Array.from({ length: prng.between(1, 4) }, () => prng.pick(files).slice("file:".length));
      steps.push({ do: "command", paths: [...new Set(paths)], ms: prng.pick([10, 2000, 15_000]) });
    } else if (roll < 0.5) {
      // A file becomes a folder.
      const inner = prng.pick(files);
      const outer = files.find((unit) => inner.startsWith(`${unit}/`));
      if (outer !== undefined) steps.push({ do: "claim", units: [outer.replace("file:", "dir:")] });
      if (outer !== undefined) steps.push({ do: "write", unit: outer, bytes: 1, remove: true });
      steps.push({ do: "write", unit: inner, bytes: 9 });
    } else if (roll < 0.62)
      steps.push({ do: "process", unit: prng.pick(processUnits), ms: prng.pick([100, 3000, 20_000]) });
    else if (roll < 0.68) {
      const ms = prng.pick([10, 2000, 15_000]);
      steps.push(ms === 10 ? { do: "look", path: "doc" } : { do: "sleep", ms });
    } else if (roll < 0.71) steps.push({ do: "say" });
    else if (roll < 0.75) steps.push({ do: "ask" });
    else if (roll < 0.81) {
      const units = prng.chance(0.4) ? null : pickUnits(prng, paths, 2);
      steps.push({ do: "release", units, setAside: prng.chance(0.5) });
    } else if (roll < 0.83) steps.push({ do: "fail" });
    else if (depth > 0 && roll < 0.88) {
      // Gives back what a sub-run is about to write: its act comes too late.
      const slow: Step = { do: "write", unit: prng.pick(files), bytes: 1, thinkMs: prng.between(2000, 25_000) };
      steps.push({ do: "start", sub: true, team: false, plan: [], steps: [slow] });
      steps.push({ do: "sleep", ms: prng.between(500, 4000) }, { do: "release", units: null, setAside: true });
    } else if (depth > 0) {
      const sub = prng.chance(0.5);
      const at = steps.length;
      const plan = sub || prng.chance(0.5) ? [] : pickUnits(prng, paths, 2);
      steps.push({ do: "start", sub, team: prng.chance(0.3), plan, steps: makeScript(prng, paths, depth - 1) });
      if (prng.chance(0.6)) steps.push({ do: "wait", of: at });
    }
  }
  return steps;
}

/** How many calls come before the step at this index. */
export function callNumber(steps: readonly Step[], index: number): number {
  return steps.slice(0, index).filter((step) => step.do !== "release" && step.do !== "start" && step.do !== "fail")
    .length;
}
