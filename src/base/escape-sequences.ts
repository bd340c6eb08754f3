// Where the sequences of a terminal's output begin and end. Bytes come in pieces that are cut anywhere; who shows them,
// or leaves some out, must not cut a sequence or a character in two.

/** What a sequence is, by how it begins. `control` has parameters; the others carry text up to their terminator. */
export type SequenceKind = "control" | "command" | "device" | "message" | "plain";

/** A stretch of bytes: text, or one sequence. `body` is what lies between its introducer and its terminator. */
export type Stretch = {
  readonly kind: "text" | SequenceKind;
  readonly bytes: Uint8Array;
  readonly body: Uint8Array;
};

type Found = { readonly kind: SequenceKind; readonly end: number; readonly bodyFrom: number; readonly bodyTo: number };

const [bell, cancel, substitute, escape, twoBytes] = [0x07, 0x18, 0x1a, 0x1b, 0xc2];
const kinds: Readonly<Record<number, SequenceKind>> = {
  0x5b: "control",
  0x5d: "command",
  0x50: "device",
  0x58: "message",
  0x5e: "message",
  0x5f: "message",
};
/** How much of an unfinished sequence is held. Whoever says more than this in one has to be cut. */
const heldBytesMax = 1024 * 1024;

/** How many of these bytes are whole characters and sequences. The first byte begins one. */
export function wholeLength(bytes: Uint8Array): number {
  for (let at = 0; ;) {
    const from = nextIntroducer(bytes, at);
    if (from === bytes.length) return from - openCharacter(bytes);
    const found = readSequence(bytes, from);
    if (found === undefined) return bytes.length - from > heldBytesMax ? bytes.length : from;
    at = found.end;
  }
}

/** Cuts a stream into its stretches. What is not whole is held until the rest comes. */
export class SequenceReader {
  #held = new Uint8Array(0);
  /** Set while a sequence goes by that was too long to hold. */
  #isSkipping = false;

  get heldBytes(): number {
    return this.#held.length;
  }

  read(chunk: Uint8Array): Stretch[] {
    const stretches: Stretch[] = [];
    let bytes = this.#held.length === 0 ? chunk : concat(this.#held, chunk);
    if (this.#isSkipping) {
      const rest = afterTerminator(bytes);
      // An escape at the end may be the first half of the terminator.
      if (rest === undefined) return this.#hold(bytes.at(-1) === escape ? bytes.subarray(-1) : new Uint8Array(0));
      this.#isSkipping = false;
      bytes = bytes.subarray(rest);
    }
    for (let at = 0; ;) {
      const from = nextIntroducer(bytes, at);
      const isLast = from === bytes.length;
      const textTo = isLast ? Math.max(at, from - openCharacter(bytes)) : from;
      if (textTo > at) {
        const text = bytes.subarray(at, textTo);
        stretches.push({ kind: "text", bytes: text, body: text });
      }
      if (isLast) return this.#hold(bytes.subarray(textTo), stretches);
      const found = readSequence(bytes, from);
      if (found === undefined) {
        this.#isSkipping = bytes.length - from > heldBytesMax;
        return this.#hold(this.#isSkipping ? new Uint8Array(0) : bytes.subarray(from), stretches);
      }
      const { kind, end, bodyFrom, bodyTo } = found;
      stretches.push({ kind, bytes: bytes.subarray(from, end), body: bytes.subarray(bodyFrom, bodyTo) });
      at = end;
    }
  }

  #hold(bytes: Uint8Array, stretches: Stretch[] = []): Stretch[] {
    this.#held = bytes.slice();
    return stretches;
  }
}

/** Where the next sequence begins; the end where there is none. */
function nextIntroducer(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(escape, from);
  const end = at < 0 ? bytes.length : at;
  // The same introducers exist as one character of two bytes.
  for (let other = bytes.indexOf(twoBytes, from); other >= 0 && other < end; other = bytes.indexOf(twoBytes, other + 1))
    if (isIntroducer(bytes[other + 1])) return other;
  return end;
}

function isIntroducer(second: number | undefined): boolean {
  return second !== undefined && second >= 0x80 && second <= 0x9f && second - 0x40 in kinds;
}

/** The sequence that begins here; undefined while it is not whole. */
function readSequence(bytes: Uint8Array, from: number): Found | undefined {
  const first = bytes[from + 1];
  if (first === undefined) return undefined;
  const letter = bytes[from] === escape ? first : first - 0x40;
  const kind = kinds[letter] ?? "plain";
  const bodyFrom = from + 2;
  if (kind === "control") return readControl(bytes, bodyFrom);
  if (kind !== "plain") return readText(bytes, bodyFrom, kind);
  // Some have further letters before the last one.
  let at = from + 1;
  while (at < bytes.length && isWithin(bytes[at], 0x20, 0x2f)) at++;
  const last = bytes[at];
  if (last === undefined) return undefined;
  const end = last === escape ? at : at + 1;
  return { kind, end, bodyFrom: from + 1, bodyTo: end };
}

function readControl(bytes: Uint8Array, bodyFrom: number): Found | undefined {
  for (let at = bodyFrom; at < bytes.length; at++) {
    const byte = bytes[at];
    // Another sequence begins in the middle of this one, which is then none.
    if (byte === escape) return { kind: "plain", end: at, bodyFrom, bodyTo: at };
    if (byte === cancel || byte === substitute) return { kind: "plain", end: at + 1, bodyFrom, bodyTo: at };
    if (isWithin(byte, 0x40, 0x7e)) return { kind: "control", end: at + 1, bodyFrom, bodyTo: at + 1 };
  }
  return undefined;
}

function readText(bytes: Uint8Array, bodyFrom: number, kind: SequenceKind): Found | undefined {
  for (let at = bodyFrom; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === cancel || byte === substitute) return { kind: "plain", end: at + 1, bodyFrom, bodyTo: at };
    if (byte === bell && kind === "command") return { kind, end: at + 1, bodyFrom, bodyTo: at };
    if (byte === twoBytes && bytes[at + 1] === 0x9c) return { kind, end: at + 2, bodyFrom, bodyTo: at };
    if (byte !== escape) continue;
    const next = bytes[at + 1];
    if (next === undefined) return undefined;
    return { kind, end: next === 0x5c ? at + 2 : at, bodyFrom, bodyTo: at };
  }
  return undefined;
}

/** Where the bytes after a sequence begin that is passed over; undefined while it goes on. */
function afterTerminator(bytes: Uint8Array): number | undefined {
  const found = readText(bytes, 0, "command");
  return found?.end;
}

/** How many bytes at the end are a character whose rest is missing. */
function openCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return wanted > back ? back : 0;
  }
  return 0;
}

function isWithin(byte: number | undefined, low: number, high: number): boolean {
  return byte !== undefined && byte >= low && byte <= high;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
