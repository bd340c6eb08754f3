// Lets go of objects of our repository that nothing needs. They are looked up one by one among the loose ones, which is how
// we write: what a fetch brought in one pack stays in it. Anything that is written meanwhile is kept, whatever the plan said.

import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Collected, CollectOrder } from "../../ports/mainline.ts";
import { type GitRunner, gitFailed } from "./git-runner.ts";
import { isObjectName } from "./object-codec.ts";
import { type ObjectStore, tornPrefix } from "./object-store.ts";

type Parts = { readonly git: GitRunner; readonly gitDir: string; readonly store: ObjectStore };

const restEvery = 50;

/** `trees` are those that layers were made of: the next layer is told by its difference from one of them. */
export async function collectObjects(
  { git, gitDir, store }: Parts,
  order: CollectOrder,
  trees: () => Promise<readonly string[]>,
): Promise<Collected> {
  return await store.whileNoting(async (isNoted, remove) => {
    const { commits, blobs } = await order.kept();
    const oldest = await looseIn(gitDir, Date.now() - order.youngMs);
    for (const blob of blobs) oldest.delete(blob);
    const roots = [...commits, ...(await trees())].filter(isObjectName);
    if (oldest.size > 0) await dropReachable({ git, gitDir }, roots, oldest);
    let bytes = 0;
    let objects = 0;
    for (const [id, size] of oldest) {
      // Each removal asks again by itself, so others may have their turn between two.
      if (objects % restEvery === restEvery - 1) await new Promise(setImmediate);
      if (isNoted(id) || (!order.dryRun && !remove(id))) continue;
      objects++;
      bytes += size;
    }
    bytes += await dropTorn(gitDir, Date.now() - order.youngMs, order.dryRun);
    return { objects, bytes };
  });
}

/** What was being written when somebody was killed, and has no name yet. Whoever still writes does so now. */
async function dropTorn(gitDir: string, beforeMs: number, dryRun: boolean): Promise<number> {
  let bytes = 0;
  const folder = path.join(gitDir, "objects");
  for (const name of await readdir(folder)) {
    if (!name.startsWith(tornPrefix)) continue;
    const file = path.join(folder, name);
    const there = await stat(file).catch(() => undefined);
    if (there === undefined || there.mtimeMs > beforeMs) continue;
    bytes += there.blocks * 512;
    if (!dryRun) await rm(file, { force: true });
  }
  return bytes;
}

/** Loose objects that were last written before an instant, with what they take on the disk. */
async function looseIn(gitDir: string, beforeMs: number): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const prefix of await readdir(path.join(gitDir, "objects"))) {
    if (!/^[0-9a-f]{2}$/.test(prefix)) continue;
    const folder = path.join(gitDir, "objects", prefix);
    for (const name of await readdir(folder)) {
      if (!isObjectName(prefix + name)) continue;
      const { mtimeMs, blocks } = await stat(path.join(folder, name));
      if (mtimeMs <= beforeMs) found.set(prefix + name, blocks * 512);
    }
  }
  return found;
}

/** Strikes out what refs and roots reach. Whatever git cannot walk to its end leaves everything as it is. */
async function dropReachable(
  { git, gitDir }: Pick<Parts, "git" | "gitDir">,
  roots: readonly string[],
  from: Map<string, number>,
): Promise<void> {
  const args = ["rev-list", "--objects", "--no-object-names", "--ignore-missing", "--all", "--reflog", "--stdin"];
  const child = git.start({ gitDir }, args);
  let error = "";
  child.stderr.on("data", (chunk: Buffer) => (error = (error + chunk.toString()).slice(-1000)));
  child.stdin.on("error", () => undefined);
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 128));
  });
  ended.catch(() => undefined);
  child.stdin.end(roots.map((root) => `${root}\n`).join(""));
  for await (const id of createInterface({ input: child.stdout })) from.delete(id);
  const exit = await ended.catch((cause: unknown) => {
    throw gitFailed(args, cause instanceof Error ? cause.message : String(cause), cause);
  });
  if (exit !== 0) throw gitFailed(args, `${error.trim()} (exit ${exit})`);
}
