// What a daemon does with its engine when that has just been opened, and before it is closed for good.

import type { SocketProjectLock } from "../adapters/lock/socket-project-lock.ts";
import type { Engine } from "../engine/engine.ts";
import type { KeeperPool } from "../node/keepers/keeper-pool.ts";

/** What a machine can bear when nobody has said anything; a person may change or remove it. */
const firstLimit = {
  name: "default",
  priority: -1000,
  enabled: true,
  scope: {},
  rules: { maxConcurrent: 64 },
} as const;

/** A project that another daemon works on would get two interlockings: then this one does not start at all. */
export async function takeProjects(engine: Engine, projects: SocketProjectLock): Promise<void> {
  for (const project of engine.state.projects.values()) if (!project.removed) await projects.take(project.root);
}

/** A keeper that waits costs memory and a moment of the machine: without a project nobody will want one. */
export function warmWhereThereIsWork(engine: Engine, pool: KeeperPool): void {
  const fill = (): void => void pool.fill().catch(() => undefined);
  if ([...engine.state.projects.values()].some(({ removed }) => !removed)) return fill();
  const forget = engine.subscribe((events) => {
    if (!events.some(({ type }) => type === "project.added")) return;
    forget();
    fill();
  });
}

/** Says what holds until a person says something else. */
export async function setFirstLimit(engine: Engine): Promise<void> {
  const input = { type: "policy.set", policy: firstLimit } as const;
  await new Promise<void>((resolve) => engine.submit({ actor: "system", input }, () => resolve()));
}

/** Resolves when nothing of any run is left. */
export async function endAllRuns(engine: Engine): Promise<void> {
  const isGone = (): boolean => [...engine.state.runs.values()].every((run) => run.startedAtMs === null || run.stopped);
  const input = {
    type: "run.terminate",
    select: { by: "all", project: null },
    because: "the daemon ends",
    force: true,
  } as const;
  await new Promise<void>((resolve) => engine.submit({ actor: "system", input }, () => resolve()));
  if (isGone()) return;
  await new Promise<void>((resolve) => {
    const forget = engine.subscribe(() => {
      if (!isGone()) return;
      forget();
      resolve();
    });
  });
}
