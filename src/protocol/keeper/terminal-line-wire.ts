// What a viewer's line to the host of a terminal carries: frames of a length in four bytes, a kind in one, and their content.
// They are bytes and not JSON because a key passes here on its way in and on its way out.

export const terminalSocketName = "t.sock";

export const lineKinds = {
  /** The first frame: which terminal, and how far its viewer has got, as JSON. */
  look: 1,
  /** A tag, with its length before it in one byte, and what is typed under it. */
  type: 2,
  /** How many bytes had been said before these, how many by now, and these. */
  said: 3,
  /** What was typed has been taken, in the order in which it came. */
  typed: 4,
  /** Nothing more comes by this line. */
  over: 5,
} as const;

/** How a viewer begins. */
export type LineWish = { readonly terminal: string; readonly from: number };

export type SaidFrame = { readonly offset: number; readonly totalBytes: number; readonly bytes: Uint8Array };
export type TypeFrame = { readonly tag: string; readonly bytes: Uint8Array };

const headBytes = 5;
const numbersBytes = 16;
/** Nothing that either side says is longer. */
const frameBytesMax = 4 * 1024 * 1024;

export function toLineFrame(kind: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const frame = new Uint8Array(headBytes + length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, length);
  view.setUint8(4, kind);
  let at = headBytes;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}

export function toSaidFrame({ offset, totalBytes, bytes }: SaidFrame): Uint8Array {
  const numbers = new DataView(new ArrayBuffer(numbersBytes));
  numbers.setFloat64(0, offset);
  numbers.setFloat64(8, totalBytes);
  return toLineFrame(lineKinds.said, new Uint8Array(numbers.buffer), bytes);
}

/** Undefined for what can be none. */
export function fromSaidFrame(content: Uint8Array): SaidFrame | undefined {
  if (content.length < numbersBytes) return undefined;
  const numbers = new DataView(content.buffer, content.byteOffset);
  return {
    offset: numbers.getFloat64(0),
    totalBytes: numbers.getFloat64(8),
    bytes: content.subarray(numbersBytes),
  };
}

export function toTypeFrame({ tag, bytes }: TypeFrame): Uint8Array {
  const name = new TextEncoder().encode(tag);
  return toLineFrame(lineKinds.type, Uint8Array.of(name.length), name, bytes);
}

export function fromTypeFrame(content: Uint8Array): TypeFrame {
  const end = 1 + (content[0] ?? 0);
  return { tag: new TextDecoder().decode(content.subarray(1, end)), bytes: content.subarray(end) };
}

/** Cuts what comes into frames. Answers false for what can be none: whoever sent it is not one of us. */
export class LineFrames {
  readonly #take: (kind: number, content: Uint8Array) => void;
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(take: (kind: number, content: Uint8Array) => void) {
    this.#take = take;
  }

  feed(chunk: Uint8Array): boolean {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    while (this.#heldBytes >= headBytes) {
      let first = this.#held[0] ?? chunk;
      if (first.length < headBytes) first = this.#join();
      const head = new DataView(first.buffer, first.byteOffset);
      const end = headBytes + head.getUint32(0);
      if (end > frameBytesMax) return false;
      if (this.#heldBytes < end) return true;
      if (first.length < end) first = this.#join();
      this.#heldBytes -= end;
      if (first.length === end) this.#held.shift();
      else this.#held[0] = first.subarray(end);
      this.#take(first[4] ?? 0, first.subarray(headBytes, end));
    }
    return true;
  }

  #join(): Uint8Array {
    const all = new Uint8Array(this.#heldBytes);
    let at = 0;
    for (const each of this.#held) {
      all.set(each, at);
      at += each.length;
    }
    this.#held = [all];
    return all;
  }
}
