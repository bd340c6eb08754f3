import { CoreWorld } from "./core-world.ts";

/** How long a result under review resists those who wait for what it holds. */
export const patienceMs = 60_000;

/** A project in which a person approves what lands. */
export function reviewing(): CoreWorld {
  const world = new CoreWorld();
  world.project();
  world.policy("look", { approvalRequired: true, holdPatienceMs: patienceMs });
  return world;
}

/** A run that has changed these paths and is done with its work. */
export function inReview(world: CoreWorld, ...paths: readonly string[]): string {
  const run = world.started();
  world.write(run, ...paths);
  world.finish(run);
  return run;
}
