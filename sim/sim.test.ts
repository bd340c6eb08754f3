import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { mutants } from "./mutants/all.ts";
import { applyMutant } from "./mutants/mutant.ts";
import { tryMutants } from "./mutants/try-mutants.ts";
import { runSeed } from "./run-seed.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

test("sixty worlds are hurt, heal, and nothing goes wrong", { timeout: 120_000 }, async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const { violation } = await runSeed(seed, undefined);
    expect(violation === undefined ? "" : `seed ${seed}: ${violation.kind}: ${violation.sentence}`).toBe("");
  }
});

test("a seed always gives the same world", { timeout: 60_000 }, async () => {
  const first = await runSeed(7, undefined);
  const again = await runSeed(7, undefined);
  expect(again).toEqual(first);
});

test("no mutant has rotted, and there are many", () => {
  expect(mutants.length).toBeGreaterThanOrEqual(40);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  for (const mutant of mutants) {
    const text = fs.readFileSync(`${root}/${mutant.file}`, "utf8");
    expect(applyMutant(mutant, text)).not.toBe(text);
  }
});

// One from each part; `npm run sim -- --mutants` tries them all.
const representative = [
  "the index forgets what lies beneath a folder",
  "equal priorities pass each other",
  "what a claim leaves behind wakes nobody",
  "a parked run keeps its slot",
  "answers leave before anything is durable",
  "time follows the wall clock",
  "what a run changed goes when it ends",
  "the later of two changes wins",
];

test("planted bugs are caught", { timeout: 180_000 }, async () => {
  const chosen = mutants.filter(({ name }) => representative.includes(name));
  const runs = await tryMutants(chosen, { jobs: 2, seeds: 60 });
  expect(runs.filter(({ caughtBy }) => caughtBy === undefined).map(({ mutant }) => mutant.name)).toEqual([]);
  expect(runs).toHaveLength(representative.length);
});
