// How one character is written where it cannot stand as it is, or need not: in JSON (`\/`, `\n`, `\u002f`, `\x2f`), in a shell (`\+`, and
// what `$'…'` has in common with JSON), in a URL (`%2F`), in HTML (`&#47;`, `&#x2f;`, `&sol;`), and any of these once more in another text of its kind (`\\u002f`, `%252F`, `&amp;#47;`).

/** One way to read what begins somewhere: up to where, as which character, or as which byte of one. */
export type Escape = { readonly end: number; readonly value: number; readonly isByte: boolean };
/** Every way; `isOpen` says that more of the text could add another. */
export type Escapes = { readonly ways: readonly Escape[]; readonly isOpen: boolean };

export const backslash = 0x5c;
export const percent = 0x25;
export const ampersand = 0x26;

const simple: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: 8, t: 9, n: 10, f: 12, r: 13, '"': 0x22, "'": 0x27, "/": 0x2f }).map(([name, value]) => [
    name.charCodeAt(0),
    value,
  ]),
);
/** Of HTML's names those of characters that secrets have. */
const named: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", sol: "/", bsol: "\\", plus: "+", equals: "=", percnt: "%" },
    ...{ num: "#", dollar: "$", excl: "!", ast: "*", commat: "@", colon: ":", semi: ";", comma: ",", period: "." },
    ...{ lowbar: "_", UnderBar: "_", hyphen: "-", dash: "-", quest: "?", lpar: "(", rpar: ")", verbar: "|", vert: "|" },
    ...{ lsqb: "[", rsqb: "]", lbrack: "[", rbrack: "]", lcub: "{", rcub: "}", lbrace: "{", rbrace: "}", Hat: "^" },
    ...{ grave: "`", Tab: "\t", NewLine: "\n", nbsp: " ", tilde: "~" },
  }).map(([name, char]) => [name, char.charCodeAt(0)]),
);
const nameCharsMax = 9;
/** Text in text in text: nobody goes further. */
const depthMax = 4;
const backslashesMax = 2 ** depthMax;

/** Whether two bytes can be how something is written that stands for one of `wanted`. */
export function mayEscape(first: number, second: number, isWanted: (value: number) => boolean): boolean {
  if (first === percent) return hexOf(second) >= 0;
  if (first === ampersand) return second === 0x23 || isLetter(second);
  if (first !== backslash) return false;
  const value = afterBackslash(second);
  return second === backslash || second === 0x75 || second === 0x78 || (value !== undefined && isWanted(value));
}

export function escapesAt(bytes: Uint8Array, at: number): Escapes {
  const reader = new Reader(bytes);
  const [first] = bytes.subarray(at, at + 1);
  if (first === backslash) reader.readBackslashes(at);
  else if (first === percent) reader.readPercent(at + 1);
  else if (first === ampersand) reader.readEntity(at + 1);
  return reader;
}

class Reader implements Escapes {
  readonly #bytes: Uint8Array;
  readonly ways: Escape[] = [];
  isOpen = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Text within text doubles them; how often it was is not known, so any number stands for one escape. */
  readBackslashes(from: number): void {
    let at = from;
    while (this.#bytes[at] === backslash && at - from < backslashesMax) at++;
    for (let count = 2; count <= at - from; count *= 2) this.#add(from + count, backslash);
    const kind = this.#bytes[at];
    if (kind === undefined) this.isOpen = true;
    else if (kind === 0x75) this.#readUnicode(at + 1);
    else if (kind === 0x78) {
      const value = this.#hex(at + 1, 2);
      if (value >= 0) this.#add(at + 3, value, true);
    } else {
      const value = afterBackslash(kind);
      if (value !== undefined) this.#add(at + 1, value);
    }
  }

  #readUnicode(at: number): void {
    const value = this.#hex(at, 4);
    if (value < 0) return;
    if (value < 0xd8_00 || value > 0xdb_ff) return this.#readOn(at + 4, value);
    let low = at + 4;
    while (this.#bytes[low] === backslash && low - at < backslashesMax) low++;
    if (this.#bytes[low] === undefined) this.isOpen = true;
    const second = this.#bytes[low] === 0x75 ? this.#hex(low + 1, 4) : -1;
    if (second >= 0xdc_00 && second <= 0xdf_ff)
      this.#add(low + 5, 0x1_00_00 + (value - 0xd8_00) * 0x4_00 + second - 0xdc_00);
  }

  /** What is escaped may begin an escape of another kind: many writers of JSON have `\u0026` for `&`. */
  #readOn(end: number, value: number): void {
    this.#add(end, value);
    if (value === ampersand) this.readEntity(end);
    if (value === percent) this.readPercent(end);
  }

  readPercent(from: number): void {
    for (let at = from, depth = 0; depth < depthMax; at += 2, depth++) {
      const value = this.#hex(at, 2);
      if (value >= 0) this.#add(at + 2, value, true);
      if (value !== percent) return;
    }
  }

  readEntity(from: number, depth = 0): void {
    if (this.#bytes[from] === 0x23) return this.#readNumber(from + 1);
    let end = from;
    while (isLetter(this.#bytes[end] ?? 0) && end - from < nameCharsMax) end++;
    if (this.#bytes[end] === undefined) this.isOpen = true;
    const value = named.get(String.fromCharCode(...this.#bytes.subarray(from, end)));
    if (value === undefined || this.#bytes[end] !== 0x3b) return;
    this.#add(end + 1, value);
    if (value === ampersand && depth < depthMax) this.readEntity(end + 1, depth + 1);
  }

  #readNumber(from: number): void {
    const isHex = ((this.#bytes[from] ?? 0) | 0x20) === 0x78;
    const base = isHex ? 16 : 10;
    let [at, value] = [isHex ? from + 1 : from, 0];
    for (; at - from < nameCharsMax; at++) {
      const digit = hexOf(this.#bytes[at] ?? 0);
      if (digit < 0 || digit >= base) break;
      value = value * base + digit;
    }
    const next = this.#bytes[at];
    if (next === undefined) this.isOpen = true;
    // The end of it may be left out.
    this.#add(next === 0x3b ? at + 1 : at, value);
  }

  #hex(from: number, count: number): number {
    let value = 0;
    for (let at = from; at < from + count; at++) {
      const byte = this.#bytes[at];
      if (byte === undefined) this.isOpen = true;
      const digit = hexOf(byte ?? 0);
      if (digit < 0) return -1;
      value = value * 16 + digit;
    }
    return value;
  }

  #add(end: number, value: number, isByte = false): void {
    this.ways.push({ end, value, isByte });
  }
}

/** A shell takes whatever is no letter and no digit as it is. */
function afterBackslash(byte: number): number | undefined {
  const isSign = byte >= 0x20 && byte < 0x7f && !isLetter(byte) && !(byte >= 0x30 && byte <= 0x39);
  return simple.get(byte) ?? (isSign && byte !== backslash ? byte : undefined);
}

function hexOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
