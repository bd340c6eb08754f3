import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { GroundDisk } from "./ground-disk.ts";

describe("the disk that agents live on", () => {
  test("lets go of one thing after another until there is room, and of nothing while there is", async () => {
    let freeBytes = 100;
    const done: string[] = [];
    const space = (): Promise<{ freeBytes: number; totalBytes: number }> =>
      Promise.resolve({ freeBytes, totalBytes: 1000 });
    const disk = new GroundDisk({ folder: "/ground", freeBytesMin: 50, space });
    for (const [name, bytes] of [
      ["first", 20],
      ["second", 20],
      ["third", 20],
    ] as const)
      disk.whenLow("homes", async () => {
        done.push(name);
        freeBytes += bytes;
        return { count: 1 };
      });
    await disk.mustHaveRoom();
    expect(done).toEqual([]);
    freeBytes = 10;
    await disk.mustHaveRoom();
    expect(done).toEqual(["first", "second"]);
    freeBytes = -100;
    await expectFault(disk.mustHaveRoom(), "disk-low");
  });

  test("[MT6] lets go of things before anybody needs the room, and does not try in vain again and again", async () => {
    let freeBytes = 300;
    let nowMs = 0;
    const done: string[] = [];
    const space = (): Promise<{ freeBytes: number; totalBytes: number }> =>
      Promise.resolve({ freeBytes, totalBytes: 1e9 });
    const disk = new GroundDisk({ folder: "/ground", freeBytesMin: 50, space, nowMs: () => nowMs });
    disk.whenLow("homes", async () => {
      done.push("let go");
      freeBytes += 30;
      return { count: 1 };
    });
    await disk.keepRoom();
    expect(done).toEqual([]);
    freeBytes = 180;
    expect(await disk.keepRoom()).toMatchObject({ freeBytes: 210 });
    freeBytes = 100;
    await disk.keepRoom();
    await disk.keepRoom();
    await disk.mustHaveRoom();
    expect(done).toHaveLength(2);
    nowMs = 600_000;
    await disk.keepRoom();
    expect(done).toHaveLength(3);
    // Who needs the least is not kept from trying because there was not enough to be comfortable.
    freeBytes = 30;
    await disk.mustHaveRoom();
    expect(done).toHaveLength(4);
  });

  test("[MT9] tells each time what went, of whom, and how much was free then; and nothing where nothing went", async () => {
    let freeBytes = 10;
    const made: unknown[] = [];
    const space = (): Promise<{ freeBytes: number; totalBytes: number }> =>
      Promise.resolve({ freeBytes, totalBytes: 1000 });
    const disk = new GroundDisk({ folder: "/ground", freeBytesMin: 50, space });
    disk.whenMade((each) => void made.push(each));
    disk.whenLow("images", async () => ({ count: 0 }));
    disk.whenLow("scratch", async () => {
      freeBytes += 90;
      return { count: 2, runs: ["r_1"] };
    });
    disk.whenLow("homes", async () => ({ count: 9 }));
    await disk.mustHaveRoom();
    await disk.mustHaveRoom();
    const spares = [{ what: "scratch", count: 2 }];
    expect(made).toEqual([{ freeBytes: 100, freedBytes: 90, spares, runs: ["r_1"] }]);
  });

  test("[MT6] a small disk is not asked for more than a part of it", async () => {
    const done: string[] = [];
    const space = (): Promise<{ freeBytes: number; totalBytes: number }> =>
      Promise.resolve({ freeBytes: 110, totalBytes: 1000 });
    const disk = new GroundDisk({ folder: "/ground", freeBytesMin: 50, space });
    disk.whenLow("homes", async () => ({ count: done.push("let go") }));
    await disk.keepRoom();
    expect(done).toEqual([]);
  });

  test("says what folders take, also such with odd names, and nothing of those that are not there", async () => {
    const folder = makeTempFolder();
    const odd = join(folder, "a\nb\tc");
    mkdirSync(odd);
    writeFileSync(join(odd, "x"), Buffer.alloc(100_000, 1));
    symlinkSync("/", join(odd, "root"));
    const disk = new GroundDisk({ folder });
    const sizes = await disk.measure([odd, join(folder, "none")]);
    expect(sizes.get(odd)).toBeGreaterThanOrEqual(100_000);
    expect(sizes.get(odd)).toBeLessThan(1_000_000);
    expect([...sizes.keys()]).toEqual([odd]);
    expect((await disk.space()).totalBytes).toBeGreaterThan(0);
  });
});
