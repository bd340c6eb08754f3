// `npm run check`: everything that a change should pass before it is shown to others, in about a minute. With names
// (`node scripts/check.ts types lint`) only those steps run.

import fs from "node:fs";
import path from "node:path";
import { root, runInForeground, runQuietly } from "./run.ts";
import { dead, format, lint, runSteps, type Step, types } from "./steps.ts";

const reading: readonly Step[] = [types, lint, format, dead];
const running: readonly Step[] = [
  {
    name: "unit",
    run: () =>
      runQuietly([
        "node_modules/vitest/vitest.mjs",
        "run",
        "--project",
        "plain",
        "--project",
        "unit",
        "--reporter=dot",
      ]),
  },
  { name: "seeds", run: tryHundredSeeds },
];

process.exitCode = await main(process.argv.slice(2));

async function main(wanted: readonly string[]): Promise<number> {
  if (wanted[0] === "format-write") return await runInForeground(process.execPath, ["node_modules/oxfmt/bin/oxfmt"]);
  const known = [...reading, ...running].map(({ name }) => name);
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    console.error(`there is no step "${unknown}"; there are: ${known.join(", ")}`);
    return 2;
  }
  const isWanted = ({ name }: Step): boolean => wanted.length === 0 || wanted.includes(name);
  let failed = await runSteps(reading.filter(isWanted));
  // These take all the processors for themselves, so they run one after the other.
  for (const step of running.filter(isWanted)) failed += await runSteps([step]);
  if (failed > 0) console.error(`${failed} of the steps failed (see above).`);
  return failed > 0 ? 1 : 0;
}

async function tryHundredSeeds(): Promise<{ ok: boolean; output: string }> {
  if (!fs.existsSync(path.join(root, "sim/main.ts"))) return { ok: true, output: "" };
  return await runQuietly(["sim/main.ts", "--seeds", "100"]);
}
