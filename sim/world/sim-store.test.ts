import { expect, test } from "vitest";
import { Prng } from "../../src/base/prng.ts";
import type { Logged } from "../../src/core/events.ts";
import { Faults } from "./faults.ts";
import { Life } from "./life.ts";
import { makeOptions } from "./options.ts";
import { Scheduler } from "./scheduler.ts";
import { SimDisk } from "./sim-disk.ts";
import { SimStore } from "./sim-store.ts";

const event = (seq: number): Logged => ({
  type: "policy.removed",
  v: 1,
  name: `n${seq}`,
  seq,
  atMs: seq,
  cause: null,
  actor: "system",
});

function makeStore(seed = 1) {
  const scheduler = new Scheduler();
  const disk = new SimDisk();
  const prng = new Prng(seed);
  const faults = new Faults(makeOptions(seed, prng.stream("options")), prng);
  faults.on = false;
  const store: SimStore = new SimStore({
    disk,
    life: new Life({ number: 1, bornMs: 0, onCrash: () => store.crash(), onDefect: () => undefined }),
    scheduler,
    faults,
    onDurable: () => undefined,
    onSettled: () => undefined,
    onBadAppend: (what) => bad.push(what),
    sometimes: () => undefined,
  });
  const bad: string[] = [];
  const run = (): void => {
    while (scheduler.step()) continue;
  };
  return { scheduler, disk, faults, store, bad, run };
}

test("an append is durable when it calls back, and is read as it was written", async () => {
  const { disk, store, run } = makeStore();
  const done: unknown[] = [];
  store.append([event(1), event(2)], (fault) => done.push(fault));
  expect(disk.lastSeq).toBe(0);
  run();
  expect(done).toEqual([null]);
  const read = store.read(0, 10);
  run();
  expect(await read).toEqual([event(1), event(2)]);
});

test("a full disk takes nothing and says so", () => {
  const { disk, store, run } = makeStore();
  disk.isFull = true;
  const codes: unknown[] = [];
  store.append([event(1)], (fault) => codes.push(fault?.code));
  run();
  expect(codes).toEqual(["disk-full"]);
  expect(disk.lastSeq).toBe(0);
});

test("what is on its way at a crash is all there or not at all, and nobody is told", () => {
  const sizes = new Set<number>();
  for (let seed = 1; seed < 20; seed++) {
    const { disk, store, run } = makeStore(seed);
    let told = false;
    store.append([event(1), event(2), event(3)], () => (told = true));
    store.crash();
    sizes.add(disk.lastSeq);
    expect(told).toBe(false);
    run();
  }
  expect(sizes).toEqual(new Set([0, 3]));
});

test("a gap and a second append at once are noticed", () => {
  const { store, bad } = makeStore();
  store.append([event(2)], () => undefined);
  store.append([event(1)], () => undefined);
  expect(bad).toEqual(["event 2 is appended after 0", "two appends are under way at once"]);
});

test("a flipped and a torn record are named, and a copy makes the log whole again", () => {
  const disk = new SimDisk();
  disk.write([1, 2, 3, 4].map((seq) => JSON.stringify(event(seq))));
  disk.flip(2, 17);
  expect(() => disk.read(0, 10)).toThrow("event 2 does not match its checksum");
  expect(disk.read(2, 10)).toHaveLength(2);
  disk.tear(4);
  expect(() => disk.read(2, 10)).toThrow("event 4 does not match its checksum");
  disk.restore();
  expect(disk.read(0, 10)).toHaveLength(4);
});

test("a damaged snapshot is passed over for an older one", () => {
  const disk = new SimDisk();
  disk.keepSnapshot("old");
  disk.keepSnapshot("new");
  expect(disk.snapshot()).toEqual({ text: "new", skipped: 0 });
  disk.damageSnapshot(1);
  expect(disk.snapshot()).toEqual({ text: "old", skipped: 1 });
  disk.loseSnapshot();
  expect(disk.snapshot()).toEqual({ text: "old", skipped: 0 });
});
