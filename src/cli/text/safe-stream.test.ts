import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../../test/support/search.ts";
import { SafeStream } from "./safe-stream.ts";

function shown(pieces: readonly Uint8Array[]): string {
  const stream = new SafeStream();
  return [...pieces.map((piece) => stream.push(piece)), stream.end()].join("");
}

test("colours go, tabs become spaces, other controls become signs, line breaks and returns stay", () => {
  const said = "\u001b[31mred\u001b[0m\ta\u0007\r\n\u001b]0;title\u0007b\rc\u001b[2";
  expect(shown([Buffer.from(said)])).toBe("red    a␇\r\nb\rc␛[2");
});

test("however it is cut, the same is shown", () => {
  const words = fc.constantFrom("\u001b[31m", "\u001b]0;x\u001b\\", "ä", "😀", "\r\n", "\t", "a", "\u001b", "\u0000");
  fc.assert(
    fc.property(fc.array(words), fc.array(fc.nat(40)), (said, cuts) => {
      const bytes = Buffer.from(said.join(""));
      const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
      const pieces = at.slice(1).map((to, index) => bytes.subarray(at[index], to));
      expect(shown(pieces)).toBe(shown([bytes]));
    }),
    search(100),
  );
});

test("what was begun is held back, and a title without an end is shown in the end", () => {
  const stream = new SafeStream();
  expect(stream.push(Buffer.from("a\u001b[3"))).toBe("a");
  expect(stream.push(Buffer.from("1mb"))).toBe("b");
  expect(stream.push(Buffer.from(`\u001b]${"x".repeat(300)}`))).toBe(`␛]${"x".repeat(300)}`);
});
