import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { search } from "../../test/support/search.ts";
import { parseJson } from "./json.ts";

describe("parseJson", () => {
  test("reads what JSON.parse reads", () => {
    const shallow = fc.jsonValue({ maxDepth: 5 }).filter((value) => !JSON.stringify(value).includes("__proto__"));
    fc.assert(
      fc.property(shallow, fc.constantFrom(undefined, 1, "\t"), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
      }),
      search(100),
    );
  });

  test("says no to every text that JSON.parse does not read, and never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.json().map((text) => text.slice(1)),
        ),
        (text) => {
          const parsed = parseJson(text);
          expect(parsed.ok ? parsed.value : parsed.refusal.why !== "").toEqual(parsed.ok ? JSON.parse(text) : true);
        },
      ),
      search(100),
    );
  });

  test.each([
    ['{"a":1,"a":2}', 'the field "a" is there twice'],
    ['{"a":1,"\\u0061":2}', 'the field "a" is there twice'],
    ['{"x":{"a":1},"y":{"b":1,"b":1}}', 'the field "b" is there twice'],
    ['[{"a":1,"b":{},"a":[]}]', 'the field "a" is there twice'],
    ['{"__proto__":{}}', 'a field may not be called "__proto__"'],
    ['{"\\u005f_proto__":{}}', 'a field may not be called "__proto__"'],
    ['{"a":"', "not JSON (a string has no end)"],
  ])("%s is refused", (text, why) => {
    expect(parseJson(text)).toEqual({ ok: false, refusal: { code: "bad-input", why } });
  });

  test.each([
    ['{"a":"a","b":"a"}'],
    ['{"a":"\\"a\\":1","b":["a","a"]}'],
    ['{"a\\\\":1,"a":2}'],
    ['[{"a":1},{"a":1}]'],
    ['{"a":{"a":{"a":1}}}'],
  ])("%s is fine", (text) => {
    expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
  });

  test("bounds the number of values before anything is built", () => {
    const list = (length: number): string => `[${Array(length).fill("[]").join(",")}]`;
    expect(parseJson(list(99_999)).ok).toBe(true);
    const why = "it has more than 100000 values";
    expect(parseJson(list(100_000))).toEqual({ ok: false, refusal: { code: "too-large", why } });
  });

  test("bounds the depth before anything is built", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(parseJson(nested(32)).ok).toBe(true);
    expect(parseJson(nested(33))).toMatchObject({ refusal: { code: "too-large" } });
    expect(parseJson("[".repeat(1_000_000))).toMatchObject({ refusal: { code: "too-large" } });
    expect(parseJson(JSON.stringify("[".repeat(1000))).ok).toBe(true);
  });
});
