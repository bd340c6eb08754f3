// The end of a home whose daemon is gone. Keepers outlive a daemon; the next one would find them, but there will be none.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { groundOutside } from "../../src/node/keepers/agent-ground.ts";
import { groupPrefixOf, groupsLike, sweepGroups } from "../../src/node/keepers/keeper-groups.ts";
import { homePaths } from "../../src/protocol/home.ts";
import { processesWith } from "./processes-with.ts";

const [lookEveryMs, goneMsMax] = [20, 20_000];

/** Ends the keepers of a home, and takes away their control groups and all folders. */
export async function removeHome(home: string): Promise<void> {
  for (const ground of [homePaths(home).node, groundOutside(home)]) {
    const keepers = join(ground, "keepers");
    for (const pid of processesWith(`${keepers}/`)) endIfThere(pid);
    await removeGroups(groupPrefixOf(keepers));
    // What a keeper had started to copy may go on for a moment.
    await rm(ground, { recursive: true, force: true, maxRetries: 10 });
  }
  await rm(home, { recursive: true, force: true, maxRetries: 10 });
}

/** The kernel takes a moment to end what was in a cage, and until then somebody is in its groups. */
async function removeGroups(prefix: string): Promise<void> {
  const untilMs = performance.now() + goneMsMax;
  for (;;) {
    await sweepGroups(prefix, new Set());
    const left = [...(await groupsLike(prefix)).values()].flat();
    if (left.length === 0) return;
    if (performance.now() > untilMs) throw new Error(`somebody is still in ${left.join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

function endIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
