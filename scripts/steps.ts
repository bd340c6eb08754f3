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

// One compilation per layer, because each layer sees different names. The compiler is fast enough that sharing work
// between them would save less than it explains.
async function checkTypes(): Promise<Outcome> {
  const waiting = ["tsconfig.tests.json", ...findLayerConfigs()];
  const outcomes: Outcome[] = [];
  const worker = async (): Promise<void> => {
    for (let config = waiting.shift(); config !== undefined; config = waiting.shift()) {
      outcomes.push(await runQuietly(["node_modules/typescript/bin/tsc", "-p", config, "--pretty", "false"]));
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  // A mistake in a layer shows again in each layer above it; once is enough.
  const lines = new Set(outcomes.filter(({ ok }) => !ok).flatMap(({ output }) => output.trim().split("\n")));
  return { ok: outcomes.every(({ ok }) => ok), output: [...lines].join("\n") };
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
