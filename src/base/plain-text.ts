// What of some bytes is text: characters in UTF-8, and the controls that move within it. A stray byte may be a control character to one
// terminal and nothing to another.

/** The same bytes where all of them are; else a copy without the others. */
export function plainText(bytes: Uint8Array): Uint8Array {
  let at = 0;
  for (let length = lengthAt(bytes, at); length > 0; length = lengthAt(bytes, at)) at += length;
  if (at === bytes.length) return bytes;
  const kept = new Uint8Array(bytes.length);
  kept.set(bytes.subarray(0, at));
  let count = at;
  while (at < bytes.length) {
    const length = lengthAt(bytes, at);
    for (let index = 0; index < length; index++) kept[count++] = bytes[at + index] as number;
    at += Math.max(1, length);
  }
  return kept.subarray(0, count);
}

/** How many bytes the character has that begins here, 0 where none does. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === undefined) return 0;
  // Bell, back, tab, the ends of lines, and the two that change the character set.
  if (first < 0x80) return (first >= 0x20 && first !== 0x7f) || (first >= 0x07 && first <= 0x0f) ? 1 : 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const [low, high] = secondOf(first);
  const second = bytes[at + 1] ?? 0;
  if (second < low || second > high) return 0;
  for (let index = 2; index < length; index++) if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Between which two the second byte is: so that a character is spelled in one way only, is one, and is no control character. */
function secondOf(first: number): readonly [low: number, high: number] {
  if (first < 0xc2 || first > 0xf4) return none;
  return narrow[first] ?? usual;
}

const none = [1, 0] as const;
const usual = [0x80, 0xbf] as const;
const narrow: Readonly<Record<number, readonly [number, number]>> = {
  0xc2: [0xa0, 0xbf],
  0xe0: [0xa0, 0xbf],
  0xed: [0x80, 0x9f],
  0xf0: [0x90, 0xbf],
  0xf4: [0x80, 0x8f],
};
