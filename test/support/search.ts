// How property tests search. A run of the tests is the same twice: it tries the same cases, and what it says of a change is true
// the next time. Who wants others asks for them: `SIGNALBOX_PROP_SEED=random SIGNALBOX_PROP_RUNS=20 npm run unit` searches
// elsewhere, twenty times as long; what it finds is printed with its seed and becomes an example of the test.

const factor = Number(process.env["SIGNALBOX_PROP_RUNS"] ?? "1");
const seedAsked = process.env["SIGNALBOX_PROP_SEED"] ?? "20260118";

export function runsOf(usual: number): number {
  return Math.max(1, Math.round(usual * (Number.isFinite(factor) ? factor : 1)));
}

export function search(usual: number): { readonly numRuns: number; readonly seed?: number } {
  const numRuns = runsOf(usual);
  return seedAsked === "random" ? { numRuns } : { numRuns, seed: Number(seedAsked) };
}
