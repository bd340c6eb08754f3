// Runs one seed. The world itself has no clock and no process; here it gets what only Node can give: a way to let all
// promises run, and an ear for those that nobody waited for.

import { allCheckers } from "./checkers/all.ts";
import { World, type WorldResult } from "./world/world.ts";

export async function runSeed(seed: number, steps: number | undefined): Promise<WorldResult> {
  return await runWorld(makeWorld(seed, steps));
}

export function makeWorld(seed: number, steps: number | undefined): World {
  const drain = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return new World({ seed, steps, checkers: allCheckers, drain });
}

export async function runWorld(world: World): Promise<WorldResult> {
  const lost: unknown[] = [];
  const listen = (error: unknown): void => void lost.push(error);
  process.on("unhandledRejection", listen);
  try {
    const result = await world.run();
    const [error] = lost;
    if (error === undefined || result.violation !== undefined) return result;
    const sentence = `a promise failed and nobody heard of it: ${error instanceof Error ? error.message : "?"}`;
    return { ...result, violation: { kind: "DEFECT", tick: result.steps, sentence, events: [] } };
  } finally {
    process.off("unhandledRejection", listen);
  }
}
