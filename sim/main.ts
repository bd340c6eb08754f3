// `npm run sim -- --seeds N [--seed K] [--from S] [--steps M] [--jobs J] [--mutants]`

import fs from "node:fs";
import os from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runCampaign, type Failure, type Tally } from "./campaign.ts";
import { showMutants } from "./mutants/try-mutants.ts";
import { toLine } from "./longest.ts";
import { makeWorld, runWorld } from "./run-seed.ts";
import { findUnreached, sometimesSeedsMin } from "./sometimes.ts";
import { describeOptions } from "./world/options.ts";

const seedsPath = fileURLToPath(new URL("seeds.txt", import.meta.url));
const usage = `npm run sim -- --seeds N   try N worlds, after those that once failed
  --seed K     one world, told in detail
  --from S     the first seed (1)
  --begin K    begin with this seed, before all others
  --steps M    how long each world is hurt
  --jobs J     processes (one per core)
  --first      stop at the first violation
  --log        with --seed: print the whole log
  --no-keep    do not write failed seeds to sim/seeds.txt
  --mutants    plant bugs and see that each is caught
  --only TEXT  with --mutants: those with TEXT in their name`;

/** How many worlds a planted bug may stay hidden in. */
const mutantSeeds = 1000;

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seeds: { type: "string", default: "100" },
      seed: { type: "string" },
      from: { type: "string", default: "1" },
      begin: { type: "string" },
      steps: { type: "string" },
      jobs: { type: "string", default: String(os.availableParallelism()) },
      mutants: { type: "boolean", default: false },
      only: { type: "string" },
      log: { type: "boolean", default: false },
      first: { type: "boolean", default: false },
      "no-keep": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const { seeds, seed, begin, jobs } = values;
  const numbers = { seeds, seed, from: values.from, begin, steps: values.steps, jobs };
  const bad = Object.entries(numbers).find(([, value]) => value !== undefined && !/^\d{1,15}$/.test(value));
  if (values.help || bad !== undefined) {
    console.error(bad === undefined ? usage : `--${bad[0]} takes a whole number\n\n${usage}`);
    return values.help ? 0 : 2;
  }
  const steps = values.steps === undefined ? undefined : Number(values.steps);
  if (values.mutants) {
    const keep = !values["no-keep"];
    return await showMutants({ jobs: Number(jobs), only: values.only, seeds: mutantSeeds, keep });
  }
  if (seed !== undefined) return await showSeed(Number(seed), steps, values.log);
  const from = Number(values.from);
  const known = knownSeeds();
  const fresh = Array.from({ length: Number(seeds) }, (_, at) => from + at);
  const first = begin === undefined ? [] : [Number(begin)];
  const tally = await runCampaign({
    seeds: [...new Set([...first, ...known, ...fresh])],
    steps,
    jobs: Number(jobs),
    failuresMax: values.first ? 1 : 10,
    onProgress: showProgress,
  });
  clearProgress();
  for (const failure of tally.failures) show(failure);
  if (!values["no-keep"]) keep(tally.failures.filter((failure) => !known.includes(failure.seed)));
  const unreached = showUnreached(tally);
  for (const each of tally.longest) console.log(toLine(each));
  console.log(lastLine(tally));
  return tally.failures.length > 0 || unreached ? 1 : 0;
}

async function showSeed(seed: number, steps: number | undefined, withLog: boolean): Promise<number> {
  const world = makeWorld(seed, steps);
  console.log(describeOptions(world.options));
  const result = await runWorld(world);
  if (withLog) for (const text of world.log()) console.log(text);
  if (result.violation !== undefined) show({ ...result.violation, seed });
  const failures = result.violation === undefined ? [] : [{ ...result.violation, seed }];
  const { steps: taken, faults, longest } = result;
  for (const each of longest) console.log(toLine(each));
  console.log(lastLine({ seeds: 1, steps: taken, faults, failures, reached: new Map(), longest }));
  return result.violation === undefined ? 0 : 1;
}

function show({ seed, kind, tick, sentence, events }: Failure): void {
  console.log(`\nseed ${seed}`);
  console.log(`${kind} at tick ${tick}: ${sentence}`);
  for (const event of events) console.log(`  ${event.length > 240 ? `${event.slice(0, 240)}…` : event}`);
  console.log(`again: npm run sim -- --seed ${seed}`);
}

function lastLine({ seeds, steps, faults, failures }: Tally): string {
  return `${seeds} seeds, ${steps} steps, ${faults} faults, ${failures.length} violations`;
}

function showProgress(tally: Tally): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${lastLine(tally)} `);
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
}

/** Branches that no world came to. With many seeds that is a failure: something is no longer tried. */
function showUnreached(tally: Tally): boolean {
  const missing = findUnreached(tally.reached);
  if (missing.length === 0 || tally.failures.length > 0) return false;
  console.log(`never reached: ${missing.join("; ")}`);
  return tally.seeds >= sometimesSeedsMin;
}

/** Seeds that once failed: every campaign begins with them. */
function knownSeeds(): number[] {
  if (!fs.existsSync(seedsPath)) return [];
  const lines = fs.readFileSync(seedsPath, "utf8").split("\n");
  return lines
    .map((line) => /^\d+/.exec(line)?.[0])
    .filter((seed) => seed !== undefined)
    .map(Number);
}

function keep(failures: readonly Failure[]): void {
  const lines = failures.map(({ seed, kind, sentence }) => `${seed}  ${kind}: ${sentence}\n`);
  if (lines.length > 0) fs.appendFileSync(seedsPath, lines.join(""));
}
