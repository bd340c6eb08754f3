// What the folder of an agent has in it, whoever lays it out: when the agent begins, or before anybody knows which one it will be.

import { chown, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceOrder } from "../../protocol/keeper/keeper-wire.ts";
import { inboxName, outboxName } from "./carrier.ts";

/** Where it stands (LD3). */
export const basesName = "bases.json";
/** What of others' dependencies it was mounted on. */
export const warmName = "warm.json";
/** The copy has a folder above it that is its owner's too: the keeper writes beside it. */
export const copyName = "clone/files";

const foldersOf = { overlay: ["upper", "work"], clone: ["clone"] } as const;

/** Makes the folders that are not there yet. */
export async function makeFolders(
  folder: string,
  kind: WorkspaceOrder["kind"],
  owner: { readonly uid: number; readonly gid: number },
): Promise<void> {
  const names = [...foldersOf[kind], "home", "tmp", inboxName, outboxName, "journal"];
  await Promise.all(
    names.map(async (name) => {
      const own = join(folder, name);
      await mkdir(own, { recursive: true, mode: name === inboxName ? 0o700 : 0o755 });
      await chown(own, owner.uid, owner.gid);
    }),
  );
}

/** The dependency folders that it was mounted on. */
export async function readWarm(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, warmName), "utf8").catch(() => "[]");
  return JSON.parse(text) as string[];
}

/** Those of them that are there: a daemon may have died before it put something where it had noted it. */
export async function readWarmThere(folder: string): Promise<string[]> {
  const paths = await readWarm(folder);
  const found = await Promise.all(paths.map(isThere));
  return paths.filter((_, at) => found[at]);
}

export async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
