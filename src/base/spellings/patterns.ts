// What a value looks like as a whole: as it is, as base64 at any place of a longer text, and as hex.

/** `plain` as it is; the other two may have gaps, as where lines are wrapped. */
export type Pattern = { readonly kind: "plain" | "base64" | "hex"; readonly bytes: Uint8Array };

/** Shorter ones would be found where they do not stand. */
export const valueBytesMin = 8;

const digits = toBytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const hexDigits = toBytes("0123456789abcdef");

export function patternsOf(value: Uint8Array): Pattern[] {
  if (value.length < valueBytesMin) return [];
  const hex = Uint8Array.from([...value].flatMap((byte) => [hexDigits[byte >> 4] ?? 0, hexDigits[byte & 15] ?? 0]));
  return [
    { kind: "plain", bytes: value },
    { kind: "hex", bytes: hex },
    ...[0, 1, 2].map((before) => ({ kind: "base64" as const, bytes: base64Within(value, before) })),
  ];
}

/** How it looks in base64 after so many other bytes: without the characters at the ends that those have a part in. */
function base64Within(value: Uint8Array, before: number): Uint8Array {
  const inner: number[] = [];
  const end = Math.floor(((before + value.length) * 8) / 6);
  for (let digit = Math.ceil((before * 8) / 6); digit < end; digit++) {
    const bit = digit * 6 - before * 8;
    const pair = ((value[bit >> 3] ?? 0) << 8) | (value[(bit >> 3) + 1] ?? 0);
    inner.push(digits[(pair >> (10 - (bit & 7))) & 63] ?? 0);
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
