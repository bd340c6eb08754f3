import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../test/support/search.ts";
import { Fifo } from "./fifo.ts";

test("it is an array that is read from the front", { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat()), { maxLength: 200, size: "max" }), (steps) => {
      const fifo = new Fifo<number>();
      const slow: number[] = [];
      for (const each of steps) {
        const read = each === null ? [fifo.shift(), slow.shift()] : [fifo.push(each), void slow.push(each)];
        expect(read[0]).toBe(read[1]);
        expect(fifo.size).toBe(slow.length);
      }
      expect(fifo.toArray()).toEqual(slow);
    }),
    search(200),
  );
});

test("what was read is let go", () => {
  const fifo = new Fifo<number>();
  for (let at = 0; at < 5000; at++) fifo.push(at);
  for (let at = 0; at < 5000; at++) expect(fifo.shift()).toBe(at);
  expect(fifo.shift()).toBeUndefined();
  fifo.push(7);
  expect(fifo.toArray()).toEqual([7]);
});
