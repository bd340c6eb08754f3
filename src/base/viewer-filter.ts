// What a viewer's own terminal gets to see of a program's output, live or from a recording. Questions to a terminal are left
// out, for they have been answered already, and a viewer's answer would be typed; and so is what reaches beyond the window,
// unless it is allowed.
//
// Terminals disagree on where a sequence ends that is not well formed. So only what is well formed and known passes, and everything
// else is left out: what comes out of here means the same to all of them, whatever came in.

import { SequenceReader, type Stretch } from "./escape-sequences.ts";
import { plainText } from "./plain-text.ts";

export type ViewerPolicy = { readonly titles: boolean; readonly links: boolean; readonly clipboard: boolean };

/** Titles and links do no harm; a clipboard is the person's. */
export const usualPolicy: ViewerPolicy = { titles: true, links: true, clipboard: false };

const [bell, escape] = [0x07, 0x1b];
const nothing = new Uint8Array(0);
/** Commands that only change what is seen, by their numbers. */
const harmless = new Set([4, 5, 7, 22, 104, 105, 133]);
/** Titles, links and colours are shorter. A clipboard may hold as much as is held of any sequence. */
const commandBytesMax = 8192;
const controlBytesMax = 256;
/** Numbers have few digits: no screen has more rows, and there are terminals that count as far as they are told. */
const control = /^([<=>?]?)((?:\d{0,5}[;:])*\d{0,5})([ -/]{0,2})([@-~])$/;
const plain = /^(?:[()*+\-./][ -/]?[0-~]|#[34568]|[6789=>DEHMNOcno|}~])$/;
/** Letters before it, those between, and its last: controls that draw, or say how keys are to be sent. */
const drawing = new Set([
  ...["@", "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "P", "S", "T", "X", "Z"],
  ...["`", "a", "b", "d", "e", "f", "g", "h", "l", "m", "r", "s", "u"],
  ...["?h", "?l", "?r", "?s", "?J", "?K", ">m", ">n", ">u", "<u", "=u", " @", " A", " q", "!p", '"q'],
  ...["$r", "$t", "$v", "$x", "$z", "${", "'}", "'~", "*x", "#{", "#}", "#p", "#q"],
]);
/** Modes that make it another kind of terminal, lock its keyboard, or have it say its size at once. */
const refusedModes: Readonly<Record<string, readonly number[]>> = { "": [2], "?": [2, 2048] };

export class ViewerFilter {
  readonly #reader = new SequenceReader();
  readonly #policy: () => ViewerPolicy;

  /** Whoever may change their mind is asked each time. */
  constructor(policy: ViewerPolicy | (() => ViewerPolicy)) {
    this.#policy = typeof policy === "function" ? policy : () => policy;
  }

  /** How many bytes are held because what they begin is not whole. */
  get heldBytes(): number {
    return this.#reader.heldBytes;
  }

  pass(chunk: Uint8Array): Uint8Array {
    const parts = this.#reader.read(chunk).map((stretch) => this.#passed(stretch));
    return parts.length === 1 ? (parts[0] ?? nothing) : joined(parts);
  }

  /** What passes of a stretch. Its beginning and end are spelled as every terminal knows them. */
  #passed({ kind, bytes, body }: Stretch): Uint8Array {
    if (kind === "text") return plainText(bytes);
    const letter = introducers[kind];
    const isStrange = letter === undefined || (bytes[0] === escape && bytes[1] !== letter.charCodeAt(0));
    switch (kind) {
      case "control":
        return isStrange || !mayControl(body) ? nothing : spelled("[", body);
      case "command":
        return isStrange || !this.#mayCommand(body)
          ? nothing
          : spelled("]", body, bytes.at(-1) === bell ? "\u0007" : "\u001b\\");
      case "device":
        // Pictures; everything else is a question or a definition.
        return isStrange || !/^[\d;]*q[\r\n -~]*$/.test(toText(body)) ? nothing : spelled("P", body, "\u001b\\");
      case "plain":
        return bytes[0] === escape && plain.test(toText(body)) ? bytes : nothing;
      default:
        return nothing;
    }
  }

  #mayCommand(body: Uint8Array): boolean {
    const text = toText(body);
    const number = Number(/^(\d{1,4})(?:;|$)/.exec(text)?.[1] ?? Number.NaN);
    if (number === 52) return this.#policy().clipboard && /^52;[a-z0-7]*;[A-Za-z\d+/=]*$/.test(text);
    if (body.length > commandBytesMax || !isPlain(body)) return false;
    if (number <= 2) return this.#policy().titles;
    if (number === 8) return this.#policy().links;
    const isColour = (number >= 10 && number <= 19) || (number >= 110 && number <= 119);
    return (harmless.has(number) || isColour) && !text.includes("?");
  }
}

const introducers: Readonly<Partial<Record<Stretch["kind"], string>>> = { control: "[", command: "]", device: "P" };

/** Whether it only draws: no terminal answers, prints or changes its window. */
function mayControl(body: Uint8Array): boolean {
  if (body.length > controlBytesMax) return false;
  const [, lead = "", numbers = "", middle = "", last = ""] = control.exec(toText(body)) ?? [];
  if (!drawing.has(`${lead}${middle}${last}`)) return false;
  // With several numbers it is the beginning of something that a mouse has to end.
  if (last === "T") return !numbers.includes(";");
  const isOfModes = middle === "" && (last === "h" || last === "l" || (lead === "?" && (last === "r" || last === "s")));
  return !isOfModes || !numbers.split(/[;:]/).some((each) => refusedModes[lead]?.includes(Number(each)));
}

/** Whether all of it is text of one line. */
function isPlain(body: Uint8Array): boolean {
  return !body.some((byte) => byte < 0x20) && plainText(body) === body;
}

function spelled(introducer: string, body: Uint8Array, terminator = ""): Uint8Array {
  return joined([Uint8Array.of(escape, introducer.charCodeAt(0)), body, toBytes(terminator)]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A letter for each byte. */
function toText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
