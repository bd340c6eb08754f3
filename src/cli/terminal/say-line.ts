// A line that a person writes to the others at a terminal. Its letters never reach the program.

import { pasteBegin, pasteEnd } from "./attached-keys.ts";

export type SayEnd = { readonly text: string } | "left";

const charsMax = 500;
const enter = "\r";
const escape = "\u001b";
const interrupt = "\u0003";
const erase = new Set(["\u007f", "\b"]);
const eraseAll = "\u0015";

export class SayLine {
  readonly #decoder = new TextDecoder();
  text = "";
  #isPasting = false;
  /** What may be the first part of what begins or ends a paste. */
  #held = "";

  /** Takes keys; answers how it ended, once it has. What is typed after that is nobody's. */
  take(bytes: Uint8Array): SayEnd | undefined {
    const typed = this.#held + this.#decoder.decode(bytes, { stream: true });
    this.#held = "";
    if (this.#isPasting) return this.#paste(typed);
    const begin = typed.indexOf(pasteBegin);
    if (begin === -1) return this.#press(typed);
    this.#isPasting = true;
    return this.#press(typed.slice(0, begin)) ?? this.#paste(typed.slice(begin + pasteBegin.length));
  }

  #press(typed: string): SayEnd | undefined {
    // Keys such as arrows begin like the one that leaves, and mean nothing here.
    if (typed === escape) return "left";
    if (typed.startsWith(escape)) {
      if (pasteBegin.startsWith(typed)) this.#held = typed;
      return undefined;
    }
    for (const key of typed) {
      if (key === enter) return this.text.trim() === "" ? "left" : { text: this.text.trim() };
      if (key === interrupt) return "left";
      if (erase.has(key)) this.text = Array.from(this.text).slice(0, -1).join("");
      else if (key === eraseAll) this.text = "";
      else this.#add(key);
    }
    return undefined;
  }

  /** What is pasted is text and no key: a line that ended in the middle of it would leave the rest to the program. */
  #paste(typed: string): SayEnd | undefined {
    const end = typed.indexOf(pasteEnd);
    const last = typed.lastIndexOf(escape);
    const isOpen = end === -1 && last !== -1 && pasteEnd.startsWith(typed.slice(last));
    const pasted = end === -1 ? typed.slice(0, isOpen ? last : undefined) : typed.slice(0, end);
    for (const letter of pasted.replaceAll(/[\r\n\t]+/g, " ")) this.#add(letter);
    if (isOpen) this.#held = typed.slice(last);
    if (end === -1) return undefined;
    this.#isPasting = false;
    return this.#press(typed.slice(end + pasteEnd.length));
  }

  #add(letter: string): void {
    if (letter >= " " && this.text.length + letter.length <= charsMax) this.text += letter;
  }
}
