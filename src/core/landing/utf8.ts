// Text and its bytes. The core has no TextDecoder, and one that repairs what it cannot read would change files: here
// bytes are text only when they come back exactly.

import { assert } from "../../base/assert.ts";

/** Beyond this nobody reads a diff and no merge is worth its time: such a file counts as not text. */
export const textBytesMax = 4 * 1024 * 1024;

const chunkUnits = 8192;
/** The least code point that each length may spell; a shorter spelling exists for anything below. */
const leastOf = [0, 0, 0x80, 0x800, 0x1_0000];

/** The text of these bytes, or undefined when they are not text: a NUL, invalid UTF-8, or too many of them. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.length > textBytesMax) return undefined;
  const units = new Uint16Array(bytes.length);
  let count = 0;
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    if (lead === 0) return undefined;
    if (lead < 0x80) {
      units[count++] = lead;
      at++;
      continue;
    }
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    const point = readPoint(bytes, at, length);
    if (point < 0) return undefined;
    if (point >= 0x1_0000) {
      units[count++] = 0xd7c0 + (point >> 10);
      units[count++] = 0xdc00 + (point & 0x3ff);
    } else {
      units[count++] = point;
    }
    at += length;
  }
  let text = "";
  for (let at = 0; at < count; at += chunkUnits) {
    text += String.fromCharCode(...units.subarray(at, Math.min(count, at + chunkUnits)));
  }
  return text;
}

/** The bytes of a text that `decodeText` gave, or that was put together from such. */
export function encodeText(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) {
      bytes[count++] = unit;
      continue;
    }
    const point = text.codePointAt(at) ?? 0;
    assert(point < 0xd800 || point > 0xdfff, "a text has no half of a pair");
    if (point >= 0x1_0000) at++;
    const length = point >= 0x1_0000 ? 4 : point >= 0x800 ? 3 : 2;
    bytes[count++] = ((0xf00 >> length) & 0xff) | (point >> (6 * (length - 1)));
    for (let rest = length - 2; rest >= 0; rest--) bytes[count++] = 0x80 | ((point >> (6 * rest)) & 0x3f);
  }
  return bytes.slice(0, count);
}

/** The code point that starts here, or -1 where none does. */
function readPoint(bytes: Uint8Array, at: number, length: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  let point = lead & (0xff >> (length + 1));
  for (let next = at + 1; next < at + length; next++) {
    const byte = bytes[next] ?? 0;
    if ((byte & 0xc0) !== 0x80) return -1;
    point = (point << 6) | (byte & 0x3f);
  }
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  return point < (leastOf[length] ?? 0) || point > 0x10_ffff || isSurrogate ? -1 : point;
}
