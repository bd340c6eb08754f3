// Plants each bug in a copy of the tree, runs the simulation there, and expects it to fail.

import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { mutants } from "./all.ts";
import { keepHints, readHints } from "./hints.ts";
import { applyMutant, type Mutant } from "./mutant.ts";

export type MutantRun = {
  readonly mutant: Mutant;
  readonly caughtBy: string | undefined;
  /** The world in which it was caught. */
  readonly seed?: number | undefined;
  readonly seconds: number;
};

export type MutantOptions = {
  readonly jobs: number;
  /** Only mutants whose name has this in it. */
  readonly only: string | undefined;
  readonly seeds: number;
  /** Whether to write down which world caught which. */
  readonly keep: boolean;
};

const root = fileURLToPath(new URL("../..", import.meta.url));
const copied = ["src/base", "src/core", "src/ports", "src/engine", "sim", "package.json"];
const secondsMax = 240;

/** Prints a table; the exit code says whether each was caught. */
export async function showMutants(options: MutantOptions): Promise<number> {
  const chosen = mutants.filter(({ name }) => options.only === undefined || name.includes(options.only));
  for (const mutant of chosen) applyMutant(mutant, read(mutant.file));
  const runs = await tryMutants(chosen, options, ({ mutant, caughtBy, seconds }) =>
    console.log(
      `${caughtBy === undefined ? "SURVIVED" : "caught  "}  ${seconds.toFixed(0).padStart(3)} s  ${mutant.name}${caughtBy === undefined ? "" : `  (${caughtBy})`}`,
    ),
  );
  if (options.keep) keepHints(runs);
  const caught = runs.filter(({ caughtBy }) => caughtBy !== undefined).length;
  console.log(`${runs.length} mutants, ${caught} caught`);
  return caught === runs.length && runs.length > 0 ? 0 : 1;
}

export async function tryMutants(
  chosen: readonly Mutant[],
  options: Pick<MutantOptions, "jobs" | "seeds">,
  onRun: (run: MutantRun) => void = () => undefined,
): Promise<MutantRun[]> {
  const left = [...chosen];
  const hints = readHints();
  const runs: MutantRun[] = [];
  const work = async (): Promise<void> => {
    for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
      const run = await tryMutant(mutant, tree, { seeds: options.seeds, hint: hints[mutant.name] });
      runs.push(run);
      onRun(run);
    }
  };
  // One copy serves all, so that somebody who edits meanwhile does not change what is tried.
  const tree = copyTree(root);
  try {
    await Promise.all(Array.from({ length: Math.max(1, options.jobs) }, work));
  } finally {
    fs.rmSync(tree, { recursive: true, force: true });
  }
  return runs;
}

type Search = { readonly seeds: number; readonly hint: number | undefined };

async function tryMutant(mutant: Mutant, tree: string, search: Search): Promise<MutantRun> {
  const folder = copyTree(tree);
  try {
    const file = path.join(folder, mutant.file);
    fs.writeFileSync(file, applyMutant(mutant, fs.readFileSync(file, "utf8")));
    const startedMs = performance.now();
    const { code, output } = await run(folder, search);
    const seconds = (performance.now() - startedMs) / 1000;
    // A machine that is busy with other things has caught nothing yet, and tries the next all the same.
    if (code === "too late") return { mutant, caughtBy: undefined, seconds };
    // Its own exit code says that it found something; anything else is a broken mutant, not a caught one.
    const found = /^(\S+) at tick \d+: /m.exec(output)?.[1];
    if (code !== 0 && found === undefined)
      throw new Error(`mutant "${mutant.name}" does not run:\n${output.slice(-2000)}`);
    const seed = /^seed (\d+)$/m.exec(output)?.[1];
    return {
      mutant,
      caughtBy: code === 0 ? undefined : found,
      seed: seed === undefined ? seed : Number(seed),
      seconds,
    };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function run(folder: string, { seeds, hint }: Search): Promise<{ code: number | "too late"; output: string }> {
  const begin = hint === undefined ? [] : ["--begin", String(hint)];
  const args = ["sim/main.ts", "--seeds", String(seeds), ...begin, "--jobs", "1", "--first", "--no-keep"];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (output += bytes.toString()));
  let isLate = false;
  const timer = setTimeout(() => (isLate = child.kill("SIGKILL")), secondsMax * 1000);
  return new Promise((resolve) => {
    child.on("exit", (code) => {
      clearTimeout(timer);
      resolve({ code: isLate ? "too late" : (code ?? 1), output });
    });
  });
}

function copyTree(from: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "signalbox-mutant-"));
  for (const name of copied) fs.cpSync(path.join(from, name), path.join(folder, name), { recursive: true });
  return folder;
}

function read(file: string): string {
  return fs.readFileSync(path.join(root, file), "utf8");
}
