import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { noSmallDisks, SmallDisk } from "../../../test/support/small-disk.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { DiskWatch } from "./disk-watch.ts";
import { GroundDisk, lackOf, type Space } from "./ground-disk.ts";

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

test.skipIf(noSmallDisks)(
  "[MT6, MT8] a disk that has no more files to give is full, however many bytes are free",
  async () => {
    const folder = makeTempFolder();
    SmallDisk.willBeUnmounted(() => folder);
    const small = SmallDisk.over(folder);
    const disk = new GroundDisk({ folder, freeBytesMin: 8 * mib, tidyBytesMin: 32 * mib });
    const gone: string[] = [];
    const fill = (name: string): void => {
      mkdirSync(join(folder, name));
      for (let at = 0; at < 1000; at++) writeFileSync(join(folder, name, String(at)), "");
    };
    fill("warm");
    disk.whenLow("dependencies", async () => {
      rmSync(join(folder, "warm"), { recursive: true, force: true });
      gone.push("warm");
      return { count: 1 };
    });
    const { watch } = watchOf(disk);
    await watch.look();
    expect(gone).toEqual([]);
    small.fillFiles(5);
    await watch.look();
    expect([gone, watch.word]).toEqual([["warm"], null]);
    // Nothing is left to let go of.
    fill("work");
    small.fillFiles(5);
    await watch.look();
    expect(watch.word).toMatch(/^there is room for 5 more files on .* waits until there are \d+ of them/);
    await expectFault(disk.mustHaveRoom(), "disk-low");
    await expect(disk.mustHaveRoom()).rejects.toThrow(
      /room for 5 more files in .*, and a new workspace needs \d+ of them/,
    );
  },
);

test("[MT6] a file system that has no files to count is looked at by its bytes alone", async () => {
  const space = async (): Promise<Space> => ({ freeBytes: 600 * mib, totalBytes: 1000 * mib });
  const disk = new GroundDisk({ folder: "/ground", space });
  await disk.mustHaveRoom();
  expect(lackOf({ ...(await space()), files: { free: 19_999, total: 1_000_000 } }, mib)).toEqual({
    ...{ lack: "there is room for 19999 more files", least: "20000 of them" },
  });
});
