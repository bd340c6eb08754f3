// What goes when the disk runs low, the least missed first (MT6). Each time is in the log.

import type { DiskWatch } from "../node/disk/disk-watch.ts";
import type { GroundDisk } from "../node/disk/ground-disk.ts";
import type { EngineLine } from "../node/engine-line.ts";
import type { Images } from "../node/images/images.ts";
import type { LocalNode } from "../node/local-node.ts";
import type { Workspaces } from "../node/workspace/workspaces.ts";
import type { Storage } from "./storage/storage.ts";

export type RoomParts = {
  readonly workspaces: Pick<Workspaces, "pruneWarm" | "homes">;
  readonly images: Pick<Images, "prune">;
  readonly storage: Pick<Storage, "collect">;
  readonly node: Pick<LocalNode, "spares">;
  readonly diskWatch: Pick<DiskWatch, "noteScratch">;
  readonly line: Pick<EngineLine, "submit">;
};

export function makeRoomOn(
  disk: Pick<GroundDisk, "whenLow" | "whenMade">,
  { workspaces, images, storage, node, diskWatch, line }: RoomParts,
): void {
  // First: they stand on the next.
  disk.whenLow("workspaces", async () => ({ count: await node.spares.prunePlaces() }));
  disk.whenLow("dependencies", async () => ({ count: await workspaces.pruneWarm() }));
  disk.whenLow("images", async () => ({ count: (await images.prune({ all: true })).length }));
  disk.whenLow("homes", async () => ({ count: (await workspaces.homes?.prune()) ?? 0 }));
  disk.whenLow("contents", async () => {
    const collected = await storage.collect(null, false);
    return { count: collected.reduce((sum, { objects }) => sum + objects, 0) };
  });
  disk.whenLow("scratch", async () => {
    const gone = await node.spares.pruneScratch();
    diskWatch.noteScratch(gone);
    return { count: [...gone.values()].flat().length, runs: [...gone.keys()] };
  });
  disk.whenMade((made) => void line.submit({ actor: "system", input: { type: "room.note", ...made } }));
}
