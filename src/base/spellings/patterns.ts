// What a value looks like as a whole: as it is, as base64 or base32 at any place of a longer text, and as hex.

/** `plain` as it is; the others may have gaps, as where lines are wrapped. */
export type Pattern = { readonly kind: "plain" | "base64" | "base32" | "hex"; readonly bytes: Uint8Array };

/** Shorter ones would be found where they do not stand. */
export const valueBytesMin = 8;

/** How many bits a digit has, which digits there are, and after how many bytes they come to stand in the same way again. */
type Base = { readonly bits: number; readonly digits: Uint8Array; readonly places: number };
const base64: Base = {
  ...{ bits: 6, places: 3 },
  digits: toBytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"),
};
/** In capitals, as programs write it: in both cases it would begin at every other word, and cost several times as much. */
const base32: Base = { bits: 5, places: 5, digits: toBytes("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") };
const hexDigits = toBytes("0123456789abcdef");

export function patternsOf(value: Uint8Array): Pattern[] {
  if (value.length < valueBytesMin) return [];
  const hex = Uint8Array.from([...value].flatMap((byte) => [hexDigits[byte >> 4] ?? 0, hexDigits[byte & 15] ?? 0]));
  return [
    { kind: "plain", bytes: value },
    { kind: "hex", bytes: hex },
    ...within(value, base64).map((bytes) => ({ kind: "base64" as const, bytes })),
    ...within(value, base32).map((bytes) => ({ kind: "base32" as const, bytes })),
  ];
}

/** How it looks at each place of a longer text. */
function within(value: Uint8Array, base: Base): Uint8Array[] {
  return Array.from({ length: base.places }, (_, before) => digitsAfter(value, before, base));
}

/** How it looks after so many other bytes: without the characters at the ends that those have a part in. */
function digitsAfter(value: Uint8Array, before: number, { bits, digits }: Base): Uint8Array {
  const inner: number[] = [];
  const end = Math.floor(((before + value.length) * 8) / bits);
  for (let digit = Math.ceil((before * 8) / bits); digit < end; digit++) {
    const bit = digit * bits - before * 8;
    const pair = ((value[bit >> 3] ?? 0) << 8) | (value[(bit >> 3) + 1] ?? 0);
    inner.push(digits[(pair >> (16 - bits - (bit & 7))) & ((1 << bits) - 1)] ?? 0);
  }
  return Uint8Array.from(inner);
}

/** What one byte of a text means in a pattern: both alphabets of base64 are one, and both cases of hex. */
export function meaningOf(kind: Pattern["kind"], byte: number): number {
  if (kind === "base64") return byte === 0x2d ? 0x2b : byte === 0x5f ? 0x2f : byte;
  if (kind === "hex") return byte >= 0x41 && byte <= 0x46 ? byte | 0x20 : byte;
  return byte;
}

/** Whether something may stand between two characters of a pattern: the end of a line, and in hex what its bytes are set apart by. */
export function isGap(kind: Pattern["kind"], value: number): boolean {
  if (kind === "plain") return false;
  if (value === 0x20 || (value >= 0x09 && value <= 0x0d)) return true;
  return kind === "hex" && (value === 0x3a || value === 0x2d || value === 0x2c);
}

/** The bytes of a text of one-byte characters. */
function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
