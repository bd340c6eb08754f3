// `npm test`: the optional parts of the set-up, then types, lint, dead code and every test. The last line is
// `N passed, N failed`, alone, for whoever reads it by program; each of the reading steps counts as one. With arguments
// (`npm test -- src/core`) only vitest runs, with those arguments.

import fs from "node:fs";
import path from "node:path";
import { fetchAssistants } from "./assistants.ts";
import { root, runInForeground } from "./run.ts";
import { offerOptionalParts } from "./setup.ts";
import { dead, lint, runSteps, types } from "./steps.ts";
import { makeTestGround } from "./test-ground.ts";
import { addVitestReport, type Tally, toClosingLine } from "./tally.ts";

// A log file that is read by people or programs should not be full of colours.
if (!process.stdout.isTTY) process.env["NO_COLOR"] = "1";
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  if (args.length === 0) {
    await offerOptionalParts();
    if (process.env["CI"] === "true") fetchAssistants();
    const steps = [types, lint, dead];
    tally.failed += await runSteps(steps);
    tally.passed += steps.length - tally.failed;
  }
  await runVitest(tally, args);
  console.log(`\n${toClosingLine(tally)}`);
  return tally.failed === 0 ? 0 : 1;
}

async function runVitest(tally: Tally, args: readonly string[]): Promise<void> {
  // Named by pid, so that two test runs in one checkout do not read each other's results.
  const reportPath = path.join(root, ".cache", `vitest-${process.pid}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`];
  const ground = makeTestGround(process.env);
  // Daemons of tests trust each other: what one has compiled is good for all.
  if (ground !== undefined) Object.assign(process.env, { TMPDIR: ground.folder, SIGNALBOX_CACHE: ground.cache });
  try {
    const code = await runInForeground(process.execPath, [
      "node_modules/vitest/vitest.mjs",
      "run",
      ...reporters,
      ...args,
    ]);
    const report = fs.existsSync(reportPath) ? fs.readFileSync(reportPath, "utf8") : undefined;
    addVitestReport(tally, { exitCode: code, report });
  } finally {
    fs.rmSync(reportPath, { force: true });
    ground?.remove();
  }
}
