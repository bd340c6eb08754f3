import { Buffer } from "node:buffer";
import { readdirSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../../test/support/search.ts";
import { makeTempFolder } from "../../../test/support/temp-folder.ts";
import { OutputFile, readOutput, readTail } from "./output-file.ts";

test("[SV10, SV11] whoever reads along misses nothing, and of the rest the last files stay", () => {
  const rotations = fc.record({ bytes: fc.integer({ min: 1, max: 40 }), keep: fc.integer({ min: 1, max: 4 }) });
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(rotations, chunks, (rotation, said) => {
      const folder = makeTempFolder();
      const file = new OutputFile(folder, rotation);
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
