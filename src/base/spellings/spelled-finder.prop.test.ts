import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { search } from "../../../test/support/search.ts";
import { SpelledFinder } from "./spelled-finder.ts";
import { SpelledStream } from "./spelled-stream.ts";

const star = "*".charCodeAt(0);

/** What passes when a text comes in these pieces. */
function pass(values: readonly string[], pieces: readonly Buffer[]): string {
  const finder = new SpelledFinder(values.map((value) => Buffer.from(value)));
  const stream = new SpelledStream(() => finder);
  return Buffer.concat([...pieces.map((piece) => stream.push(piece)), stream.end()]).toString("latin1");
}

/** Cuts a text at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...ends].map((from, index) => bytes.subarray(from, ends[index] ?? bytes.length));
}

const hex = (value: number, length: number): string => value.toString(16).padStart(length, "0");
const perByte = (char: string, spell: (byte: number) => string): string => [...Buffer.from(char)].map(spell).join("");
const inUnits = (char: string, before: string): string =>
  [...Array(char.length).keys()].map((at) => `${before}u${hex(char.charCodeAt(at), 4)}`).join("");
/** Ways to write one character. */
const ways: readonly ((char: string) => string)[] = [
  (char) => char,
  (char) => JSON.stringify(char).slice(1, -1),
  (char) => JSON.stringify(JSON.stringify(char).slice(1, -1)).slice(1, -1),
  (char) => (char === "/" ? String.raw`\/` : char),
  // As bash's printf %q has it.
  (char) => (/[^\w\t\r\n\u0080-\u{10ffff}]/u.test(char) ? `\\${char}` : char),
  (char) => inUnits(char, "\\"),
  (char) => inUnits(char, "\\").replaceAll(/[a-f]/g, (digit) => digit.toUpperCase()),
  (char) => inUnits(char, "\\\\"),
  (char) => perByte(char, (byte) => `%${hex(byte, 2)}`),
  (char) => perByte(char, (byte) => `%${hex(byte, 2).toUpperCase()}`),
  (char) => perByte(char, (byte) => `%25${hex(byte, 2)}`),
  (char) => perByte(char, (byte) => `\\x${hex(byte, 2)}`),
  (char) => `&#${char.codePointAt(0)};`,
  (char) => `&#x${hex(char.codePointAt(0) ?? 0, 2)};`,
  (char) => `&#X${hex(char.codePointAt(0) ?? 0, 6).toUpperCase()};`,
  (char) => `&amp;#${char.codePointAt(0)};`,
  (char) => String.raw`\u0026#${char.codePointAt(0)};`,
  (char) => ({ "&": "&amp;", "<": "&lt;", '"': "&quot;", "/": "&sol;", "+": "&plus;", "=": "&equals;" })[char] ?? char,
];
const breaks = ["\n", "\r\n", "\n    ", String.raw`\n`, String.raw`\r\n`, "%0A", "&#10;", " "];
const wrap = (text: string, width: number, mark: string): string =>
  (text.match(new RegExp(`.{1,${width}}`, "gs")) ?? []).join(mark);
const toBase32 = (value: Buffer): string => {
  const bits = [...value].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const digits = bits.match(/.{1,5}/g) ?? [];
  return digits.map((each) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(each.padEnd(5, "0"), 2)]).join("");
};
/** Ways to write all of it. */
const wholes: readonly ((value: Buffer, wrapAt: number, mark: string) => string)[] = [
  (value) => value.toString("base64"),
  (value, at, mark) => wrap(value.toString("base64"), at, mark),
  (value, at, mark) => wrap(Buffer.concat([Buffer.from("a"), value]).toString("base64"), at, mark),
  (value, at, mark) =>
    wrap(Buffer.concat([Buffer.from("ab"), value, Buffer.from("z")]).toString("base64url"), at, mark),
  (value) => encodeURIComponent(value.toString("base64")).replaceAll("%2F", "%2f"),
  (value) =>
    value
      .toString("base64")
      .replaceAll("/", String.raw`\/`)
      .replaceAll("+", String.raw`\u002B`),
  (value) => toBase32(value),
  (value, at, mark) => wrap(toBase32(value), at, mark),
  // Without the digits that belong to what stands before it alone.
  ...[1, 2, 3, 4].map((before) => (value: Buffer, at: number, mark: string) => {
    const all = toBase32(Buffer.concat([Buffer.alloc(before, "a"), value, Buffer.from("z")]));
    return wrap(all.slice(Math.floor((before * 8) / 5)), at, mark);
  }),
  (value) => value.toString("hex"),
  (value) => value.toString("hex").toUpperCase(),
  (value) => value.toString("hex").match(/../g)?.join(":") ?? "",
  (value) =>
    value
      .toString("hex")
      .match(/../g)
      ?.map((pair) => `0x${pair}`)
      .join(", ") ?? "",
  (value, at, mark) => wrap(value.toString("hex"), at, mark),
];

