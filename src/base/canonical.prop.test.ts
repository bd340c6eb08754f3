import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { search } from "../../test/support/search.ts";
import { canonical, compareText } from "./canonical.ts";

describe("canonical", () => {
  test("is JSON that reads back to the same value, whatever the order of keys", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = canonical(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonical(JSON.parse(text))).toBe(text);
        expect(canonical(turn(value))).toBe(text);
      }),
      search(500),
    );
  });

  test("leaves out what is undefined, and orders maps and sets", () => {
    expect(canonical({ b: 1, a: undefined })).toBe('{"b":1}');
    expect(
      canonical(
        new Map([
          ["b", 1],
          ["a", 2],
        ]),
      ),
    ).toBe('[["a",2],["b",1]]');
    expect(canonical(new Set(["b", "a"]))).toBe('["\\"a\\"","\\"b\\""]');
    expect(canonical(undefined)).toBe("null");
  });

  test("orders text by code unit, whatever the machine's language", () => {
    expect(["b", "a", "ä", "Z", "é"].toSorted(compareText)).toEqual(["Z", "a", "b", "ä", "é"]);
    expect(compareText("a", "a")).toBe(0);
  });
});

/** The same value with the keys of every object in the opposite order. */
function turn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turn);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, field]) => [key, turn(field)]),
  );
}
