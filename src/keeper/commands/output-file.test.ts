import { Buffer } from "node:buffer";
import { readdirSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../../test/support/search.ts";
import { noSmallDisks, SmallDisk } from "../../../test/support/small-disk.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { OutputFile, readOutput, readTail } from "./output-file.ts";

test("[SV10, SV11] whoever reads along misses nothing, and of the rest the last files stay", () => {
  const rotations = fc.record({ bytes: fc.integer({ min: 1, max: 40 }), keep: fc.integer({ min: 1, max: 4 }) });
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(rotations, chunks, (rotation, said) => {
      const folder = makeTempFolder();
      const file = new OutputFile(folder, { rotation });
      const heard: Buffer[] = [];
      let offset = 0;
      for (const bytes of said) {
        // One write may go through several files; whoever reads along does so in between.
        for (let at = 0; at < bytes.length; at += rotation.bytes) {
          file.write(Buffer.from(bytes.subarray(at, at + rotation.bytes)));
          for (let part = readOutput(folder, offset, 7); part.bytes.length > 0; part = readOutput(folder, offset, 7)) {
            expect(part.offset).toBe(offset);
            heard.push(part.bytes);
            offset += part.bytes.length;
          }
        }
      }
      file.close();
      const whole = Buffer.concat(said);
      expect(Buffer.concat(heard)).toEqual(whole);
      expect(file.total).toBe(whole.length);
      const { offset: first } = readOutput(folder, 0, 1);
      expect(first).toBe(file.leftOut);
      expect(whole.length - first).toBeLessThanOrEqual((rotation.keep + 1) * rotation.bytes);
      expect(whole.length - first).toBeGreaterThanOrEqual(Math.min(whole.length, rotation.keep * rotation.bytes));
      expect(readTail(folder).text).toBe(whole.subarray(first).toString("utf8"));
      expect(readdirSync(folder).length).toBeLessThanOrEqual(rotation.keep + 1);
    }),
    search(40),
  );
});

const mib = 1024 * 1024;

/** What anybody gets to read, with where each run of it stands in the whole. */
function partsOf(folder: string): { readonly from: number; readonly to: number }[] {
  const parts: { from: number; to: number }[] = [];
  for (let at = 0; ;) {
    const { bytes, offset } = readOutput(folder, at, mib);
    if (bytes.length === 0) return parts;
    const last = parts.at(-1);
    if (last?.to === offset) last.to += bytes.length;
    else parts.push({ from: offset, to: offset + bytes.length });
    at = offset + bytes.length;
  }
}

test.each([
  { may: "as much as it may be", bytesMax: 90 * mib, roomBytes: Infinity, head: 90 },
  { may: "as much as there is room for", bytesMax: 1024 * mib, roomBytes: 100 * mib, head: 96 },
  { may: "64 MiB, whatever there is", bytesMax: 1024 * mib, roomBytes: 0, head: 64 },
])("[EN24] of what was said first is kept $may, then the end, and it is known how much is missing", (of) => {
  const folder = makeTempFolder();
  const file = new OutputFile(folder, {
    head: { bytesMax: of.bytesMax, hasRoom: (bytes) => bytes <= of.roomBytes },
  });
  for (let said = 0; said < 110; said++) file.write(Buffer.alloc(mib, "a"));
  file.close();
  const [first, last] = partsOf(folder);
  expect(first).toEqual({ from: 0, to: of.head * mib });
  expect(last?.to).toBe(110 * mib);
  expect(110 * mib - (last?.from ?? 0)).toBeGreaterThanOrEqual(2 * mib);
  expect(file.leftOut).toBe((last?.from ?? 0) - of.head * mib);
});

test.skipIf(noSmallDisks)(
  "[EN24] what a full disk does not take is left out, and what comes later stands where it stood",
  () => {
    const folder = makeTempFolder();
    SmallDisk.willBeUnmounted(() => folder);
    const disk = SmallDisk.over(folder);
    const file = new OutputFile(folder);
    file.write(Buffer.alloc(mib, "a"));
    disk.fill(mib);
    expect(() => file.write(Buffer.alloc(3 * mib, "b"))).toThrow("ENOSPC");
    expect(() => file.write(Buffer.alloc(3 * mib, "b"))).toThrow("ENOSPC");
    expect([file.saidBytes, file.leftOut]).toEqual([7 * mib, 6 * mib]);
    disk.makeRoom();
    file.write(Buffer.from("then"));
    expect([file.total, file.saidBytes, file.leftOut]).toEqual([7 * mib + 4, 7 * mib + 4, 6 * mib]);
    expect(partsOf(folder)).toEqual([
      { from: 0, to: mib },
      { from: 7 * mib, to: 7 * mib + 4 },
    ]);
    expect(readTail(folder)).toEqual({ text: "then", total: 7 * mib + 4 });
    file.close();
  },
);
