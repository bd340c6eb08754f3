// What a terminal is told to draw, without characters that turn the direction of writing or are not drawn: where a page draws its rows
// as text, they would show another order than the program wrote. They have no cell of their own, so all others stay where they are.

/** Of each what its bytes begin with, and which may be the last: U+061C, U+200B, U+200E, U+200F, U+202A–202E, U+2060–206F, U+FEFF. */
const dropped: readonly { readonly head: readonly number[]; readonly from: number; readonly to: number }[] = [
  { head: [0xd8], from: 0x9c, to: 0x9c },
  { head: [0xe2, 0x80], from: 0x8b, to: 0x8b },
  { head: [0xe2, 0x80], from: 0x8e, to: 0x8f },
  { head: [0xe2, 0x80], from: 0xaa, to: 0xae },
  { head: [0xe2, 0x81], from: 0xa0, to: 0xaf },
  { head: [0xef, 0xbb], from: 0xbf, to: 0xbf },
];
const heads: ReadonlySet<number | undefined> = new Set(dropped.map(({ head }) => head[0]));
const none = new Uint8Array(0);

export class StillBytes {
  /** The beginning of a character whose rest has not come. */
  #held = none;

  /** What of it is to be drawn now. */
  push(piece: Uint8Array): Uint8Array {
    const bytes = this.#held.length === 0 ? piece : join(this.#held, piece);
    this.#held = none;
    let drawn: Uint8Array | null = null;
    let length = 0;
    let from = 0;
    const keep = (to: number): void => {
      drawn ??= new Uint8Array(bytes.length);
      drawn.set(bytes.subarray(from, to), length);
      length += to - from;
    };
    for (let at = 0; at < bytes.length; at++) {
      if (!heads.has(bytes[at])) continue;
      const found = look(bytes, at);
      if (found === 0) continue;
      keep(at);
      if (found === "more") {
        this.#held = bytes.slice(at);
        from = bytes.length;
        break;
      }
      from = at + found;
      at = from - 1;
    }
    if (from === 0) return bytes;
    keep(bytes.length);
    return (drawn ?? none).subarray(0, length);
  }

  /** What comes next has nothing to do with what was before. */
  reset(): void {
    this.#held = none;
  }
}

/** How many bytes are dropped here, or that only what comes next can tell. */
function look(bytes: Uint8Array, at: number): number | "more" {
  for (const { head, from, to } of dropped) {
    const left = bytes.length - at;
    if (head.some((byte, index) => index < left && bytes[at + index] !== byte)) continue;
    if (left <= head.length) return "more";
    const last = bytes[at + head.length] ?? 0;
    if (last >= from && last <= to) return head.length + 1;
  }
  return 0;
}

function join(held: Uint8Array, piece: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(held.length + piece.length);
  bytes.set(held);
  bytes.set(piece, held.length);
  return bytes;
}
