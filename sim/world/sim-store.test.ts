import { expect, test } from "vitest";
import { Prng } from "../../src/base/prng.ts";
import type { EventStore } from "../../src/ports/event-store.ts";
import { describeEventStore, type StoreDisk } from "../../test/contracts/event-store.contract.ts";
import { eventsFrom, makeEvent } from "../../test/contracts/sample-events.ts";
import { Faults } from "./faults.ts";
import { Life } from "./life.ts";
import { makeOptions } from "./options.ts";
import { Scheduler } from "./scheduler.ts";
import { checksum, SimDisk } from "./sim-disk.ts";
import { SimStore } from "./sim-store.ts";

// The simulated store keeps the promises of a real one, or the simulation would prove nothing about it.
describeEventStore("simulated", () => {
  const disk = new SimDisk();
  const forge = (seq: number): string => JSON.stringify({ ...makeEvent(seq), text: "forged" });
  const storeDisk: StoreDisk = {
    open: () => drivenByItself(disk),
    flipByte: (seq) => disk.flip(seq, 30),
    forgeBody: (seq) => {
      const record = disk.records[seq - 1];
      if (record !== undefined) Object.assign(record, { text: forge(seq), sum: checksum(forge(seq), 0) });
    },
    forgeRecord: (seq) => {
      const link = checksum(forge(seq), disk.records[seq - 2]?.link ?? 0);
      disk.records[seq - 1] = { text: forge(seq), sum: checksum(forge(seq), 0), link };
    },
    deleteRecord: (seq) => disk.lose(seq),
    swapRecords: (a, b) => {
      [disk.records[a - 1], disk.records[b - 1]] = [disk.records[b - 1], disk.records[a - 1]];
    },
    spoilSnapshot: (seq) => disk.damageSnapshot(5, seq),
    fill: () => (disk.isFull = true),
    makeRoom: () => (disk.isFull = false),
    remove: () => undefined,
  };
  return storeDisk;
});

test("what is on its way at a crash is all there or not at all, and nobody is told", () => {
  const sizes = new Set<number>();
  for (let seed = 1; seed < 20; seed++) {
    const { store, life, disk, run } = makeStore(new SimDisk(), seed);
    let told = false;
    store.append(eventsFrom(1, 3), () => (told = true));
    life.end("anywhere");
    run();
    expect(told).toBe(false);
    sizes.add(disk.lastSeq);
  }
  expect(sizes).toEqual(new Set([0, 3]));
});

test("a second append at once is a defect", () => {
  const { store } = makeStore(new SimDisk(), 1);
  store.append(eventsFrom(1, 1), () => undefined);
  expect(() => store.append(eventsFrom(1, 1), () => undefined)).toThrow("two appends are under way at once");
});

test("a torn record is named, and a copy makes the log whole again", () => {
  const disk = new SimDisk();
  disk.write(eventsFrom(1, 4).map((event) => JSON.stringify(event)));
  disk.tear(4);
  disk.lose(2);
  expect(() => disk.read(0, 10)).toThrow("event 2 is not in the log");
  expect(() => disk.read(2, 10)).toThrow("event 2 is not in the log");
  expect(() => disk.read(3, 10)).toThrow("event 4 does not match its checksum");
  disk.restore();
  expect(disk.read(0, 10)).toHaveLength(4);
});

function makeStore(disk: SimDisk, seed: number) {
  const scheduler = new Scheduler();
  const prng = new Prng(seed);
  const faults = new Faults(makeOptions(seed, prng.stream("options")), prng);
  faults.on = false;
  const life = new Life({ number: 1, bornMs: 0, onCrash: () => store.crash(), onDefect: () => undefined });
  const nothing = (): void => undefined;
  const store: SimStore = new SimStore({
    disk,
    life,
    scheduler,
    faults,
    onDurable: nothing,
    onSettled: nothing,
    sometimes: nothing,
  });
  const run = (): void => {
    while (scheduler.step()) continue;
  };
  return { store, life, disk, run };
}

/** A store whose virtual time runs as soon as somebody waits for it. */
function drivenByItself(disk: SimDisk): EventStore {
  const { store, run } = makeStore(disk, 1);
  const soon = <T>(value: T): T => {
    setImmediate(run);
    return value;
  };
  return {
    get lastSeq() {
      return store.lastSeq;
    },
    append: (events, done) => soon(store.append(events, done)),
    read: (afterSeq, limit) => soon(store.read(afterSeq, limit)),
    saveSnapshot: (snapshot) => soon(store.saveSnapshot(snapshot)),
    loadSnapshot: () => soon(store.loadSnapshot()),
    close: () => store.close(),
  };
}
