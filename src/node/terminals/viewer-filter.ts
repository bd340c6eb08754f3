// What a viewer's own terminal gets to see of a program's output. Questions to a terminal are left out, for they have been
// answered already, and a viewer's answer would be typed; and so is what reaches beyond the window, unless it is allowed.

import { SequenceReader, type Stretch } from "../../base/escape-sequences.ts";

export type ViewerPolicy = { readonly titles: boolean; readonly links: boolean; readonly clipboard: boolean };

/** Titles and links do no harm; a clipboard is the person's. */
export const usualPolicy: ViewerPolicy = { titles: true, links: true, clipboard: false };

const enquiry = 0x05;
/** Commands that only change what is seen, by their numbers. */
const harmless = new Set([4, 5, 7, 22, 104, 105, 133]);

export class ViewerFilter {
  readonly #reader = new SequenceReader();
  readonly #policy: ViewerPolicy;

  constructor(policy: ViewerPolicy) {
    this.#policy = policy;
  }

  /** How many bytes are held because what they begin is not whole. */
  get heldBytes(): number {
    return this.#reader.heldBytes;
  }

  pass(chunk: Uint8Array): Uint8Array {
    const stretches = this.#reader.read(chunk);
    if (stretches.length === 1 && stretches[0]?.kind === "text") return withoutEnquiry(stretches[0].bytes);
    return Buffer.concat(
      stretches
        .filter((each) => this.#mayPass(each))
        .map(({ bytes, kind }) => (kind === "text" ? withoutEnquiry(bytes) : bytes)),
    );
  }

  #mayPass({ kind, body }: Stretch): boolean {
    switch (kind) {
      case "text":
        return true;
      case "control":
        return !isQuestion(toText(body));
      case "command":
        return this.#mayCommand(toText(body.subarray(0, 64)));
      case "device":
        // Pictures; everything else is a question or a definition.
        return /^[\d;]*q/.test(toText(body.subarray(0, 32)));
      case "plain":
        // An old way to ask what kind of terminal this is.
        return toText(body) !== "Z";
      default:
        return false;
    }
  }

  #mayCommand(text: string): boolean {
    const number = Number(/^\d+/.exec(text)?.[0] ?? Number.NaN);
    if (number <= 2) return this.#policy.titles;
    if (number === 8) return this.#policy.links;
    if (number === 52) return this.#policy.clipboard && !text.endsWith(";?");
    const isColour = (number >= 10 && number <= 19) || (number >= 110 && number <= 119);
    return (harmless.has(number) || isColour) && !text.includes("?");
  }
}

/** Whether a terminal would answer, print or change its window. */
function isQuestion(body: string): boolean {
  const [, lead = "", middle = "", last = ""] = /^([<=>?]?)[\d;:]*([ -/]*)(.)$/s.exec(body) ?? [];
  switch (last) {
    case "c":
    case "i":
      return true;
    case "n":
      return lead !== ">";
    case "p":
    case "w":
      return middle === "$";
    case "t":
    case "x":
      return middle === "";
    case "q":
      return lead === ">";
    case "u":
      return lead === "?" || middle === "$" || middle === "&";
    case "y":
      return middle === "*";
    case "|":
      return middle === "'";
    case "S":
      return lead === "?";
    case "R":
      return middle === "#";
    default:
      return false;
  }
}

function withoutEnquiry(bytes: Uint8Array): Uint8Array {
  return bytes.includes(enquiry) ? bytes.filter((byte) => byte !== enquiry) : bytes;
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}
