import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noSmallDisks, SmallDisk } from "../../../test/support/small-disk.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { DiskWatch } from "./disk-watch.ts";
import { GroundDisk } from "./ground-disk.ts";

const mib = 1024 * 1024;

function watchOf(disk: Pick<GroundDisk, "keepRoom" | "freeBytesMin">): {
  watch: DiskWatch;
  said: string[];
  at: { ms: number };
} {
  const said: string[] = [];
  const at = { ms: 0 };
  const clock = { setTimer: () => () => undefined, monotonicMs: () => at.ms };
  const onDefect = (error: unknown): never => {
    throw error;
  };
  return { watch: new DiskWatch({ clock, disk, say: (sentence) => void said.push(sentence), onDefect }), said, at };
}

test("[MT8] people are told that nothing begins, and when there is room again", async () => {
  let freeBytes = 600 * mib;
  const disk = { freeBytesMin: 512 * mib, keepRoom: async () => ({ freeBytes, totalBytes: 1e12 }) };
  const { watch, said } = watchOf(disk);
  await watch.look();
  expect([watch.word, said]).toEqual([null, []]);
  freeBytes = 100 * mib;
  await watch.look();
  await watch.look();
  expect(watch.word).toMatch(/^100 MiB are free .* waits until there are 512 MiB/);
  expect(said).toEqual([`disk: ${watch.word}`]);
  freeBytes = 600 * mib;
  await watch.look();
  expect([watch.word, said.at(-1)]).toEqual([null, "disk: there is room again"]);
});

test("[MT7] people are told for a day whose dependency folders went", () => {
  const disk = { freeBytesMin: 1, keepRoom: async () => ({ freeBytes: 2, totalBytes: 2 }) };
  const { watch, said, at } = watchOf(disk);
  watch.noteScratch(new Map());
  expect(watch.word).toBe(null);
  watch.noteScratch(new Map([["r_1", ["node_modules", "web/node_modules"]]]));
  watch.noteScratch(new Map([["r_2", ["target"]]]));
  expect(watch.word).toMatch(/dependency folders of r_1, r_2 went/);
  expect(said[0]).toBe("disk: node_modules, web/node_modules of r_1 went, to make room");
  at.ms = 25 * 3_600_000;
  expect(watch.word).toBe(null);
});

test.skipIf(noSmallDisks)("[MT6] a disk that becomes full gets room before it is, for real", async () => {
  const folder = makeTempFolder();
  SmallDisk.willBeUnmounted(() => folder);
  const small = SmallDisk.over(folder);
  const disk = new GroundDisk({ folder, freeBytesMin: 8 * mib, tidyBytesMin: 32 * mib });
  for (const name of ["warm", "images"]) writeFileSync(join(folder, name), Buffer.alloc(24 * mib, 1));
  for (const name of ["warm", "images"])
    disk.whenLow(name === "warm" ? "dependencies" : "images", async () => {
      rmSync(join(folder, name));
      return { count: 1 };
    });
  const { watch } = watchOf(disk);
  await watch.look();
  small.fill();
  expect((await disk.space()).freeBytes).toBeLessThan(32 * mib);
  await watch.look();
  expect(watch.word).toBe(null);
  // No more went than had to.
  expect((await disk.space()).freeBytes).toBeGreaterThanOrEqual(32 * mib);
  expect((await disk.space()).freeBytes).toBeLessThan(48 * mib);
});
