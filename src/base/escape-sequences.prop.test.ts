import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../test/support/search.ts";
import { SequenceReader, wholeLength } from "./escape-sequences.ts";

const pieces = [
  "plain text",
  "é — 🦊",
  "\u001b[31m",
  "\u001b[?1049h",
  "\u001b]0;title\u0007",
  "\u001b]8;;https://example.com\u001b\\",
  "\u001bP$q q\u001b\\",
  "\u001b_Gi=1\u001b\\",
  "\u001b(B",
  "\u001bZ",
  "\u001b\u001b",
  "\u001b[12\u001b[m",
  "\u001b[3\u0018",
  "\u009b6n",
  "\u009d52;c;aGk=\u009c",
  "\u00b7",
  "\n",
];

const stream = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 20 })
  .map((parts) => new TextEncoder().encode(parts.join("")));

test("however a stream is cut, the same stretches come out of it, and nothing is lost", () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat({ max: 200 }), { maxLength: 8 }), (bytes, cuts) => {
      const whole = flatten(new SequenceReader().read(bytes));
      const reader = new SequenceReader();
      const found: ReturnType<SequenceReader["read"]> = [];
      let from = 0;
      for (const cut of [...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length]) {
        found.push(...reader.read(bytes.subarray(from, cut)));
        from = cut;
      }
      expect(flatten(found)).toBe(whole);
      const end = wholeLength(bytes);
      expect(Buffer.concat(new SequenceReader().read(bytes).map((each) => each.bytes))).toEqual(
        Buffer.from(bytes.subarray(0, end)),
      );
    }),
    search(100),
  );
});

/** Text may come in several stretches; sequences may not. */
function flatten(stretches: ReturnType<SequenceReader["read"]>): string {
  return stretches
    .map(({ kind, bytes }) => (kind === "text" ? Buffer.from(bytes).toString("latin1") : `<${kind} ${hex(bytes)}>`))
    .join("");
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

test("a sequence that never ends is passed over, and what comes after it is not", () => {
  const reader = new SequenceReader();
  const flood = new TextEncoder().encode(`\u001b]52;c;${"a".repeat(1024 * 1024 + 10)}`);
  expect(reader.read(flood)).toEqual([]);
  expect(reader.read(new TextEncoder().encode("aaaa\u001b"))).toEqual([]);
  const rest = reader.read(new TextEncoder().encode("\\here"));
  expect(rest.map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual(["here"]);
});
