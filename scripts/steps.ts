// What `npm run check` and `npm test` have in common: the checks that read the code without running it.

import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Outcome, root, runQuietly } from "./run.ts";

export interface Step {
  name: string;
  run: () => Promise<Outcome>;
}

export const types: Step = { name: "types", run: checkTypes };
export const lint: Step = {
  name: "lint",
  run: () => runQuietly(["node_modules/oxlint/bin/oxlint", "--deny-warnings"]),
};
export const format: Step = { name: "format", run: () => runQuietly(["node_modules/oxfmt/bin/oxfmt", "--check"]) };
export const dead: Step = { name: "dead", run: () => runQuietly(["node_modules/knip/bin/knip.js", "--no-progress"]) };

/** Runs steps side by side, prints a line for each as it ends, and the output of those that failed. */
export async function runSteps(steps: readonly Step[]): Promise<number> {
  let failed = 0;
  await Promise.all(
    steps.map(async (step) => {
      const startedMs = performance.now();
      const outcome = await step.run();
      report(step.name, outcome.ok, performance.now() - startedMs);
      if (outcome.ok) return;
      failed += 1;
      process.stdout.write(`${outcome.output.trimEnd()}\n`);
    }),
  );
  return failed;
}

export function report(name: string, ok: boolean, tookMs: number): void {
  console.log(`${name.padEnd(8)} ${ok ? "ok    " : "FAILED"} ${(tookMs / 1000).toFixed(1)} s`);
}

// Layers that see the same names are compiled together: what they share, above all the contract, is checked once and not once
// for each of them. One checker each, because several would infer the same types side by side.
async function checkTypes(): Promise<Outcome> {
  const waiting = writeCompilations();
  const outcomes: Outcome[] = [];
  const worker = async (): Promise<void> => {
    for (let config = waiting.shift(); config !== undefined; config = waiting.shift()) {
      outcomes.push(await runQuietly(["node_modules/typescript/bin/tsc", "-p", config, ...compilerFlags(config)]));
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  // A mistake in a layer shows again in each compilation above it; once is enough.
  const lines = new Set(outcomes.filter(({ ok }) => !ok).flatMap(({ output }) => output.trim().split("\n")));
  return { ok: outcomes.every(({ ok }) => ok), output: [...lines].join("\n") };
}

/** What was found last time is kept beside the config, so that only what has changed since is looked at again. */
function compilerFlags(config: string): string[] {
  return ["--pretty", "false", "--checkers", "1", "--incremental", "--tsBuildInfoFile", `${config}.tsbuildinfo`];
}

/** A config for each set of names, in .cache: the folders of a layer have their own for editors, with the same options. */
function writeCompilations(): string[] {
  const byNames = new Map<string, string[]>();
  for (const config of ["tsconfig.tests.json", ...findLayerConfigs()]) {
    const { compilerOptions } = readConfig(config);
    const names = JSON.stringify(compilerOptions);
    byNames.set(names, [...(byNames.get(names) ?? []), config]);
  }
  const folder = path.join(root, ".cache", "types");
  fs.mkdirSync(folder, { recursive: true });
  // Tests come first: they are the most, and the last to end.
  return [...byNames].map(([names, configs]) => {
    const toRoot = (config: string) => (pattern: string) =>
      `../../${path.posix.join(path.posix.dirname(config), pattern)}`;
    const all = configs.map((config) => ({ ...readConfig(config), toRoot: toRoot(config) }));
    const text = JSON.stringify({
      extends: "../../tsconfig.base.json",
      compilerOptions: JSON.parse(names) as object,
      include: all.flatMap(({ include, toRoot: here }) => include.map(here)),
      exclude: all.flatMap(({ exclude, toRoot: here }) => (exclude ?? []).map(here)),
    });
    const file = path.join(folder, (configs[0] ?? "").replaceAll("/", "-"));
    if (!fs.existsSync(file) || fs.readFileSync(file, "utf8") !== text) fs.writeFileSync(file, text);
    return path.relative(root, file);
  });
}

interface Config {
  readonly compilerOptions: object;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
}

function readConfig(file: string): Config {
  const lines = fs.readFileSync(path.join(root, file), "utf8").split("\n");
  return JSON.parse(lines.filter((line) => !line.trimStart().startsWith("//")).join("\n")) as Config;
}

function findLayerConfigs(): string[] {
  const folders = ["sim", "bench", "scripts", ...fs.readdirSync(path.join(root, "src")).map((name) => `src/${name}`)];
  return folders
    .filter((folder) => fs.existsSync(path.join(root, folder, "tsconfig.json")) && hasSource(folder))
    .map((folder) => `${folder}/tsconfig.json`);
}

// The compiler calls an empty folder an error, and a layer may have its config before its first file.
function hasSource(folder: string): boolean {
  const names = fs.readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" });
  return names.some((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name));
}
