// Where the sequences of a terminal's output begin and end. Bytes come in pieces that are cut anywhere; who shows them,
// or leaves some out, must not cut a sequence or a character in two.

/**
 * What a sequence is, by how it begins. `control` has parameters; the others carry text up to their terminator. One is `aborted` where
 * something else begins before its end.
 */
export type SequenceKind = "control" | "command" | "device" | "message" | "plain" | "aborted";

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

/** As the second of two bytes: a control character of its own, or what begins a sequence. */
function isIntroducer(second: number | undefined): boolean {
  return isWithin(second, 0x80, 0x9f);
}

/** What terminals do, or pass over, in the middle of a sequence, and then go on with it. */
function isAside(byte: number | undefined): boolean {
  return byte === 0x7f || (isWithin(byte, 0x00, 0x1f) && !isEnd(byte));
}

/** What ends every sequence, wherever it stands. */
function isEnd(byte: number | undefined): boolean {
  return byte === escape || byte === cancel || byte === substitute;
}

/** The sequence that begins here; undefined while it is not whole. */
function readSequence(bytes: Uint8Array, from: number): Found | undefined {
  if (bytes[from] !== escape) {
    const kind = kinds[(bytes[from + 1] ?? 0) - 0x40] ?? "plain";
    return readBody(bytes, kind, { bodyFrom: kind === "plain" ? from + 1 : from + 2, at: from + 2 });
  }
  let at = from + 1;
  while (isAside(bytes[at])) at++;
  const first = bytes[at];
  if (first === undefined) return undefined;
  const kind = kinds[first];
  if (kind !== undefined) return readBody(bytes, kind, { bodyFrom: at + 1, at: at + 1 });
  // Some have further letters before the last one.
  while (isWithin(bytes[at], 0x20, 0x2f) || isAside(bytes[at])) at++;
  const last = bytes[at];
  if (last === undefined) return undefined;
  const isWhole = isWithin(last, 0x30, 0x7e);
  // What is left of the character stays, and is none by itself.
  const end = isWhole || last === cancel || last === substitute ? at + 1 : at;
  return { kind: isWhole ? "plain" : "aborted", end, bodyFrom: from + 1, bodyTo: end };
}

function readBody(
  bytes: Uint8Array,
  kind: SequenceKind,
  { bodyFrom, at }: { readonly bodyFrom: number; readonly at: number },
): Found | undefined {
  if (kind === "plain") return { kind, end: at, bodyFrom, bodyTo: at };
  return kind === "control" ? readControl(bytes, bodyFrom) : readText(bytes, bodyFrom, kind);
}

function readControl(bytes: Uint8Array, bodyFrom: number): Found | undefined {
  for (let at = bodyFrom; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (isWithin(byte, 0x40, 0x7e)) return { kind: "control", end: at + 1, bodyFrom, bodyTo: at + 1 };
    // Another sequence or a letter begins in the middle of this one, which is then none.
    if (isEnd(byte) || byte >= 0x80) return aborted(bytes, bodyFrom, at);
  }
  return undefined;
}

function readText(bytes: Uint8Array, bodyFrom: number, kind: SequenceKind): Found | undefined {
  for (let at = bodyFrom; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === bell && kind === "command") return { kind, end: at + 1, bodyFrom, bodyTo: at };
    if (byte === twoBytes && isIntroducer(bytes[at + 1]))
      return bytes[at + 1] === 0x9c ? { kind, end: at + 2, bodyFrom, bodyTo: at } : aborted(bytes, bodyFrom, at);
    if (!isEnd(byte)) continue;
    const next = bytes[at + 1];
    if (byte === escape && next === undefined) return undefined;
    if (byte === escape && next === 0x5c) return { kind, end: at + 2, bodyFrom, bodyTo: at };
    return aborted(bytes, bodyFrom, at);
  }
  return undefined;
}

/** What aborts it begins something itself, but for the two that do nothing else. */
function aborted(bytes: Uint8Array, bodyFrom: number, at: number): Found {
  const end = bytes[at] === cancel || bytes[at] === substitute ? at + 1 : at;
  return { kind: "aborted", end, bodyFrom, bodyTo: at };
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
