// Text that others write as we read, made fit for a terminal while it comes: what toSafeLines does to lines, for pieces that
// begin and end anywhere.

import { StringDecoder } from "node:string_decoder";
import { toSafeLine } from "./safe-text.ts";

// oxlint-disable-next-line no-control-regex -- the colours of programs, in the form that they write them
const ansi = /\u001b\[[0-9;:]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
// oxlint-disable-next-line no-control-regex -- one that may go on in the next piece
const begun = /\u001b(?:\[[0-9;:]*|\][^\u0007\u001b]*\u001b?)?$/;
/** One that is longer is none, and is shown. */
const begunCharsMax = 256;

export class SafeStream {
  readonly #decoder = new StringDecoder("utf8");
  #held = "";

  /** What can be shown of it now. */
  push(bytes: Uint8Array): string {
    const text = this.#held + this.#decoder.write(Buffer.from(bytes));
    const from = begun.exec(text)?.index ?? text.length;
    const at = text.length - from > begunCharsMax ? text.length : from;
    this.#held = text.slice(at);
    return toSafe(text.slice(0, at));
  }

  /** What was held back, when nothing more comes. */
  end(): string {
    const rest = this.#held + this.#decoder.end();
    this.#held = "";
    return toSafe(rest);
  }
}

/** Line breaks and returns stay, so that what draws over its own line does so here. */
function toSafe(text: string): string {
  return text
    .replace(ansi, "")
    .replaceAll("\t", "    ")
    .replaceAll(/[^\r\n]+/g, toSafeLine);
}
