import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { expectFault } from "../../../test/support/expect-fault.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { Quota } from "./quota.ts";

const MiB = 1024 ** 2;

class Disk {
  readonly folder = makeTempFolder();
  readonly quota: Quota;
  #count = 0;

  constructor(bytesMax: number | null) {
    this.quota = new Quota(bytesMax, [this.folder]);
  }

  write(bytes: number, folder = this.folder): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, String(++this.#count)), Buffer.alloc(bytes, 1));
  }

  /** Writes on and on until it is told, and its last after that. */
  async grow(writer: { wrote: number; passed: Promise<void> }): Promise<void> {
    const write = (): void => {
      this.write(MiB / 2);
      writer.wrote += MiB / 2;
    };
    const writing = setInterval(write, 20);
    await writer.passed;
    clearInterval(writing);
    write();
  }

  empty(): void {
    rmSync(this.folder, { recursive: true });
    mkdirSync(this.folder);
  }

  /** Somebody of whom the kernel says what `wrote` has. */
  async writer({ spared = false } = {}): Promise<{ wrote: number; passed: Promise<void>; isTold: boolean }> {
    const { promise: passed, resolve } = Promise.withResolvers<void>();
    const writer = { wrote: 0, passed, isTold: false };
    const onPassed = (): void => {
      writer.isTold = true;
      resolve();
    };
    const unwatch = await this.quota.watch({ wroteBytes: () => writer.wrote, onPassed: spared ? null : onPassed });
    onTestFinished(unwatch);
    // Who is told goes at once.
    void passed.then(unwatch);
    return writer;
  }
}

test("[SC19] tells whoever has written the most, and nobody else, until somebody grows again", async () => {
  const disk = new Disk(MiB);
  const [still, some, most] = [await disk.writer(), await disk.writer(), await disk.writer()];
  some.wrote = 1;
  await disk.grow(most);
  expect(some.isTold).toBe(false);
  await disk.grow(some);
  expect(still.isTold).toBe(false);
});

test("[SC19] tells everybody where the kernel tells of nobody, but whoever is spared", async () => {
  const disk = new Disk(MiB);
  const [one, other, driver] = [await disk.writer(), await disk.writer(), await disk.writer({ spared: true })];
  disk.write(4 * MiB);
  await Promise.all([one.passed, other.passed]);
  expect(driver.isTold).toBe(false);
});

test("[SC19] what whoever is spared has written is nobody else's", async () => {
  const disk = new Disk(MiB);
  const [service, driver] = [await disk.writer(), await disk.writer({ spared: true })];
  driver.wrote = 4 * MiB;
  disk.write(4 * MiB);
  await disk.grow(await disk.writer());
  expect(service.isTold).toBe(false);
});

test("[SC19] another bound holds for whoever writes already, and none lets them", async () => {
  const disk = new Disk(null);
  const writer = await disk.writer();
  disk.write(4 * MiB);
  await disk.quota.check(MiB);
  await disk.quota.set(MiB);
  await expectFault(disk.quota.check(1), "disk-quota");
  await disk.quota.set(8 * MiB);
  await disk.quota.check(MiB);
  await disk.quota.set(MiB);
  disk.write(MiB);
  writer.wrote = MiB;
  await writer.passed;
  await disk.quota.set(null);
  await disk.quota.check(100 * MiB);
});

test("[SC19] who begins beyond it may be there, and may tidy up", async () => {
  const disk = new Disk(MiB);
  disk.write(4 * MiB);
  const early = await disk.writer();
  disk.empty();
  await disk.quota.check(0);
  const late = await disk.writer();
  disk.write(3 * MiB);
  late.wrote = 3 * MiB;
  await late.passed;
  expect(early.isTold).toBe(false);
});

test("[SC23] a usual share holds where nobody has said more or less, and is counted once the disk has less than the rest", async () => {
  const folder = makeTempFolder();
  const quotaWith = (spareBytes: number | null): Quota => new Quota(null, [folder], { bytes: MiB, spareBytes });
  writeFileSync(join(folder, "file"), Buffer.alloc(2 * MiB, 1));
  await quotaWith(1).check(0);
  await expectFault(quotaWith(Number.MAX_SAFE_INTEGER).check(0), "disk-quota");
  const always = quotaWith(null);
  await expectFault(always.check(0), "disk-quota");
  await always.set(8 * MiB);
  await always.check(0);
  await always.set(null);
  await expectFault(always.check(0), "disk-quota");
});

test("[SV62] folders that stay of a service's system count, too", async () => {
  const disk = new Disk(MiB);
  const data = makeTempFolder();
  disk.write(4 * MiB, data);
  await disk.quota.check(0);
  disk.quota.count([data]);
  await expectFault(disk.quota.check(0), "disk-quota");
});
