import { makeMemoryDisk, MemoryStore } from "../../src/adapters/store/memory-store.ts";
import { describeEventStore, type StoreDisk } from "./event-store.contract.ts";
import { forgedRecord } from "./forged-record.ts";
import { makeSqliteDisk } from "./sqlite-disk.ts";

describeEventStore("memory", makeMemoryStoreDisk);
describeEventStore("sqlite", makeSqliteDisk);

function makeMemoryStoreDisk(): StoreDisk {
  const disk = makeMemoryDisk();
  const used = (): number => [...disk.records, ...disk.snapshots].reduce((sum, { body }) => sum + body.length, 0);
  return {
    open: () => new MemoryStore(disk),
    flipByte: (seq) => {
      disk.records = disk.records.map((record) =>
        record.seq === seq ? { ...record, body: record.body.replace('"type"', '"tYpe"') } : record,
      );
    },
    forgeBody: (seq) => {
      const { body, checksum } = forgedRecord(seq, "");
      disk.records = disk.records.map((record) => (record.seq === seq ? { ...record, body, checksum } : record));
    },
    forgeRecord: (seq) => {
      const forged = forgedRecord(seq, disk.records[seq - 2]?.hash ?? "");
      disk.records = disk.records.map((record) => (record.seq === seq ? forged : record));
    },
    deleteRecord: (seq) => {
      disk.records = disk.records.filter((record) => record.seq !== seq);
    },
    swapRecords: (a, b) => {
      const renumber = (seq: number): number => (seq === a ? b : seq === b ? a : seq);
      disk.records = disk.records
        .map((record) => ({ ...record, seq: renumber(record.seq) }))
        .toSorted((x, y) => x.seq - y.seq);
    },
    spoilSnapshot: (seq) => {
      disk.snapshots = disk.snapshots.map((record) =>
        record.seq === seq ? { ...record, body: record.body.replace("nextFence", "nextFenze") } : record,
      );
    },
    fill: () => {
      disk.bytesMax = used();
    },
    makeRoom: () => {
      disk.bytesMax = Number.POSITIVE_INFINITY;
    },
    remove: () => undefined,
  };
}
