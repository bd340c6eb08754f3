// What a candidate stands on of its own run's dependencies, where no landed run has left any: docs/decisions/0012-warm-dependencies.md.

import { join } from "node:path";
import type { Entry } from "../../core/landing/entry.ts";
import type { Project } from "../../core/project/project.ts";
import type { Mainline } from "../../ports/mainline.ts";
import { removeTree } from "../../os/remove-tree.ts";
import { readPin } from "../images/image-pin.ts";
import { copyName, isThere } from "./agent-folder.ts";
import { agentPinOf } from "./image-pins.ts";
import { linkTree, type Owner } from "./link-tree.ts";
import { lockFoldersAt } from "./lock-folders.ts";

/** Whose they are: where its run works, and what stands there at a path by what is known of it. */
export type OwnDependencies = {
  readonly agent: string;
  readonly entryAt: (path: string) => Promise<Entry>;
  /** There is no such folder for the candidate, whatever its lock file says. */
  readonly lacks: (lock: string, folder: string) => void;
};

type Lending = {
  readonly project: Project;
  readonly mainline: Mainline;
  readonly commit: string;
  /** The id of the image that the candidate is tried in. */
  readonly image: string | null;
  /** The folder of the agent that has them, and of the one that gets them. */
  readonly from: string;
  readonly into: string;
  /** What that one stands on already. */
  readonly warm: readonly string[];
  readonly owner: Owner;
};

const ownName = "own-dependencies";

/** As they stand now, each beside the very same lock file. Nothing that their run does afterwards changes which files there are. */
export async function lendOwn(own: OwnDependencies, lending: Lending): Promise<string[]> {
  const { project, image, from, into, warm, owner } = lending;
  const isSameSystem = ((await readPin(agentPinOf(from)))?.id ?? null) === image;
  const root = join(from, (await isThere(join(from, "upper"))) ? "upper" : copyName);
  await removeTree(join(into, ownName));
  const lent: string[] = [];
  for (const { lock, entry, folder } of await lockFoldersAt(project, lending)) {
    if ((await Promise.all(warm.map((layer) => isThere(join(layer, folder))))).includes(true)) continue;
    const files = join(into, ownName, String(lent.length), "files");
    const isSame = isSameSystem && (await own.entryAt(lock)) === entry;
    if (isSame && (await linkTree({ root, way: folder }, join(files, folder), owner))) lent.push(files);
    else {
      await removeTree(files);
      own.lacks(lock, folder);
    }
  }
  return lent;
}
