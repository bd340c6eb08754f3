import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { TestClock } from "../../../test/support/test-clock.ts";
import { checkMaintenance } from "./check-maintenance.ts";
import { lastRoomOf } from "./last-room.ts";
import { type Job, maintainFirstMs, Maintenance } from "./maintenance.ts";

const hourMs = 3_600_000;

class Rig {
  readonly clock = new TestClock();
  readonly file = join(makeTempFolder(), "maintenance.json");
  readonly said: string[] = [];
  readonly done: string[] = [];
  readonly jobs: Job[] = [
    { name: "recordings", act: async (dryRun) => this.#did("recordings", dryRun) },
    { name: "garbage", act: async () => Promise.reject(new Error("no disk")) },
    { name: "images", act: async (dryRun) => this.#did("images", dryRun) },
  ];

  make(everyMs: number | null): Maintenance {
    const { clock, file, jobs, said } = this;
    return new Maintenance({ clock, file, jobs, everyMs, say: (sentence) => said.push(sentence) });
  }

  #did(name: string, dryRun: boolean): { count: number; bytes: number } {
    this.done.push(dryRun ? `${name}?` : name);
    return { count: 2, bytes: 1024 };
  }
}

test("[MT1] a round comes some minutes after the start and then at a steady pace, and not after the end", async () => {
  const rig = new Rig();
  const maintenance = rig.make(hourMs);
  await maintenance.begin();
  expect(rig.clock.nextMs).toBe(maintainFirstMs);
  rig.clock.advance(maintainFirstMs);
  await expect.poll(() => rig.clock.nextMs).toBe(hourMs);
  rig.clock.advance(hourMs);
  await expect.poll(() => rig.clock.nextMs).toBe(hourMs);
  expect(rig.done).toEqual(["recordings", "images", "recordings", "images"]);
  await maintenance.close();
  expect(rig.clock.nextMs).toBeUndefined();
});

test("[MT1] where it is turned off, it is done when somebody asks", async () => {
  const rig = new Rig();
  const maintenance = rig.make(null);
  await maintenance.begin();
  expect(rig.clock.nextMs).toBeUndefined();
  await maintenance.maintain(false);
  expect(rig.done).toEqual(["recordings", "images"]);
});

test("[MT2] one job that fails keeps none of the others, is told, and is seen after a restart", async () => {
  const rig = new Rig();
  const maintenance = rig.make(hourMs);
  await maintenance.begin();
  expect(checkMaintenance(maintenance, rig.clock.wallMs(), null)).toMatchObject({ ok: true, needed: false });
  const round = await maintenance.maintain(false);
  expect(round).toMatchObject({ dryRun: false, bytes: 2048 });
  expect(round.jobs).toEqual([
    { job: "recordings", count: 2, bytes: 1024, failed: null },
    { job: "garbage", count: 0, bytes: 0, failed: "no disk" },
    { job: "images", count: 2, bytes: 1024, failed: null },
  ]);
  expect(rig.said).toEqual(["maintenance: garbage could not be done: no disk"]);
  await maintenance.close();
  const next = rig.make(hourMs);
  await next.begin();
  expect(next.last).toEqual(round);
  const check = checkMaintenance(next, rig.clock.wallMs() + 5 * 60_000, null);
  expect(check).toMatchObject({ ok: false, detail: "5 min ago, 0 MiB were let go; garbage: no disk" });
  await next.close();
});

test("[MT9] doctor and status say when the disk ran low last, by the time of day", async () => {
  const rig = new Rig();
  const spares = [{ what: "images", count: 1 }] as const;
  const lastRoom = { atMs: 1000, freeBytes: 500, freedBytes: 200, spares, runs: [] };
  const room = lastRoomOf({ lastRoom, wallOffsetMs: 60_000 });
  expect(room).toEqual({ atMs: 61_000, freeBytes: 500, freedBytes: 200, spares });
  expect(checkMaintenance(rig.make(hourMs), 61_000 + 5 * 60_000, room)).toMatchObject({
    ...{ ok: true, detail: "nothing was tidied up yet; the disk ran low 5 min ago, and room was made" },
  });
});

test("[MT3] a look that only looks changes nothing, not even what was last", async () => {
  const rig = new Rig();
  const maintenance = rig.make(hourMs);
  await maintenance.begin();
  expect(await maintenance.maintain(true)).toMatchObject({ dryRun: true, bytes: 2048 });
  expect(rig.done).toEqual(["recordings?", "images?"]);
  expect(maintenance.last).toBeNull();
  expect(() => readFileSync(rig.file)).toThrow("ENOENT");
  await maintenance.close();
});

test("[MT2] rounds come one after another, and what is written of the last may be lost", async () => {
  const rig = new Rig();
  writeFileSync(rig.file, "");
  const open = Promise.withResolvers<{ count: number; bytes: number }>();
  let atOnce = 0;
  rig.jobs.unshift({
    name: "log",
    act: async () => {
      expect(++atOnce).toBe(1);
      const done = await open.promise;
      atOnce--;
      return done;
    },
  });
  const maintenance = rig.make(null);
  await maintenance.begin();
  expect(maintenance.last).toBeNull();
  const rounds = [maintenance.maintain(false), maintenance.maintain(true)];
  open.resolve({ count: 0, bytes: 0 });
  expect((await Promise.all(rounds)).map(({ dryRun }) => dryRun)).toEqual([false, true]);
});
