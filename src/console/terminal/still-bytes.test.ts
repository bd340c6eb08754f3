import fc from "fast-check";
import { expect, test } from "vitest";
import { search } from "../../../test/support/search.ts";
import { StillBytes } from "./still-bytes.ts";

function drawn(pieces: readonly Uint8Array[]): string {
  const still = new StillBytes();
  return Buffer.concat(pieces.map((piece) => still.push(piece))).toString();
}

test("what turns or is not drawn is left out, and everything else stays", () => {
  const said =
    "rm \u202efr \u2066x\u2069 \u200b\u200e\u061c\ufeff│ é 日本 שלום 👩\u200d💻 می\u200cخواهم\u001b[31m\r\n\u0000";
  expect(drawn([Buffer.from(said)])).toBe("rm fr x │ é 日本 שלום 👩\u200d💻 می\u200cخواهم\u001b[31m\r\n\u0000");
  const plain = Buffer.from("plain │ é\n");
  expect(new StillBytes().push(plain), "and is not copied").toBe(plain);
});

test("however it is cut, the same is drawn", () => {
  const words = fc.constantFrom("\u202e", "\u200b", "\u2066", "\u061c", "\ufeff", "│", "،", "é", "‐", "a", "😀");
  fc.assert(
    fc.property(fc.array(words), fc.array(fc.nat(40)), (said, cuts) => {
      const bytes = Buffer.from(said.join(""));
      const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
      const pieces = at.slice(1).map((to, index) => bytes.subarray(at[index], to));
      const expected = said.join("").replaceAll(/[\u061c\u200b\u202e\u2066\ufeff]/g, "");
      expect(drawn(pieces)).toBe(expected);
    }),
    search(100),
  );
});

test("the half of a character that was cut off by another screen is forgotten", () => {
  const still = new StillBytes();
  expect(still.push(Uint8Array.of(0x61, 0xe2, 0x80))).toEqual(Uint8Array.of(0x61));
  still.reset();
  expect(still.push(Uint8Array.of(0x62))).toEqual(Uint8Array.of(0x62));
});
