// What every event store promises (docs/spec/log.md), as tests that know only the port. What a store is made of, and how
// to hurt it, is told by the caller.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Defect } from "../../src/base/assert.ts";
import { Fault } from "../../src/base/fault.ts";
import type { Logged } from "../../src/core/events.ts";
import { type PlainState, toPlain } from "../../src/core/snapshot.ts";
import { makeState } from "../../src/core/state.ts";
import type { EventStore, StoredEvent } from "../../src/ports/event-store.ts";
import { eventsFrom, makeEvent } from "./sample-events.ts";

/** A disk with one log on it. Damage is done behind the store's back, while no store has it open. */
export type StoreDisk = {
  open(): EventStore;
  /** Changes one byte of the record's body and nothing else. */
  flipByte(seq: number): void;
  /** Writes another body with a fitting checksum, as somebody who edits the log by hand would. */
  forgeBody(seq: number): void;
  /** The same with a fitting hash, too: only the events after it can tell. */
  forgeRecord(seq: number): void;
  deleteRecord(seq: number): void;
  swapRecords(a: number, b: number): void;
  spoilSnapshot(seq: number): void;
  /** Leaves no room for more than what is there. */
  fill(): void;
  makeRoom(): void;
  remove(): void;
};

export function describeEventStore(name: string, makeDisk: () => StoreDisk): void {
  describe(name, () => {
    let disk: StoreDisk;
    let store: EventStore;
    beforeEach(() => {
      disk = makeDisk();
      store = disk.open();
    });
    afterEach(async () => {
      await store.close();
      disk.remove();
    });

    const reopen = async (): Promise<void> => {
      await store.close();
      store = disk.open();
    };
    const hurt = async (damage: () => void): Promise<void> => {
      await store.close();
      damage();
      store = disk.open();
    };

    test("an empty log ends at 0 and has nothing to read", async () => {
      expect(store.lastSeq).toBe(0);
      expect(await store.read(0, 10)).toEqual([]);
      expect(await store.loadSnapshot()).toBeNull();
    });

    test("[LG1] events are numbered from 1 without a gap", async () => {
      await append(store, eventsFrom(1, 3));
      await append(store, eventsFrom(4, 1));
      expect(store.lastSeq).toBe(4);
      expect((await store.read(0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    });

    test.each([
      ["a gap", [2]],
      ["a gap inside", [1, 3]],
      ["a repetition", [1, 1]],
      ["a wrong beginning", [0]],
    ])("[LG1] %s is a defect, and changes nothing", async (_, seqs) => {
      const events = seqs.map((seq) => makeEvent(seq));
      expect(() => {
        store.append(events, () => undefined);
      }).toThrow(Defect);
      expect(store.lastSeq).toBe(0);
      await append(store, eventsFrom(1, 1));
      expect(await store.read(0, 10)).toHaveLength(1);
    });

    test("[LG2] an event comes back as it was given, whatever its text", async () => {
      const texts = ["", "ü€😀", "\u0000\u001f", "\ud800 alone", '"quoted" \\ ', "\u2028", "x".repeat(100_000)];
      const events = texts.map((text, at) => makeEvent(at + 1, text));
      await append(store, events);
      await reopen();
      expect(await store.read(0, 10)).toEqual(events);
    });

    test("[LG5] an append calls back exactly once, after it returned, also when it is empty", async () => {
      const calls: (Fault | null)[] = [];
      store.append([], (fault) => calls.push(fault));
      expect(calls).toEqual([]);
      await append(store, eventsFrom(1, 2));
      expect(calls).toEqual([null]);
    });

    test("[LG5] what was acknowledged is there after opening again", async () => {
      await append(store, eventsFrom(1, 100));
      await append(store, eventsFrom(101, 33));
      await reopen();
      expect(store.lastSeq).toBe(133);
      expect(await readAll(store)).toEqual(eventsFrom(1, 133));
      await append(store, eventsFrom(134, 1));
      expect(store.lastSeq).toBe(134);
    });

    test("a page holds what was asked for, and the last one the rest", async () => {
      await append(store, eventsFrom(1, 10));
      expect((await store.read(0, 4)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
      expect((await store.read(8, 4)).map(({ seq }) => seq)).toEqual([9, 10]);
      expect(await store.read(10, 4)).toEqual([]);
      expect(await store.read(99, 4)).toEqual([]);
      expect(await store.read(3, 0)).toEqual([]);
    });

    describe("damage", () => {
      beforeEach(async () => {
        await append(store, eventsFrom(1, 40));
        await append(store, eventsFrom(41, 10));
      });

      test("[LG3] a changed byte is found, and its event named", async () => {
        await hurt(() => disk.flipByte(17));
        await expectDamage(store.read(0, 100), 17, /checksum/);
      });

      test("[LG3] a record that is gone is found", async () => {
        await hurt(() => disk.deleteRecord(23));
        await expectDamage(store.read(0, 100), 23, /not in the log/);
      });

      test("[LG3] two records that changed places are found", async () => {
        await hurt(() => disk.swapRecords(30, 31));
        await expectDamage(store.read(0, 100), 30, /stands event 31/);
      });

      test("[LG3] an edited event with a fitting checksum is found", async () => {
        await hurt(() => disk.forgeBody(12));
        await expectDamage(store.read(0, 100), 12, /does not follow/);
      });

      test("[LG2] an event that was replaced together with its hash is found by the next one", async () => {
        await hurt(() => disk.forgeRecord(12));
        await expectDamage(store.read(0, 100), 13, /does not follow from event 12/);
      });

      test("[LG3] nothing after the damage is given out, and what is before it can still be read", async () => {
        await hurt(() => disk.flipByte(17));
        expect(await store.read(0, 16)).toHaveLength(16);
        await expectDamage(store.read(10, 7), 17, /checksum/);
        await expectDamage(store.read(16, 1), 17, /checksum/);
      });

      test("[LG4] a log that lost its newest events is damaged, not short", async () => {
        await hurt(() => {
          for (const seq of [48, 49, 50]) disk.deleteRecord(seq);
        });
        await expectDamage(store.read(0, 100), 48, /should end at 50/);
        await expectDamage(store.read(47, 100), 48, /should end at 50/);
        await expectDamage(store.read(50, 100), 50, /not in the log/);
      });

      test("[LG4] the newest event cannot be edited unseen", async () => {
        await hurt(() => disk.forgeRecord(50));
        await expectDamage(store.read(0, 100), 50, /with another hash/);
      });
    });

    describe("a full disk", () => {
      test("[LG8] an append without room leaves nothing behind, and works again when there is room", async () => {
        await append(store, eventsFrom(1, 5));
        disk.fill();
        const fault = await appendFault(store, eventsFrom(6, 200));
        expect(fault).toBeInstanceOf(Fault);
        expect(fault).toMatchObject({ code: "store-unavailable", retry: "later" });
        expect(store.lastSeq).toBe(5);
        expect(await readAll(store)).toEqual(eventsFrom(1, 5));
        disk.makeRoom();
        await append(store, eventsFrom(6, 200));
        await reopen();
        expect(await readAll(store)).toEqual(eventsFrom(1, 205));
      });

      test("[LG8] a snapshot without room is a fault, and the one before it stays", async () => {
        await append(store, eventsFrom(1, 5));
        await store.saveSnapshot(snapshotAt(3));
        disk.fill();
        const keyed = Array.from({ length: 50_000 }, (_, at) => `c_${at}`);
        const large = { ...snapshotAt(5), ended: { keyed, keyless: [] } };
        await expect(store.saveSnapshot(large)).rejects.toMatchObject({ code: "store-unavailable" });
        disk.makeRoom();
        expect(await store.loadSnapshot()).toEqual(snapshotAt(3));
      });
    });

    test("[LG9] a second writer is refused as long as the first is there", async () => {
      expect(() => disk.open()).toThrow(expect.objectContaining({ code: "home-in-use" }));
      await append(store, eventsFrom(1, 1));
      await reopen();
      expect(store.lastSeq).toBe(1);
    });

    describe("snapshots", () => {
      beforeEach(async () => {
        await append(store, eventsFrom(1, 30));
      });

      test("[LG11] the newest snapshot comes back as it was given", async () => {
        await store.saveSnapshot(snapshotAt(10));
        await store.saveSnapshot(snapshotAt(20));
        await reopen();
        expect(await store.loadSnapshot()).toEqual(snapshotAt(20));
      });

      test("[LG11] the same place twice keeps the later one", async () => {
        await store.saveSnapshot(snapshotAt(10));
        const other = { ...snapshotAt(10), wallOffsetMs: 7 };
        await store.saveSnapshot(other);
        expect(await store.loadSnapshot()).toEqual(other);
      });

      test("[LG11] a damaged snapshot gives way to the one before it, and without one there is none", async () => {
        await store.saveSnapshot(snapshotAt(5));
        await store.saveSnapshot(snapshotAt(10));
        await store.saveSnapshot(snapshotAt(20));
        await hurt(() => disk.spoilSnapshot(20));
        expect(await store.loadSnapshot()).toEqual(snapshotAt(10));
        await hurt(() => disk.spoilSnapshot(10));
        expect(await store.loadSnapshot(), "only two are kept").toBeNull();
      });

      test("[LG11] a snapshot of another past is left aside", async () => {
        await store.saveSnapshot(snapshotAt(20));
        await hurt(() => disk.deleteRecord(20));
        expect(await store.loadSnapshot()).toBeNull();
      });

      test("[LG11] a snapshot of a shape that this release does not know is left aside", async () => {
        await store.saveSnapshot(snapshotAt(10));
        await store.saveSnapshot({ ...snapshotAt(20), version: 999 });
        expect(await store.loadSnapshot()).toEqual(snapshotAt(10));
      });

      test("[LG11] a snapshot of events that are not durable is a defect", async () => {
        await expect(store.saveSnapshot(snapshotAt(31))).rejects.toThrow(Defect);
      });
    });
  });
}

export function snapshotAt(seq: number): PlainState {
  return toPlain({ ...makeState(), seq, atMs: 1000 + seq });
}

export async function append(store: EventStore, events: readonly Logged[]): Promise<void> {
  const fault = await appendFault(store, events);
  if (fault !== null) throw fault;
}

export function appendFault(store: EventStore, events: readonly Logged[]): Promise<Fault | null> {
  return new Promise((resolve) => {
    store.append(events, resolve);
  });
}

export async function readAll(store: EventStore): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (;;) {
    const page = await store.read(all.length, 64);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

export async function expectDamage(reading: Promise<unknown>, seq: number, reason: RegExp): Promise<void> {
  const error = await reading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Fault);
  expect(error).toMatchObject({ code: "log-damaged", retry: "never", damage: { seq } });
  expect(String(error)).toMatch(reason);
  expect(String(error)).toContain(`event ${seq} `);
}
