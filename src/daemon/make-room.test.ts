import { expect, test } from "vitest";
import type { Given } from "../core/inputs.ts";
import { GroundDisk } from "../node/disk/ground-disk.ts";
import { makeRoomOn } from "./make-room.ts";

test("[MT6, MT9] what can be made again goes, the least missed first, and the log is told what went", async () => {
  let freeBytes = 10;
  const told: Given[] = [];
  const noted: unknown[] = [];
  const disk = new GroundDisk({
    ...{ folder: "/ground", freeBytesMin: 100, space: () => Promise.resolve({ freeBytes, totalBytes: 1000 }) },
  });
  const free = <T>(bytes: number, gone: T): Promise<T> => {
    freeBytes += bytes;
    return Promise.resolve(gone);
  };
  const line = {
    submit: (given: Given) => {
      told.push(given);
      return Promise.resolve({ ok: true, value: null } as never);
    },
  };
  makeRoomOn(disk, {
    workspaces: { pruneWarm: () => free(20, 3), homes: undefined },
    images: { prune: () => free(0, []) },
    storage: { collect: () => free(5, [{ objects: 7 }, { objects: 1 }] as never) },
    node: {
      spares: {
        prunePlaces: () => free(1, 4),
        pruneScratch: () => free(80, new Map([["r_1", ["node_modules", "web/node_modules"]]])),
      },
    },
    diskWatch: { noteScratch: (gone) => void noted.push([...gone.keys()]) },
    line,
  });
  await disk.mustHaveRoom();
  const spares = [
    { what: "workspaces", count: 4 },
    { what: "dependencies", count: 3 },
    { what: "contents", count: 8 },
    { what: "scratch", count: 2 },
  ];
  const input = { type: "room.note", freeBytes: 116, freedBytes: 106, spares, runs: ["r_1"] };
  expect(told).toEqual([{ actor: "system", input }]);
  expect(noted).toEqual([["r_1"]]);
});