const word = fc.oneof(
  fc.string({
    minLength: 10,
    maxLength: 40,
    unit: fc.constantFrom(...Array.from(String.raw`abcXYZ0189-_/+=.:&%\"'<#; ~ü€😀n/u`)),
  }),
  fc.string({ minLength: 12, maxLength: 24, unit: "grapheme-ascii" }),
);
const around = fc.string({ maxLength: 30, unit: fc.constantFrom(...Array.from(String.raw`ab %\&#;u0{}":,/`), "\n") });
const places = fc.array(fc.nat(2000), { maxLength: 12 });

/** Lone halves of characters and what has few different ones are no secrets of anybody. */
const isSecret = (value: string): boolean => value.isWellFormed() && new Set(value).size >= 5 && value.trim() === value;

describe("[BG13] values in a text", () => {
  test("are found in any mixture of spellings, wherever it is cut", () => {
    fc.assert(
      fc.property(
        word.filter(isSecret),
        fc.array(fc.nat(ways.length - 1), { minLength: 40, maxLength: 40 }),
        around,
        around,
        places,
        (value, chosen, before, after, at) => {
          const spelled = Array.from(value).map((char, index) => ways[chosen[index] ?? 0]?.(char) ?? char);
          const text = Buffer.from(`${before}${spelled.join("")}${after}`);
          const passed = pass([value], cut(text, at));
          expect(passed).toHaveLength(text.length);
          const from = Buffer.byteLength(before);
          const to = from + Buffer.byteLength(spelled.join(""));
          expect(passed.slice(from, to)).toBe("*".repeat(to - from));
        },
      ),
      search(400),
    );
  });

  test("are found as base64, base32 and hex, wrapped or not, wherever it is cut", () => {
    fc.assert(
      fc.property(
        word.filter(isSecret),
        fc.nat(wholes.length - 1),
        fc.integer({ min: 1, max: 76 }),
        fc.constantFrom(...breaks),
        around,
        places,
        (value, whole, width, mark, before, at) => {
          const spelled = wholes[whole]?.(Buffer.from(value), width, mark) ?? "";
          const text = Buffer.from(`${before}${spelled}.`);
          const passed = pass([value], cut(text, at));
          expect(passed).toHaveLength(text.length);
          // The characters at the ends belong to what stands around it too.
          const seen = passed
            .slice(Buffer.byteLength(before), -1)
            .replaceAll(/[*=]|%3D/gi, "")
            .replaceAll(mark, "");
          expect(seen.length).toBeLessThanOrEqual(5);
        },
      ),
      search(400),
    );
  });

  test("a text that has none passes as it is, also where it has much of one", () => {
    const pieces = fc.array(fc.oneof(around, word, fc.constantFrom(...breaks)), { maxLength: 20 });
    fc.assert(
      fc.property(word.filter(isSecret), pieces, places, (value, parts, at) => {
        const most = Array.from(value).slice(0, -1).join("");
        const text = [...parts, most, Buffer.from(most).toString("base64").slice(0, -4), encodeURIComponent(most)].join(
          "|",
        );
        fc.pre(!text.includes(value));
        const bytes = Buffer.from(text);
        expect(pass([`${value}\u0007`], cut(bytes, at))).toBe(bytes.toString("latin1"));
      }),
      search(200),
    );
  });

  test("it does not matter where a text is cut", () => {
    const spelled = fc.tuple(word, fc.nat(ways.length - 1)).map(([value, way]) =>
      Array.from(value)
        .map(ways[way] ?? String)
        .join(""),
    );
    fc.assert(
      fc.property(
        fc.array(word.filter(isSecret), { minLength: 1, maxLength: 3 }),
        fc.array(fc.oneof(around, spelled)),
        places,
        (values, parts, at) => {
          const text = Buffer.from([...parts, ...values, values.join("")].join(""));
          const whole = pass(values, [text]);
          expect(pass(values, cut(text, at))).toBe(whole);
          expect(
            pass(
              values,
              [...text].map((byte) => Buffer.from([byte])),
            ),
          ).toBe(whole);
          for (const value of values) expect(Buffer.from(whole, "latin1").includes(value)).toBe(false);
          expect(whole.replaceAll("*", "").length).toBeLessThan(text.length);
          expect(
            text.every((byte, index) => whole.charCodeAt(index) === byte || whole.charCodeAt(index) === star),
          ).toBe(true);
        },
      ),
      search(100),
    );
  });

  test("a phrase whose spaces a shell has quoted is one", () => {
    expect(pass(["correct horse battery"], [Buffer.from(String.raw`say correct\ horse\ battery now`)])).toMatch(
      /^say \*+ now$/,
    );
  });

  test("what looks like one for ever is not held back for ever", () => {
    const value = "sk-ant-api03-0123456789";
    const finder = new SpelledFinder([Buffer.from(value)]);
    for (const [first, more] of [
      ["73", "0x"],
      ["73", " "],
      ["7", String.raw`\n`],
      ["c2st", "\r\n"],
      ["", "\\"],
    ] as const) {
      const stream = new SpelledStream(() => finder);
      let passed = stream.push(Buffer.from(first)).length;
      for (let at = 0; at < 64; at++) passed += stream.push(Buffer.from(more.repeat(2048))).length;
      expect(first.length + more.length * 64 * 2048 - passed).toBeLessThan(4096);
    }
  });
});
